//! `mfc`: DMA commands of the PPE through the proxy queue.
//!
//! A write to `mfc` enqueues one command. A read of `mfc` waits for tag groups to complete, and returns the completed
//! groups.

use super::context::Context;
use super::state::{Spufs, World};
use crate::errno::Errno;
use crate::memory::context_part::Number;
use crate::vfs::object::Refusal;
use cell::door::Supervisor;
use cell::ea::register;
use cell::units::SpeId;

/// Size of `struct mfc_dma_command`: padding, local-store address, effective address, size, tag, class, command.
const COMMAND_BYTES: usize = 24;
/// Number of proxy-queue tags that a process may use.
const TAGS: u16 = 16;
/// Value of `MFC_CMDStatus` when the queue is full.
const NO_SPACE: u32 = 2;
/// Opcodes of `get` and `put`: plain, with a barrier, and with a fence.
const COMMANDS: [u16; 6] = [0x20, 0x21, 0x22, 0x40, 0x41, 0x42];

/// A DMA command, decoded from the bytes that a process writes.
struct Command {
    lsa: u32,
    ea: u64,
    size: u16,
    tag: u16,
    class: u16,
    opcode: u16,
}

impl Command {
    fn parse(bytes: &[u8; COMMAND_BYTES]) -> Command {
        let half = |at: usize| u16::from_be_bytes([bytes[at], bytes[at + 1]]);
        let word = |at: usize| u32::from(half(at)) << 16 | u32::from(half(at + 2));
        Command {
            lsa: word(4),
            ea: u64::from(word(8)) << 32 | u64::from(word(12)),
            size: half(16),
            tag: half(18),
            class: half(20),
            opcode: half(22),
        }
    }

    /// Whether spufs accepts the command. A command that violates a rule must not reach the MFC.
    fn is_valid(&self) -> bool {
        let size = u32::from(self.size);
        let aligned = match size {
            1 | 2 | 4 | 8 => self.lsa.is_multiple_of(size),
            _ => size <= 0x4000 && size.is_multiple_of(16) && self.lsa.is_multiple_of(16),
        };
        let known = COMMANDS.contains(&self.opcode) && self.tag < TAGS && self.class == 0;
        aligned && known && u64::from(self.lsa % 16) == self.ea % 16
    }
}

/// Enqueues a DMA command, once the context is resident and its queue has room.
///
/// # Errors
/// `EINVAL`: `bytes` does not have the size of a command. `EIO`: the command is invalid. The call may also have to
/// wait.
pub fn write(number: Number, bytes: &[u8], spufs: &mut Spufs, world: &mut World<'_>) -> Result<u32, Refusal> {
    let whole: &[u8; COMMAND_BYTES] = bytes.try_into().map_err(|_| Errno::EINVAL)?;
    let command = Command::parse(whole);
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let spes = world.hardware.spes().ok_or(Errno::EBADF)?;
    if !command.is_valid() {
        return Err(Errno::EIO.into());
    }
    let Some(spe) = context.spe() else { return Err(Refusal::Waits(vec![context.queues.moved])) };
    if !enqueue(&command, spe, spes) {
        return Err(Refusal::Waits(vec![context.queues.mfc]));
    }
    context.tags |= 1 << command.tag;
    Ok(COMMAND_BYTES as u32)
}

/// Writes a command to the proxy queue. Returns whether the queue had room.
fn enqueue(command: &Command, spe: SpeId, spes: &mut dyn Supervisor) -> bool {
    let parameters = [
        (register::MFC_LSA, command.lsa),
        (register::MFC_EAH, (command.ea >> 32) as u32),
        (register::MFC_EAL, command.ea as u32),
        (register::MFC_SIZE_TAG, u32::from(command.size) << 16 | u32::from(command.tag)),
        (register::MFC_CLASS_CMD, u32::from(command.opcode)),
    ];
    let written = parameters.iter().all(|(offset, value)| spes.write_register(spe, *offset, *value).is_ok());
    written && spes.read_register(spe, register::MFC_CLASS_CMD) != Ok(NO_SPACE)
}

/// Completed tag groups that the process has not read yet.
pub fn complete(context: &Context, spes: &mut dyn Supervisor) -> u32 {
    context.spe().map_or(0, |spe| spes.idle_proxy_tags(spe) & context.tags)
}

/// Returns the completed tag groups. Waits until at least one tag group is complete.
///
/// # Errors
/// `EINVAL`: `bytes` is not the size of a tag mask. The call may also have to wait.
pub fn read(number: Number, bytes: u32, spufs: &mut Spufs, world: &mut World<'_>) -> Result<Vec<u8>, Refusal> {
    if bytes != 4 {
        return Err(Errno::EINVAL.into());
    }
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let tags = complete(context, world.hardware.spes().ok_or(Errno::EBADF)?);
    if tags == 0 {
        return Err(Refusal::Waits(vec![context.queues.mfc]));
    }
    context.tags &= !tags;
    Ok(tags.to_be_bytes().to_vec())
}

/// Waits until all tag groups in use are complete. A later read of `mfc` returns these groups.
///
/// # Errors
/// The call has to wait.
pub fn sync(number: Number, spufs: &Spufs, world: &mut World<'_>) -> Result<(), Refusal> {
    let context = spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    let complete = complete(context, world.hardware.spes().ok_or(Errno::EBADF)?);
    if complete == context.tags { Ok(()) } else { Err(Refusal::Waits(vec![context.queues.mfc])) }
}
