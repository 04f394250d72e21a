//! Faults of a context's program and of the program's DMA, and the notification of these faults to the process.
//!
//! By default, spufs sends a signal to the thread in `spu_run`. If the context was created with
//! `SPU_CREATE_EVENTS_ENABLED`, `spu_run` instead returns an event. A halt or an invalid channel operation sets bits
//! of the status that `spu_run` returns.
//!
//! Source: Linux, `arch/powerpc/platforms/cell/spufs/fault.c` and `run.c`; manual page spu_run(2).

use crate::signals::number::Signal;
use crate::signals::pending::{Info, code};
use crate::wait::Nanos;
use cell::command::{DmaFault, Interrupt};
use cell::fault::{Fault, Operation};
use cell::units::SpeId;
use spu::core::{Fault as Instruction, FaultKind};
use std::fmt;

/// Maximum number of faults that a context records with their text. Any further faults are only counted.
const KEPT_MAX: usize = 16;

/// Cause of a fault.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Cause {
    /// An instruction.
    Instruction(Instruction),
    /// A channel operation or an MFC command that violates a rule.
    Rule(Operation, Fault),
}

/// Notification of a fault to the process.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notification {
    /// A signal is sent to the thread in `spu_run`.
    Signal(Info),
    /// `spu_run` returns an event.
    Event(u32),
    /// `spu_run` returns a status with the fault's bits.
    Status(u32),
}

/// A recorded fault, with its time and position.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Reported {
    /// Simulated time.
    pub time_ns: Nanos,
    /// The SPE on which the fault occurred.
    pub spe: SpeId,
    /// Text with the SPU's instruction at the time of the fault, and the instruction's local-store address.
    pub place: String,
    /// Cause.
    pub cause: Cause,
    /// Notification of the fault to the process.
    pub told: Notification,
}

/// The faults of a context.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Faults {
    /// The first faults.
    pub kept: Vec<Reported>,
    /// Number of all faults.
    pub count: u64,
}

impl Faults {
    /// Adds a fault.
    pub fn add(&mut self, reported: Reported) {
        self.count += 1;
        if self.kept.len() < KEPT_MAX {
            self.kept.push(reported);
        }
    }
}

/// Events of `spu_run`.
mod event {
    pub const DMA_ALIGNMENT: u32 = 0x0008;
    pub const DATA_STORAGE: u32 = 0x0040;
    pub const INVALID_DMA: u32 = 0x0800;
}

/// `si_code` of an object-specific hardware error.
const BUS_OBJERR: i32 = 3;

/// Bits of `SPU_Status` (CBEA, SPU Status Register).
pub mod status {
    #![allow(missing_docs)]
    pub const RUNNING: u32 = 0x01;
    pub const STOPPED_BY_STOP: u32 = 0x02;
    pub const STOPPED_BY_HALT: u32 = 0x04;
    pub const INVALID_INSTRUCTION: u32 = 0x20;
    pub const INVALID_CHANNEL: u32 = 0x40;
    /// Bit position of the stop-and-signal type in the status.
    pub const CODE_SHIFT: u32 = 16;
}

impl Reported {
    /// A fault. `events_enabled` is true if the context was created with `SPU_CREATE_EVENTS_ENABLED`.
    pub fn new(time_ns: Nanos, spe: SpeId, place: String, cause: Cause, events_enabled: bool) -> Reported {
        let told = cause.told(events_enabled);
        Reported { time_ns, spe, place, cause, told }
    }
}

impl Cause {
    fn told(&self, events_enabled: bool) -> Notification {
        match self {
            Cause::Instruction(Instruction { kind: FaultKind::Halt, .. }) => {
                Notification::Status(status::STOPPED_BY_HALT)
            }
            Cause::Instruction(_) if events_enabled => Notification::Status(status::INVALID_INSTRUCTION),
            Cause::Instruction(instruction) => {
                Notification::Signal(Info::fault(Signal::SIGILL, code::ILL_ILLOPC, instruction.address.into()))
            }
            Cause::Rule(_, fault) => match fault.dma().map(of_dma) {
                None => Notification::Status(status::INVALID_CHANNEL),
                Some((event, _)) if events_enabled => Notification::Event(event),
                Some((_, signal)) => Notification::Signal(signal),
            },
        }
    }
}

/// Event and signal for a fault of an MFC command. The signal has an address only for a data-storage fault.
fn of_dma(fault: &DmaFault) -> (u32, Info) {
    match fault.interrupt() {
        Interrupt::DmaAlignment => (event::DMA_ALIGNMENT, Info::fault(Signal::SIGBUS, code::BUS_ADRALN, 0)),
        Interrupt::InvalidDmaCommand => (event::INVALID_DMA, Info::fault(Signal::SIGBUS, BUS_OBJERR, 0)),
        Interrupt::DataStorage => {
            let ea = fault.storage_address().unwrap_or_default();
            (event::DATA_STORAGE, Info::fault(Signal::SIGSEGV, code::SEGV_ACCERR, ea))
        }
    }
}

impl fmt::Display for Cause {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cause::Rule(operation, fault) => write!(f, "{operation}: {fault}"),
            Cause::Instruction(Instruction { word, kind: FaultKind::NoInstruction, .. }) => {
                write!(f, "{word:#010x} is no instruction")
            }
            Cause::Instruction(Instruction { kind: FaultKind::Halt, .. }) => {
                f.write_str("its condition holds: the program halts")
            }
        }
    }
}

impl fmt::Display for Notification {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Notification::Signal(info) => write!(f, "{:?}", info.signal),
            Notification::Event(event) => write!(f, "event {event:#x} of spu_run"),
            Notification::Status(status) => write!(f, "status {status:#x} of spu_run"),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use cell::command::{Alignment, InvalidCommand};
    use cell::fault::ChannelFault;
    use cell::page_table::BadAddress;

    fn told(fault: impl Into<Fault>, events_enabled: bool) -> Notification {
        Cause::Rule(Operation::Compute, fault.into()).told(events_enabled)
    }

    fn signal(signal: Signal, code: i32, address: u64) -> Notification {
        Notification::Signal(Info::fault(signal, code, address))
    }

    #[test]
    fn faults_of_dma_are_the_events_and_signals_of_linux() {
        let alignment = Alignment::Size(3);
        let bus_error = signal(Signal::SIGBUS, code::BUS_ADRALN, 0);
        for fault in
            [DmaFault::Alignment(alignment), DmaFault::Element(alignment), DmaFault::ElementCrosses { ea: 1, size: 2 }]
        {
            assert_eq!((told(fault, true), told(fault, false)), (Notification::Event(0x8), bus_error));
        }
        let invalid = DmaFault::Invalid(InvalidCommand::Tag(32));
        assert_eq!(
            (told(invalid, true), told(invalid, false)),
            (Notification::Event(0x800), signal(Signal::SIGBUS, BUS_OBJERR, 0))
        );
        let accesses = [
            DmaFault::Storage(BadAddress::Unmapped(0x40)),
            DmaFault::Storage(BadAddress::Forbidden(0x40)),
            DmaFault::RegisterSize { ea: 0x40, bytes: 8 },
            DmaFault::NoLockLine(0x40),
        ];
        for fault in accesses {
            let segmentation_fault = signal(Signal::SIGSEGV, code::SEGV_ACCERR, 0x40);
            assert_eq!((told(fault, true), told(fault, false)), (Notification::Event(0x40), segmentation_fault));
        }
    }

    #[test]
    fn halts_and_channels_are_bits_of_the_status_and_only_a_word_that_is_none_is_a_signal() {
        let instruction = |kind| Cause::Instruction(Instruction { address: 0x100, word: 7, kind });
        for events_enabled in [false, true] {
            assert_eq!(
                instruction(FaultKind::Halt).told(events_enabled),
                Notification::Status(status::STOPPED_BY_HALT)
            );
            assert_eq!(told(ChannelFault::NoList, events_enabled), Notification::Status(status::INVALID_CHANNEL));
        }
        assert_eq!(instruction(FaultKind::NoInstruction).told(true), Notification::Status(status::INVALID_INSTRUCTION));
        assert_eq!(instruction(FaultKind::NoInstruction).told(false), signal(Signal::SIGILL, code::ILL_ILLOPC, 0x100));
    }

    #[test]
    fn the_first_faults_are_kept_and_all_are_counted() {
        let mut faults = Faults::default();
        for time_ns in 0..KEPT_MAX as u64 + 3 {
            let cause = Cause::Rule(Operation::Compute, ChannelFault::NoList.into());
            faults.add(Reported::new(time_ns, SpeId(0), String::new(), cause, true));
        }
        assert_eq!((faults.kept.len(), faults.count), (KEPT_MAX, KEPT_MAX as u64 + 3));
        assert_eq!(faults.kept[0].time_ns, 0);
    }
}
