//! Rules that programs of the PPE break.

use crate::ea::{self, Target};
use crate::error::RunError;
use crate::fault::{Fault, Operation};
use crate::system::board::Board;
use crate::system::time::Time;
use crate::units::{SpeId, ThreadId};

/// The end of a run whose PPE program has broken a rule.
pub(crate) fn broken(command: &'static str, rule: String, time: &Time) -> RunError {
    RunError::Rule {
        spe: None,
        bus_cycle: time.bus_cycles(),
        place: None,
        command: Operation::Ppe(command),
        rule: Fault::Program(rule),
    }
}

/// What a load or a store touches.
///
/// # Errors
/// It is not of 1, 2, 4 or 8 bytes, not aligned, or touches nothing.
pub(crate) fn decode(ea: u64, bytes: u8, board: &Board, time: &Time) -> Result<Target, RunError> {
    let rule = if !matches!(bytes, 1 | 2 | 4 | 8) || !ea.is_multiple_of(u64::from(bytes)) {
        format!("{bytes} bytes at {ea:#x}: an access is of 1, 2, 4 or 8 bytes and aligned to its size")
    } else {
        match ea::decode(&board.machine, ea, u64::from(bytes)) {
            Some(target) => return Ok(target),
            None => format!("nothing is mapped at effective address {ea:#x}"),
        }
    };
    Err(broken("load or store", rule, time))
}

/// The SPE of a thread.
///
/// # Errors
/// It has none.
pub(crate) fn spe_of(thread: ThreadId, board: &Board, time: &Time) -> Result<SpeId, RunError> {
    let placement = &board.placement;
    if usize::from(thread.0) < placement.len() {
        return Ok(placement.spe(thread));
    }
    let rule = format!("thread {} has no SPE; the placement has {}", thread.0, placement.len());
    Err(broken("system call", rule, time))
}
