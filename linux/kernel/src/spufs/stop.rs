//! Why a context stopped last: the kind of the stop, and the instruction where it happened.

use cell::error::RunError;
use cell::last_gets::LastGet;
use cell::store::LocalStore;
use spu::core::{Exit, FaultKind};
use spu::registers::Registers;
use spu::source::{Code, loaded};

/// Stop-and-signal types with which SPE programs exit; the last eight bits are the exit status.
const EXIT: u32 = 0x2000;
const EXIT_STATUS: u32 = 0xff;

/// The kind of a stop.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Kind {
    /// The program exited.
    Exit,
    /// The program executed a `stop` for the PPE.
    Stop,
    /// The condition of a halt instruction held.
    Halt,
    /// The program reached a word that is no instruction.
    Instruction,
    /// A channel instruction broke a rule.
    Channel,
    /// A DMA command broke a rule. The instruction is the one that the program had reached at that time.
    Dma,
    /// The program had not stopped when the process ended.
    Running,
}

impl Kind {
    /// The name in results.
    pub fn name(self) -> &'static str {
        match self {
            Kind::Exit => "exit",
            Kind::Stop => "stop",
            Kind::Halt => "halt",
            Kind::Instruction => "instruction",
            Kind::Channel => "channel",
            Kind::Dma => "dma",
            Kind::Running => "running",
        }
    }
}

/// A stop.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Stop {
    /// The kind.
    pub kind: Kind,
    /// The exit status of [`Kind::Exit`], or the stop-and-signal type of [`Kind::Stop`].
    pub code: Option<u32>,
    /// Local-store address of the instruction.
    pub address: u32,
}

/// The executable that a context ran, the function in which it stopped, and a reason.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Origin {
    /// Number of the executable, counted from 1 in the order in which the process's memory got them.
    pub program: Option<u32>,
    /// The function, and the instruction's distance from its beginning in bytes.
    pub function: Option<(String, u32)>,
    /// Why the program stopped, if its stack or its overwritten code is the reason.
    pub reason: Option<String>,
}

impl Stop {
    /// A stop by an instruction at `address`.
    pub fn by(exit: &Exit, address: u32) -> Stop {
        match exit {
            Exit::Stop { code } if code & !EXIT_STATUS == EXIT => {
                Stop { kind: Kind::Exit, code: Some(code & EXIT_STATUS), address }
            }
            Exit::Stop { code } => Stop { kind: Kind::Stop, code: Some(*code), address },
            Exit::Fault(fault) if fault.kind == FaultKind::Halt => Stop { kind: Kind::Halt, code: None, address },
            _ => Stop { kind: Kind::Instruction, code: None, address },
        }
    }

    /// Why the program stopped, if its stack or its overwritten code is the reason. `code`: its executable. `get`: the
    /// last DMA into the line of the address.
    pub fn reason(
        &self,
        code: &Code,
        registers: &Registers,
        local_store: &LocalStore,
        get: Option<&LastGet>,
    ) -> Option<String> {
        let failed = matches!(self.kind, Kind::Stop | Kind::Halt | Kind::Instruction);
        failed.then(|| code.failure(registers, local_store, self.address, self.kind == Kind::Halt, get)).flatten()
    }

    /// A stop because of a broken rule, while the program was at `address`.
    pub fn of(error: &RunError, address: u32) -> Stop {
        let is_dma = matches!(error, RunError::Rule { rule, .. } if rule.dma().is_some());
        Stop { kind: if is_dma { Kind::Dma } else { Kind::Channel }, code: None, address }
    }
}

/// Finds the executable that was loaded into a local store, and the function of the instruction at `address`.
pub fn origin(programs: &[Code], local_store: &LocalStore, address: u32) -> Origin {
    let Some(n) = loaded(programs.iter(), local_store) else { return Origin::default() };
    let function = programs[n].function(address).map(|(name, offset)| (name.to_string(), offset));
    Origin { program: Some(n as u32 + 1), function, reason: None }
}
