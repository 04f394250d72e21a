//! The control block: all that an SPE needs to know, one line of main memory.

use super::params::Function;
use crate::store::LocalStore;

/// What one SPE has to do.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ControlBlock {
    /// What is measured.
    pub function: Function,
    /// This SPE's part in it.
    pub role: Role,
    /// Measured iterations.
    pub iterations: u64,
    /// Iterations before them.
    pub warm_up: u64,
    /// Bytes of a DMA or list element.
    pub size_bytes: u32,
    /// Elements of a list.
    pub list_elements: u32,
    /// DMAs between two waits; 0: one wait at the end.
    pub batch: u32,
    /// Local-store address of the buffer.
    pub buffer_lsa: u32,
    /// The buffer or variable, or the partner's mailbox or signal register.
    pub ea: u64,
    /// SPU cycles that the loop's own code takes per iteration.
    pub iteration_cycles: u64,
    /// SPU cycles that the atomic library's code takes per attempt.
    pub atomic_cycles: u64,
}

/// An SPE's part.
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

const ROLES: [Role; 4] = [Role::Active, Role::Responder, Role::Holder, Role::PpeResponder];

impl ControlBlock {
    /// Doublewords that it takes in memory.
    pub const WORDS: usize = 8;

    /// As the PPE stores it, doubleword by doubleword.
    pub fn encode(&self) -> [u64; Self::WORDS] {
        let function = Function::ALL.iter().position(|(function, _)| *function == self.function).unwrap_or(0);
        let role = ROLES.iter().position(|role| *role == self.role).unwrap_or(0);
        [
            (function as u64) << 32 | role as u64,
            self.iterations,
            self.warm_up,
            u64::from(self.size_bytes) << 32 | u64::from(self.list_elements),
            u64::from(self.batch) << 32 | u64::from(self.buffer_lsa),
            self.ea,
            self.iteration_cycles,
            self.atomic_cycles,
        ]
    }

    /// As the SPE finds it in its local store.
    pub fn decode(ls: &LocalStore, at: u32) -> ControlBlock {
        let word = |i: u64| ls.read_u64(u64::from(at) + 8 * i);
        let high = |word: u64| (word >> 32) as u32;
        ControlBlock {
            function: Function::ALL[high(word(0)) as usize % Function::ALL.len()].0,
            role: ROLES[word(0) as usize % ROLES.len()],
            iterations: word(1),
            warm_up: word(2),
            size_bytes: high(word(3)),
            list_elements: word(3) as u32,
            batch: high(word(4)),
            buffer_lsa: word(4) as u32,
            ea: word(5),
            iteration_cycles: word(6),
            atomic_cycles: word(7),
        }
    }
}
