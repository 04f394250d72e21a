//! The control block: all that an SPE needs to know, two lines of main memory.

use crate::choices::TransferOp;
use cell::store::LocalStore;
use cell::units::LINE_BYTES;

/// What an SPE's program has to do in a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Role {
    /// Measures.
    Active,
    /// Answers a partner.
    Responder,
    /// Only holds a buffer.
    Holder,
    /// Answers the PPE.
    PpeResponder,
}

/// Where one thread's DMAs go, and where they come from.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Buffers {
    /// Places that are used in turn; 1: the same bytes every time.
    pub places: u32,
    /// Distance of two places in the local store.
    pub lsa_step: u32,
    /// Distance of two places in main storage.
    pub ea_step: u32,
    /// First local-store address that gets write, and that puts read.
    pub lsa: (u32, u32),
    /// First effective address that gets read, and that puts write.
    pub ea: (u64, u64),
    /// How many places puts are behind gets.
    pub put_lag: u32,
}

impl Buffers {
    /// The same bytes every time, for gets and for puts.
    pub fn one(lsa: u32, ea: u64) -> Buffers {
        Buffers { places: 1, lsa: (lsa, lsa), ea: (ea, ea), ..Buffers::default() }
    }
}

/// What one SPE has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlBlock {
    /// What is measured: the number of a FUNCTION in the list of all.
    pub function: u32,
    /// The SPE's role in it.
    pub role: Role,
    /// Measured iterations.
    pub iterations: u64,
    /// Iterations before them.
    pub warm_up: u64,
    /// Bytes of a DMA or list element, or of the script of an exchange.
    pub size_bytes: u32,
    /// Elements of a list; 0: no lists.
    pub list_elements: u32,
    /// Iterations between two waits; 0: one wait at the end.
    pub batch: u32,
    /// Which way the DMAs go.
    pub op: TransferOp,
    /// Where they go.
    pub buffers: Buffers,
    /// The variable, the partner's mailbox or signal register, or the script of an exchange.
    pub ea: u64,
    /// Chooses targets.
    pub seed: u64,
    /// How many there are to choose from: their windows' addresses follow the block; 0: no choice.
    pub targets: u32,
    /// SPU cycles that the loop's own code takes per iteration.
    pub iteration_cycles: u64,
    /// SPU cycles that the atomic library's code takes per attempt.
    pub atomic_cycles: u64,
}

const ROLES: [Role; 4] = [Role::Active, Role::Responder, Role::Holder, Role::PpeResponder];

impl ControlBlock {
    /// Bytes that block and targets take.
    pub const BYTES: u32 = 2 * LINE_BYTES as u32;
    /// Where the targets begin.
    const TARGETS_AT: u64 = LINE_BYTES;

    /// As the PPE stores it, doubleword by doubleword.
    pub fn encode(&self) -> [u64; 14] {
        let role = ROLES.iter().position(|role| *role == self.role).unwrap_or(0);
        let op = TransferOp::ALL.iter().position(|(op, _)| *op == self.op).unwrap_or(0);
        let two = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let buffers = &self.buffers;
        [
            two(self.function, (op as u32) << 8 | role as u32),
            self.iterations,
            self.warm_up,
            two(self.size_bytes, self.list_elements),
            two(self.batch, self.targets),
            self.ea,
            self.iteration_cycles,
            self.atomic_cycles,
            self.seed,
            two(buffers.places, buffers.put_lag),
            two(buffers.lsa_step, buffers.ea_step),
            two(buffers.lsa.0, buffers.lsa.1),
            buffers.ea.0,
            buffers.ea.1,
        ]
    }

    /// As the SPE finds it in its local store.
    pub fn decode(ls: &LocalStore, at: u32) -> ControlBlock {
        let word = |i: u64| ls.read_u64(u64::from(at) + 8 * i);
        let high = |i| (word(i) >> 32) as u32;
        let low = |i| word(i) as u32;
        let buffers = Buffers {
            places: high(9),
            put_lag: low(9),
            lsa_step: high(10),
            ea_step: low(10),
            lsa: (high(11), low(11)),
            ea: (word(12), word(13)),
        };
        ControlBlock {
            function: high(0),
            role: ROLES[(low(0) & 0xff) as usize % ROLES.len()],
            op: TransferOp::ALL[(low(0) >> 8) as usize % TransferOp::ALL.len()].0,
            iterations: word(1),
            warm_up: word(2),
            size_bytes: high(3),
            list_elements: low(3),
            batch: high(4),
            targets: low(4),
            ea: word(5),
            iteration_cycles: word(6),
            atomic_cycles: word(7),
            seed: word(8),
            buffers,
        }
    }

    /// The window's address of a target, as it lies behind the block at `at`.
    pub fn target(ls: &LocalStore, at: u32, nth: u32) -> u64 {
        ls.read_u64(u64::from(at) + ControlBlock::TARGETS_AT + 8 * u64::from(nth))
    }

    /// Where a target's address goes in main memory, if the block is at `ea`.
    pub fn target_ea(ea: u64, nth: u64) -> u64 {
        ea + ControlBlock::TARGETS_AT + 8 * nth
    }
}
