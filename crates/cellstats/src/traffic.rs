//! Patterns of traffic: who transfers with whom.

use super::function::Function;
use super::params::{HotTarget, Params};
use super::pattern::Transfer;
use cell::placement::Placement;
use cell::units::{SpeId, ThreadId};

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

/// A thread's part in a pattern.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Part {
    /// Transfers with main memory.
    WithMemory,
    /// Transfers with a thread.
    With(ThreadId),
    /// Transfers with any other, by chance.
    WithAny,
    /// Lends its local store.
    Passive,
}

/// What a thread of a pattern does.
pub fn part(params: &Params, thread: ThreadId) -> Part {
    let (i, n) = (thread.0, params.spes as u8);
    match (params.function, params.target) {
        (Function::HotSpot, Some(HotTarget::Thread(hot))) if u32::from(i) == hot => Part::Passive,
        (Function::HotSpot, Some(HotTarget::Thread(hot))) => Part::With(ThreadId(hot as u8)),
        (Function::Complement, _) => Part::With(ThreadId(n - 1 - i)),
        (Function::Pairwise, _) => Part::With(ThreadId(i ^ 1)),
        (Function::Uniform, _) => Part::WithAny,
        (Function::Couples, _) if i % 2 == 1 => Part::Passive,
        (Function::Couples, _) => Part::With(ThreadId(i + 1)),
        (Function::Cycle, _) => Part::With(ThreadId((i + 1) % n)),
        _ => Part::WithMemory,
    }
}

/// What a thread's program has to do, in whatever function.
pub fn role(params: &Params, thread: ThreadId) -> Role {
    if params.function.is_pattern() {
        let passive = part(params, thread) == Part::Passive;
        return if passive { Role::Holder } else { Role::Active };
    }
    match (params.function.is_synchronisation(), params.spe_to_spe) {
        (true, false) => Role::PpeResponder,
        (true, true) if thread.0 % 2 == 1 => Role::Responder,
        // Alone, it transfers with its own local store.
        (false, true) if thread.0 == 0 && params.spes > 1 => Role::Holder,
        _ => Role::Active,
    }
}

/// What decides a run, whatever its threads are called: who does what, and the messages of an exchange.
pub type Description = (Vec<(SpeId, u8)>, Vec<Vec<Transfer<SpeId>>>);

/// Two placements with the same description are one and the same run under different names: the same
/// SPEs do the same things at the same times.
///
/// Threads are created, and their memory is laid out, in the order of their SPEs, and in a pattern no
/// SPE does anything that depends on its thread's number; but each has its own source of randomness.
pub fn description(params: &Params, placement: &Placement) -> Description {
    const PASSIVE: u8 = u8::MAX;
    const MEMORY: u8 = u8::MAX - 1;
    let threads = placement.threads().take(params.spes as usize);
    let exchange = params.function == Function::Exchange;
    let names_matter = !params.function.is_pattern() && !exchange || params.function == Function::Uniform;
    let mut description: Vec<(SpeId, u8)> = threads
        .map(|(thread, spe)| match part(params, thread) {
            _ if names_matter => (spe, thread.0),
            Part::With(partner) => (spe, placement.spe(partner).0),
            Part::Passive => (spe, PASSIVE),
            Part::WithMemory | Part::WithAny => (spe, MEMORY),
        })
        .collect();
    description.sort();
    (description, params.pattern.as_ref().map_or(Vec::new(), |pattern| pattern.on(placement)))
}

#[cfg(test)]
mod tests {
    use super::*;
    use cell::machine::Machine;

    #[test]
    fn couples_of_the_same_spes_are_one_run_whatever_their_threads_are_called() {
        let machine = Machine::builtin("eval-board").unwrap();
        let params = Params { spes: 4, ..Params::new(Function::Couples) };
        let of = |spes: [u32; 4]| description(&params, &Placement::new(&spes, &machine).unwrap());
        assert_eq!(of([0, 1, 2, 3]), of([2, 3, 0, 1]));
        assert_ne!(of([0, 1, 2, 3]), of([1, 0, 2, 3]), "the other one is active");
    }

    fn parts(function: Function, spes: u32, target: Option<HotTarget>) -> Vec<Part> {
        let params = Params { spes, target, ..Params::new(function) };
        (0..spes as u8).map(|thread| part(&params, ThreadId(thread))).collect()
    }

    fn with(threads: [u8; 4]) -> Vec<Part> {
        threads.map(|thread| Part::With(ThreadId(thread))).to_vec()
    }

    #[test]
    fn every_pattern_has_the_partners_of_its_paper() {
        assert_eq!(parts(Function::Complement, 4, None), with([3, 2, 1, 0]));
        assert_eq!(parts(Function::Pairwise, 4, None), with([1, 0, 3, 2]));
        assert_eq!(parts(Function::Cycle, 4, None), with([1, 2, 3, 0]));
        assert_eq!(parts(Function::Couples, 4, None)[1], Part::Passive);
        assert_eq!(parts(Function::Couples, 4, None)[2], Part::With(ThreadId(3)));
        assert_eq!(parts(Function::HotSpot, 2, None), [Part::WithMemory; 2]);
    }

    #[test]
    fn the_hot_spe_itself_transfers_nothing() {
        let parts = parts(Function::HotSpot, 3, Some(HotTarget::Thread(1)));
        assert_eq!(parts, [Part::With(ThreadId(1)), Part::Passive, Part::With(ThreadId(1))]);
    }
}
