//! Errors of programs on the PPE.
use crate::system::wires::Wires;

use crate::ea::{self, Target};
use crate::error::RunError;
use crate::fault::{Fault, Operation};
use crate::system::time::Time;
use crate::units::{SpeId, ThreadId};

/// The error of a run whose PPE program has broken a rule.
pub(crate) fn broken(command: &'static str, rule: String, time: &Time) -> RunError {
    RunError::Rule {
        spe: None,
        bus_cycle: time.bus_cycles(),
        place: None,
        command: Operation::Ppe(command),
        rule: Fault::Program(rule),
    }
}

/// The target of a load or a store.
///
/// # Errors
/// The access is not of 1, 2, 4 or 8 bytes, is not aligned, or its address is not mapped.
pub(crate) fn decode(ea: u64, bytes: u8, wires: &Wires) -> Result<Target, RunError> {
    let rule = if !matches!(bytes, 1 | 2 | 4 | 8) || !ea.is_multiple_of(u64::from(bytes)) {
        format!("{bytes} bytes at {ea:#x}: an access has 1, 2, 4 or 8 bytes and is aligned to its size")
    } else {
        match ea::decode(&wires.board.machine, ea, u64::from(bytes)) {
            Some(target) => return Ok(target),
            None => format!("nothing is mapped at effective address {ea:#x}"),
        }
    };
    Err(broken("load or store", rule, &wires.time))
}

/// The SPE of a thread.
///
/// # Errors
/// The thread is not placed on an SPE.
pub(crate) fn spe_of(thread: ThreadId, wires: &Wires) -> Result<SpeId, RunError> {
    let placement = &wires.board.placement;
    if usize::from(thread.0) < placement.len() {
        return Ok(placement.spe(thread));
    }
    let rule = format!("thread {} has no SPE; the placement has {}", thread.0, placement.len());
    Err(broken("system call", rule, &wires.time))
}
