//! What programs of SPEs and the PPE, and their DMA, do that they must not: data from where it happens, words where it
//! is shown.

use crate::channel::Channel;
use crate::command::{Command, DmaFault};
use std::fmt;

/// The rule that was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Fault {
    /// By a command as it was given.
    Given(Command, DmaFault),
    /// By a command at work.
    Dma(DmaFault),
    /// By a channel operation.
    Channel(ChannelFault),
    /// By a read of a problem-state register that cannot be read, at this offset.
    Unreadable(u32),
    /// By a write to one that cannot be written.
    Unwritable(u32),
    /// By a program, in its own words; or by the PPE's.
    Program(String),
}

/// What is wrong with a channel operation.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum ChannelFault {
    /// There is no such channel.
    Reserved(Channel),
    /// It was written.
    ReadOnly,
    /// It was read.
    WriteOnly,
    /// An event is waited for, and none is enabled.
    NoEventEnabled,
    /// Tag status is waited for, and none was asked for.
    NoTagStatusAsked,
    /// A list stall is waited for, and there is no list.
    NoList,
    /// Atomic status is waited for, and there is no command.
    NoAtomicCommand,
    /// A stall of a tag above 31 is acknowledged.
    Tag(u32),
    /// There is no such way of asking for tag status.
    TagUpdate(u32),
}

/// What was done as the rule was broken.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Operation {
    /// A channel was read.
    Read(Channel),
    /// A channel was written.
    Write(Channel, u32),
    /// The count of a channel was read.
    Count(Channel),
    /// A program computed.
    Compute,
    /// A command's turn in its queue had come.
    Command(Command),
    /// A queued lock-line command's turn had come.
    PutQlluc,
    /// A command was given through the proxy registers.
    Proxy,
    /// A problem-state register was accessed.
    Register,
    /// A program's turn.
    Program,
    /// Something of the PPE's, by its name.
    Ppe(&'static str),
}

impl Fault {
    /// What is wrong with an MFC command, if that is it.
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
