//! Time: clocks, timers, and the formats in which programs write times.

pub mod clock_id;
pub mod expiry;
pub mod timers;

use super::clock::START_SECONDS;
use super::errno::Errno;
use super::hardware::Hardware;
use super::wait::Nanos;
pub use super::width::Width;

/// Nanoseconds in a second.
pub const SECOND: Nanos = 1_000_000_000;

/// Reads a `timespec`.
///
/// # Errors
/// `EFAULT`. `EINVAL`: the time is negative, or the nanoseconds are out of range.
pub fn read_timespec(hardware: &mut dyn Hardware, at: u32, width: Width) -> Result<Nanos, Errno> {
    let fraction = read_number(hardware, at.wrapping_add(width.bytes()), width)?;
    // A wide `timespec` has 32 bits of nanoseconds and 32 bits of padding.
    let fraction = if width == Width::Wide { fraction as u32 } else { u32::try_from(fraction).unwrap_or(u32::MAX) };
    whole(read_number(hardware, at, width)?, fraction.into(), SECOND)
}

/// Reads a `timeval`, which has the width of the process.
///
/// # Errors
/// As [`read_timespec`].
pub fn read_timeval(hardware: &mut dyn Hardware, at: u32) -> Result<Nanos, Errno> {
    let width = hardware.width();
    let micros = read_number(hardware, at.wrapping_add(width.bytes()), width)?;
    let micros = u64::try_from(micros).map_err(|_| Errno::EINVAL)?;
    whole(read_number(hardware, at, width)?, micros.saturating_mul(1000), SECOND)
}

fn whole(seconds: i64, fraction: u64, limit: u64) -> Result<Nanos, Errno> {
    let seconds = u64::try_from(seconds).map_err(|_| Errno::EINVAL)?;
    if fraction >= limit {
        return Err(Errno::EINVAL);
    }
    Ok(seconds.saturating_mul(SECOND).saturating_add(fraction))
}

fn read_number(hardware: &mut dyn Hardware, at: u32, width: Width) -> Result<i64, Errno> {
    Ok(match width {
        Width::Narrow => i64::from(hardware.word(at)? as i32),
        Width::Wide => hardware.doubleword(at)? as i64,
    })
}

/// Writes a `timespec`.
///
/// # Errors
/// `EFAULT`
pub fn write_timespec(hardware: &mut dyn Hardware, at: u32, width: Width, time: Nanos) -> Result<(), Errno> {
    write_pair(hardware, at, width, [time / SECOND, time % SECOND])
}

/// Writes a `timeval`.
///
/// # Errors
/// `EFAULT`
pub fn write_timeval(hardware: &mut dyn Hardware, at: u32, time: Nanos) -> Result<(), Errno> {
    let width = hardware.width();
    write_pair(hardware, at, width, [time / SECOND, time % SECOND / 1000])
}

fn write_pair(hardware: &mut dyn Hardware, at: u32, width: Width, pair: [u64; 2]) -> Result<(), Errno> {
    for (at, number) in [at, at.wrapping_add(width.bytes())].into_iter().zip(pair) {
        match width {
            Width::Narrow => hardware.put_word(at, number as u32)?,
            Width::Wide => hardware.put_doubleword(at, number)?,
        }
    }
    Ok(())
}

/// Converts a calendar time to a time since the start. If `of_day` is false, `time` is already a time since the start.
pub fn absolute(time: Nanos, of_day: bool) -> Nanos {
    if of_day { time.saturating_sub(START_SECONDS * SECOND) } else { time }
}
