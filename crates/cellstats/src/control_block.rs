//! The control block: all parameters of one SPE's program, in two cache lines of main memory.

use crate::choices::{Injection, TransferOp, number};
use cell::store::LocalStore;
use cell::units::LINE_BYTES;

/// The role of an SPE in a measurement.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Role {
    /// Runs the measured loop.
    Active,
    /// Replies to another SPE.
    Responder,
    /// Only holds a buffer.
    Holder,
    /// Replies to the PPE.
    PpeResponder,
}

/// The buffers of one thread's DMAs.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, Debug)]
pub struct Buffers {
    /// Number of buffer slots, which the DMAs use cyclically; with one slot, every DMA moves the same bytes.
    pub places: u32,
    /// Distance between neighbouring slots in the local store.
    pub lsa_step: u32,
    /// Distance between neighbouring slots in main storage.
    pub ea_step: u32,
    /// Local-store addresses of the first slot, for `get` and for `put` commands.
    pub lsa: (u32, u32),
    /// Effective addresses of the first slot, for `get` and for `put` commands.
    pub ea: (u64, u64),
    /// Number of slots from the slot of a `get` to the slot of the same iteration's `put`.
    pub put_lag: u32,
    /// Whether commands take the same time in all slots: each slot begins a line of a local store, and all slots are in
    /// one page.
    pub alike: bool,
}

impl Buffers {
    /// One slot for both get and put commands.
    pub fn one(lsa: u32, ea: u64) -> Buffers {
        Buffers { places: 1, lsa: (lsa, lsa), ea: (ea, ea), ..Buffers::default() }
    }
}

/// The control block of one SPE.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct ControlBlock {
    /// Index of the FUNCTION in the list of all FUNCTIONs.
    pub function: u32,
    /// The SPE's role.
    pub role: Role,
    /// Measured iterations.
    pub iterations: u64,
    /// Number of warm-up iterations before the measured iterations.
    pub warm_up: u64,
    /// Size in bytes of a DMA or list element, or of an exchange's script.
    pub size_bytes: u32,
    /// Elements of a list; 0 if no lists are used.
    pub list_elements: u32,
    /// Iterations before each wait for completion; 0 means a single wait at the end.
    pub batch: u32,
    /// Direction of the DMAs.
    pub op: TransferOp,
    /// Buffers of the DMAs.
    pub buffers: Buffers,
    /// Effective address of the variable, of the partner's mailbox or signal register, or of the script of an exchange.
    pub ea: u64,
    /// Seed of the random targets.
    pub seed: u64,
    /// Number of random targets, 0 if the target is fixed. The addresses of the targets' local-store windows follow the
    /// block.
    pub targets: u32,
    /// Average interval at which DMAs are offered, in 65536ths of an SPU cycle; 0 if no load is offered.
    pub interval: u64,
    /// The interval at the peak of the port.
    pub peak_interval: u32,
    /// The times at which DMAs are offered.
    pub injection: Injection,
    /// SPU cycles that the loop's own code takes per iteration.
    pub iteration_cycles: u64,
    /// SPU cycles that the atomic library's code takes per attempt.
    pub atomic_cycles: u64,
}

const ROLES: [Role; 4] = [Role::Active, Role::Responder, Role::Holder, Role::PpeResponder];

impl ControlBlock {
    /// Size of the block including its targets, in bytes.
    pub const BYTES: u32 = 2 * LINE_BYTES as u32;
    /// Offset of the targets.
    const TARGETS_AT: u64 = LINE_BYTES;

    /// The doublewords that the PPE stores; the last two only if a load is offered.
    pub fn encode(&self) -> Vec<u64> {
        let role = ROLES.iter().position(|role| *role == self.role).unwrap_or(0);
        let op = number(&TransferOp::ALL, self.op);
        let two = |high: u32, low: u32| u64::from(high) << 32 | u64::from(low);
        let buffers = &self.buffers;
        let mut words = vec![
            two(self.function, u32::from(buffers.alike) << 16 | op << 8 | role as u32),
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
        ];
        if self.interval > 0 {
            words.extend([self.interval, two(self.peak_interval, number(&Injection::ALL, self.injection))]);
        }
        words
    }

    /// Reads a block from a local store.
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
            alike: low(0) >> 16 == 1,
        };
        ControlBlock {
            function: high(0),
            role: ROLES[(low(0) & 0xff) as usize % ROLES.len()],
            op: TransferOp::ALL[(low(0) >> 8 & 0xff) as usize % TransferOp::ALL.len()].0,
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
            interval: word(14),
            peak_interval: high(15),
            injection: Injection::ALL[low(15) as usize % Injection::ALL.len()].0,
            buffers,
        }
    }

    /// Reads the address of a target's window from the table that follows the block at `at`.
    pub fn target(ls: &LocalStore, at: u32, nth: u32) -> u64 {
        ls.read_u64(u64::from(at) + ControlBlock::TARGETS_AT + 8 * u64::from(nth))
    }

    /// Main-memory address of the table entry for a target, for the block at `ea`.
    pub fn target_ea(ea: u64, nth: u64) -> u64 {
        ea + ControlBlock::TARGETS_AT + 8 * nth
    }
}
