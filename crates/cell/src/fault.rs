//! Rules that programs and their DMA can break. A fault is recorded as data and converted to text only when it is
//! displayed.

use crate::channel::Channel;
use crate::command::{Command, DmaFault};
use std::fmt;

/// A broken rule.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// A command broke a rule when it was issued.
    Given(Command, DmaFault),
    /// A command broke a rule while it was executed.
    Dma(DmaFault),
    /// A channel operation broke a rule.
    Channel(ChannelFault),
    /// A read of a problem-state register that cannot be read; holds the register's offset.
    Unreadable(u32),
    /// A write to a problem-state register that cannot be written; holds the register's offset.
    Unwritable(u32),
    /// A program on an SPE or on the PPE broke a rule; holds the program's own error message.
    Program(String),
}

/// A fault of a channel operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelFault {
    /// The channel's number is reserved.
    Reserved(Channel),
    /// The program wrote a channel that can only be read.
    ReadOnly,
    /// The program read a channel that can only be written.
    WriteOnly,
    /// The program waits for an event, but no event is enabled.
    NoEventEnabled,
    /// The program waits for tag status, but has not requested tag status.
    NoTagStatusAsked,
    /// The program waits for a list stall, but no list command is queued.
    NoList,
    /// The program waits for atomic status, but has not issued an atomic command.
    NoAtomicCommand,
    /// The program acknowledges a stall of a tag above 31.
    Tag(u32),
    /// The program requests tag status with an undefined code.
    TagUpdate(u32),
}

/// The operation during which the rule was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A channel was read.
    Read(Channel),
    /// A channel was written.
    Write(Channel, u32),
    /// The count of a channel was read.
    Count(Channel),
    /// A program was computing.
    Compute,
    /// The MFC was executing a queued command.
    Command(Command),
    /// The MFC was executing a queued lock-line command.
    PutQlluc,
    /// A command was issued through the proxy registers.
    Proxy,
    /// A problem-state register was accessed.
    Register,
    /// A program was taking its turn.
    Program,
    /// The PPE was executing the operation of this name.
    Ppe(&'static str),
}

impl Fault {
    /// Returns the fault of the MFC command, or `None` if no MFC command caused the fault.
    pub fn dma(&self) -> Option<&DmaFault> {
        match self {
            Fault::Given(_, fault) | Fault::Dma(fault) => Some(fault),
            _ => None,
        }
    }
}

impl From<DmaFault> for Fault {
    fn from(fault: DmaFault) -> Fault {
        Fault::Dma(fault)
    }
}

impl From<ChannelFault> for Fault {
    fn from(fault: ChannelFault) -> Fault {
        Fault::Channel(fault)
    }
}

impl fmt::Display for Fault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Fault::Given(command, fault) => write!(f, "{command}: {fault}"),
            Fault::Dma(fault) => write!(f, "{fault}"),
            Fault::Channel(fault) => write!(f, "{fault}"),
            Fault::Unreadable(offset) => {
                write!(f, "no problem-state register at offset {offset:#x} can be read")
            }
            Fault::Unwritable(offset) => {
                write!(f, "no problem-state register at offset {offset:#x} can be written")
            }
            Fault::Program(words) => f.write_str(words),
        }
    }
}

impl fmt::Display for ChannelFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ChannelFault::Reserved(channel) => write!(f, "channel {} is reserved", channel.0),
            ChannelFault::ReadOnly => f.write_str("the channel can only be read"),
            ChannelFault::WriteOnly => f.write_str("the channel can only be written"),
            ChannelFault::NoEventEnabled => {
                f.write_str("no event is enabled (write SPU_WrEventMask first): it can never answer")
            }
            ChannelFault::NoTagStatusAsked => {
                f.write_str("no tag status was asked for (write MFC_WrTagUpdate first): it can never answer")
            }
            ChannelFault::NoList => f.write_str("no list command is in the queue: it can never answer"),
            ChannelFault::NoAtomicCommand => f.write_str("no atomic command was given: it can never answer"),
            ChannelFault::Tag(tag) => write!(f, "tag {tag} is outside 0 to 31"),
            ChannelFault::TagUpdate(code) => {
                write!(f, "tag update code {code} is not 0 (immediate), 1 (any) or 2 (all)")
            }
        }
    }
}

impl fmt::Display for Operation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Operation::Read(channel) => write!(f, "read of {channel}"),
            Operation::Write(channel, value) => write!(f, "write of {value:#x} to {channel}"),
            Operation::Count(channel) => write!(f, "count of {channel}"),
            Operation::Compute => f.write_str("compute"),
            Operation::Command(command) => write!(f, "{command}"),
            Operation::PutQlluc => f.write_str("putqlluc"),
            Operation::Proxy => f.write_str("proxy command"),
            Operation::Register => f.write_str("register access"),
            Operation::Program => f.write_str("program"),
            Operation::Ppe(name) => f.write_str(name),
        }
    }
}
