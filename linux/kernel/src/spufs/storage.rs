//! Files with the local store, the registers, and attributes of a context.

use super::context::{Context, Residency};
use super::maps;
use super::state::{Spufs, World};
use super::text::text_of;
use crate::errno::Errno;
use crate::memory::context_part::Number;
use crate::wait::Nanos;
use cell::door::Supervisor;
use spu::float::Fpscr;
use spu::registers::Quadword;

/// Files with binary contents, accessed at an offset.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Storage {
    /// The local store.
    Memory,
    /// 128 registers of 16 bytes.
    Registers,
    /// The floating-point status and control register.
    FloatingPointStatus,
    /// `struct spu_dma_info`, which contains the tag status and the commands of the SPU queue.
    DmaInfo,
    /// `struct spu_proxydma_info`, which contains the tag status and the commands of the proxy queue.
    ProxyDmaInfo,
}

/// Files with one number in text form.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
#[allow(missing_docs)]
pub enum Attribute {
    NextInstruction,
    Decrementer,
    DecrementerStatus,
    EventMask,
    EventStatus,
    Srr0,
    LocalStoreLimit,
    ObjectId,
    PhysicalId,
    Thread,
    Capabilities,
    Statistics,
}

const REGISTERS: u8 = 128;

/// Contents of a binary file.
///
/// MODEL: `dma_info` and `proxydma_info` contain no commands, as if the context's queues had drained.
pub fn contents(part: Storage, context: &Context, spes: &mut dyn Supervisor) -> Option<Vec<u8>> {
    Some(match part {
        Storage::Memory => {
            let store = context.local_store(spes)?;
            store.bytes(0, store.size_bytes() as usize)
        }
        Storage::Registers => {
            let runner = context.runner.borrow();
            (0..REGISTERS).flat_map(|n| runner.spu().registers().get(n).bits().to_be_bytes()).collect()
        }
        Storage::FloatingPointStatus => context.runner.borrow().spu().fpscr().read().to_be_bytes().to_vec(),
        Storage::DmaInfo => {
            let channels = context.channels(spes)?;
            let status = [0, channels.tag_mask, channels.tag_status.unwrap_or(0), channels.list_stall];
            let atomic = channels.atomic_status.unwrap_or(0);
            let mut info: Vec<u8> = status.iter().flat_map(|word| u64::from(*word).to_be_bytes()).collect();
            info.extend(u64::from(atomic).to_be_bytes());
            info.resize(552, 0);
            info
        }
        Storage::ProxyDmaInfo => {
            let mut info = vec![0; 8];
            info.extend(u64::from(context.tags).to_be_bytes());
            info.extend(u64::from(context.spe().map_or(0, |spe| spes.idle_proxy_tags(spe))).to_be_bytes());
            info.resize(280, 0);
            info
        }
    })
}

/// Writes bytes at an offset. Returns the number of bytes written.
///
/// # Errors
/// `EFBIG`: the offset is past the end. `EINVAL`: the file cannot be written.
pub fn write(
    part: Storage,
    number: Number,
    (offset, bytes): (u64, &[u8]),
    spufs: &mut Spufs,
    world: &mut World<'_>,
) -> Result<u32, Errno> {
    let size = match part {
        Storage::Memory => u64::from(world.hardware.spes().ok_or(Errno::EBADF)?.machine().mfc.local_store_bytes),
        Storage::Registers => u64::from(REGISTERS) * 16,
        Storage::FloatingPointStatus => 16,
        Storage::DmaInfo | Storage::ProxyDmaInfo => return Err(Errno::EINVAL),
    };
    if offset >= size {
        return Err(Errno::EFBIG);
    }
    let bytes = &bytes[..bytes.len().min((size - offset) as usize)];
    if part == Storage::Memory {
        write_memory(number, offset, bytes, spufs, world)?;
        return Ok(bytes.len() as u32);
    }
    let context = spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    let spes = world.hardware.spes().ok_or(Errno::EBADF)?;
    let mut whole = contents(part, context, spes).ok_or(Errno::EBADF)?;
    whole[offset as usize..][..bytes.len()].copy_from_slice(bytes);
    let mut runner = context.runner.borrow_mut();
    let spu = runner.spu_mut();
    for (n, value) in (0..).zip(whole.chunks_exact(16)) {
        let bits = u128::from_be_bytes(value.try_into().unwrap_or_default());
        match part {
            Storage::Registers => spu.registers_mut().set(n, Quadword::from_bits(bits)),
            _ => *spu.fpscr_mut() = Fpscr::write(bits),
        }
    }
    Ok(bytes.len() as u32)
}

fn write_memory(
    number: Number,
    offset: u64,
    bytes: &[u8],
    spufs: &mut Spufs,
    world: &mut World<'_>,
) -> Result<(), Errno> {
    maps::copy_back(number, spufs, world);
    let context = spufs.contexts.get(&number).ok_or(Errno::EBADF)?;
    if let Some(store) = context.local_store(world.hardware.spes().ok_or(Errno::EBADF)?) {
        store.write(offset, bytes);
    }
    if let Residency::Saved(_) = context.residency {
        maps::write_copies(number, offset, bytes, world);
    }
    Ok(())
}

/// Text of an attribute.
pub fn attribute(attribute: Attribute, context: &Context, now: Nanos, spes: &mut dyn Supervisor) -> Option<Vec<u8>> {
    let limit = spes.machine().mfc.local_store_bytes - 1;
    let ticks = ticks(now, spes);
    let channels = context.channels(spes)?;
    let value = match attribute {
        Attribute::NextInstruction => u64::from(context.npc),
        Attribute::Decrementer => u64::from(channels.decrementer.read(ticks)),
        Attribute::DecrementerStatus => u64::from(channels.decrementer.is_running()),
        Attribute::EventMask => u64::from(channels.events.mask()),
        Attribute::EventStatus => u64::from(if channels.events.count() { channels.events.pending() } else { 0 }),
        Attribute::Srr0 => u64::from(context.runner.borrow().spu().srr0()),
        Attribute::LocalStoreLimit => u64::from(limit),
        Attribute::ObjectId => context.object_id,
        Attribute::PhysicalId => context.residency.spe().map_or(0xffff_ffff, |spe| u64::from(spe.0)),
        Attribute::Thread => return Some(text_of(context.run_by.map_or(0, |tid| tid.0).to_string())),
        Attribute::Capabilities => return Some(text_of("sched".to_string())),
        Attribute::Statistics => return Some(text_of(statistics(context, now))),
    };
    Some(text_of(format!("{value:#x}")))
}

/// Text of the file `stat`: state, times in milliseconds, and counts.
fn statistics(context: &Context, now: Nanos) -> String {
    let state = match (context.run_by, context.spe()) {
        (Some(_), Some(_)) => "user",
        (Some(_), None) => "iowait",
        (None, Some(_)) => "loaded",
        (None, None) => "idle",
    };
    let running = if state == "user" { now.saturating_sub(context.started_at) } else { 0 };
    let milliseconds = |ns: Nanos| ns / 1_000_000;
    let account = &context.account;
    format!(
        "{state} {} 0 {} 0 {} {} 0 0 0 0 0 0",
        milliseconds(account.running_ns + running),
        milliseconds(account.waiting_ns),
        account.preemptions,
        account.preemptions,
    )
}

/// Sets an attribute.
///
/// # Errors
/// `EACCES`: the attribute cannot be set.
pub fn set(
    attribute: Attribute,
    number: Number,
    value: u64,
    spufs: &mut Spufs,
    world: &mut World<'_>,
) -> Result<(), Errno> {
    let context = spufs.contexts.get_mut(&number).ok_or(Errno::EBADF)?;
    let spes = world.hardware.spes().ok_or(Errno::EBADF)?;
    let ticks = ticks(world.now, spes);
    match attribute {
        Attribute::NextInstruction => context.npc = value as u32,
        Attribute::ObjectId => context.object_id = value,
        Attribute::Srr0 => context.runner.borrow_mut().spu_mut().set_srr0(value as u32),
        _ => {
            let channels = context.channels(spes).ok_or(Errno::EBADF)?;
            match attribute {
                Attribute::Decrementer => channels.decrementer.write(value as u32, ticks),
                Attribute::EventMask => channels.events.set_mask(value as u32),
                Attribute::DecrementerStatus => (),
                _ => return Err(Errno::EACCES),
            }
        }
    }
    Ok(())
}

/// Converts a simulated time to a time-base value.
fn ticks(now: Nanos, spes: &dyn Supervisor) -> u64 {
    (u128::from(now) * u128::from(spes.machine().chip.timebase_hz) / 1_000_000_000) as u64
}
