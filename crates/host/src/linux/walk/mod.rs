//! Walks over memory in assembly. A compiler would remove plain loops, merge their accesses, or replace the loops with
//! a library call.
//!
//! A walk loads, stores or copies consecutive elements of one size. Each element takes one instruction, or two
//! instructions if the processor has no instruction of that width. An ordinary store first reads the line that it
//! changes (write-allocate); a non-temporal store does not read the line, and leaves nothing in the caches.

mod kind;
#[cfg(target_arch = "aarch64")]
#[path = "aarch64.rs"]
mod machine;
#[cfg(target_arch = "x86_64")]
#[path = "x86_64.rs"]
mod machine;

use crate::error::{Error, usage};

#[cfg(test)]
pub use kind::STORED;
pub use kind::{Kind, STEP_BYTES, Walk};
pub use machine::{chase, fence, flush};

/// Unit of non-temporal block copies, in bytes: the amount that x86-64 writes to memory at once.
const LINE_BYTES: u64 = 64;

/// Returns a walk over elements of a size and a description of its instructions, or an error if this processor has no
/// such instructions.
pub fn walk(kind: Kind, element_bytes: u64, non_temporal: bool) -> Result<(Walk, &'static str), Error> {
    if !matches!(element_bytes, 1 | 2 | 4 | 8 | 16 | 32 | 64) {
        return usage(format!("elements of {element_bytes} bytes: give 1, 2, 4, 8, 16, 32 or 64"));
    }
    let find = |bytes| match non_temporal {
        true => machine::non_temporal(kind, bytes),
        false => machine::ordinary(kind, bytes),
    };
    if let Some(found) = find(element_bytes) {
        return Ok(found);
    }
    let known = [1, 2, 4, 8, 16, 32, 64].into_iter().filter(|bytes| find(*bytes).is_some());
    let known = known.map(|bytes: u64| bytes.to_string()).collect::<Vec<_>>().join(", ");
    if known.is_empty() {
        return usage("a load is never non-temporal: leave --non-temporal out");
    }
    let how = if non_temporal { "non-temporal " } else { "" };
    usage(format!("this processor has no {how}accesses of {element_bytes} bytes; give {known}"))
}

/// Number of loads in a round of [`chase`].
pub const LOADS_PER_ROUND: u64 = 16;

/// Returns a walk that reads several elements for each element that it writes, and a description of its instructions.
pub fn mixture(reads: u64, element_bytes: u64, non_temporal: bool) -> Result<(Walk, &'static str), Error> {
    if element_bytes != 16 {
        return usage(format!("elements of {element_bytes} bytes: a mixture has elements of 16 bytes"));
    }
    let how = if non_temporal { "by vector loads and non-temporal stores" } else { "by vector loads and stores" };
    let walk: Walk = match (reads, non_temporal) {
        (2, false) => machine::mix_2,
        (3, false) => machine::mix_3,
        (2, true) => machine::mix_stream_2,
        (3, true) => machine::mix_stream_3,
        _ => return usage(format!("{reads} reads for a write: give 1, 2 or 3")),
    };
    Ok((walk, how))
}

/// Copies blocks of any size with the widest elements that the processor supports.
#[derive(Clone, Copy)]
pub struct Copier {
    wide: Walk,
    /// Step of `wide`.
    wide_bytes: usize,
    non_temporal: bool,
}

impl Copier {
    /// A copier for blocks of this size, with ordinary or non-temporal stores.
    pub fn new(block_bytes: u64, non_temporal: bool) -> Result<Copier, Error> {
        if non_temporal && !block_bytes.is_multiple_of(LINE_BYTES) {
            return usage(format!(
                "{block_bytes} bytes: non-temporal copies go by {LINE_BYTES} bytes, give a multiple"
            ));
        }
        let widest = [64, 32, 16].into_iter().find_map(|bytes| match non_temporal {
            true => machine::line_copy(bytes).map(|walk| (walk, LINE_BYTES)),
            false => machine::ordinary(Kind::Copy, bytes).map(|(walk, _)| (walk, 8 * bytes)),
        });
        let (wide, step) = widest.expect("16 bytes, or 32 by a pair, are always there");
        Ok(Copier { wide, wide_bytes: step as usize, non_temporal })
    }

    /// A description of the copier's stores.
    pub fn words(&self) -> &'static str {
        if self.non_temporal { "non-temporal stores" } else { "ordinary stores" }
    }

    /// Copies a block. A non-temporal copy needs a destination address that is a multiple of 64.
    ///
    /// # Safety
    ///
    /// The conditions of [`Walk`] apply, except that `bytes` may be any number.
    pub unsafe fn copy(&self, from: *const u8, to: *mut u8, bytes: usize) {
        let wide = bytes / self.wide_bytes * self.wide_bytes;
        let narrow = (bytes - wide) / 16 * 16;
        let (rest, at) = (bytes - wide - narrow, wide + narrow);
        // SAFETY: the three parts together make up the block, and empty parts are skipped.
        unsafe {
            if wide > 0 {
                (self.wide)(from, to, wide, 1);
            }
            if narrow > 0 {
                machine::copy_16_single(from.wrapping_add(wide), to.wrapping_add(wide), narrow, 1);
            }
            if rest > 0 {
                machine::copy_1_single(from.wrapping_add(at), to.wrapping_add(at), rest, 1);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn bytes(count: usize) -> Vec<u8> {
        (0..count).map(|i| (i * 7 + i / 256) as u8).collect()
    }

    /// The first 64-byte-aligned address in a buffer, for non-temporal stores.
    fn aligned(buffer: &mut [u8]) -> *mut u8 {
        let start = buffer.as_mut_ptr();
        start.wrapping_add(start.align_offset(64))
    }

    #[test]
    fn every_walk_does_to_every_byte_what_it_says() {
        for element_bytes in [1, 2, 4, 8, 16, 32, 64] {
            for non_temporal in [false, true] {
                let mut source = bytes(4 * STEP_BYTES + 64);
                let mut target = vec![0; 4 * STEP_BYTES + 64];
                let (from, to) = (aligned(&mut source), aligned(&mut target));
                let length = 3 * STEP_BYTES;
                let pair = |at: usize| {
                    // SAFETY: the addresses are within both buffers, which only this function uses.
                    unsafe { (from.add(at).read_volatile(), to.add(at).read_volatile()) }
                };
                if let Ok((copy, _)) = walk(Kind::Copy, element_bytes, non_temporal) {
                    // SAFETY: both buffers have at least `length` bytes.
                    unsafe { copy(from, to, length, 2) };
                    assert!((0..length).all(|at| pair(at).0 == pair(at).1), "copy by {element_bytes}");
                }
                if let Ok((store, _)) = walk(Kind::Store, element_bytes, non_temporal) {
                    // SAFETY: as above.
                    unsafe { store(from, to, length, 2) };
                    assert!((0..length).all(|at| pair(at).1 == STORED), "store by {element_bytes}");
                }
                if let Ok((load, _)) = walk(Kind::Load, element_bytes, non_temporal) {
                    // SAFETY: as above.
                    unsafe { load(from, to, length, 2) };
                }
                assert_eq!(pair(length).1, 0, "nothing beyond the end");
            }
        }
    }

    #[test]
    fn a_mixture_copies_one_of_the_elements_that_it_reads() {
        for (reads, non_temporal) in [(2, false), (3, false), (2, true), (3, true)] {
            let (walk, _) = mixture(reads, 16, non_temporal).unwrap();
            let mut source = bytes(reads as usize * STEP_BYTES + 64);
            let mut target = vec![0; STEP_BYTES + 128];
            let (from, to) = (aligned(&mut source), aligned(&mut target));
            // SAFETY: the target has a step of bytes, and the source has `reads` times as many.
            unsafe { walk(from, to, STEP_BYTES, 1) };
            for at in 0..STEP_BYTES {
                let read = at / 16 * 16 * reads as usize + at % 16;
                // SAFETY: the addresses are within both buffers, which only this function uses.
                assert_eq!(unsafe { to.add(at).read() }, unsafe { from.add(read).read() }, "{reads}: {at}");
            }
            // SAFETY: at least 64 more bytes follow in the buffer.
            assert_eq!(unsafe { to.add(STEP_BYTES).read() }, 0, "nothing beyond the end");
        }
        assert!(mixture(4, 16, false).is_err() && mixture(2, 8, false).is_err());
    }

    #[test]
    fn a_chase_goes_where_each_load_says() {
        let mut ring: Vec<usize> = vec![0; 64];
        let start = ring.as_mut_ptr();
        for (from, to) in (0..64).map(|nth| (nth, (nth + 5) % 64)) {
            ring[from] = start.wrapping_add(to) as usize;
        }
        for rounds in [1, 3] {
            // SAFETY: every word holds the address of another word of the vector, which lives until the end.
            let last = unsafe { chase(start.cast(), rounds) };
            let expected = rounds as usize * LOADS_PER_ROUND as usize * 5 % 64;
            assert_eq!(last, start.wrapping_add(expected).cast_const().cast());
        }
    }

    #[test]
    fn what_the_processor_always_has_is_there() {
        for kind in [Kind::Load, Kind::Store, Kind::Copy] {
            for element_bytes in [1, 2, 4, 8, 16] {
                walk(kind, element_bytes, false).unwrap();
            }
        }
        for kind in [Kind::Store, Kind::Copy] {
            walk(kind, 16, true).unwrap();
        }
    }

    #[test]
    fn what_it_has_not_is_refused_in_one_line() {
        for (kind, element_bytes, non_temporal, said) in [
            (Kind::Load, 3, false, "elements of 3 bytes: give 1, 2"),
            (Kind::Store, 1, true, "no non-temporal accesses of 1 bytes; give"),
            (Kind::Load, 16, true, "leave --non-temporal out"),
        ] {
            let line = walk(kind, element_bytes, non_temporal).map(|_| ()).unwrap_err().to_string();
            assert!(line.contains(said), "{line}");
        }
    }

    #[test]
    fn blocks_of_any_size_are_copied_whole_and_no_further() {
        for non_temporal in [false, true] {
            for size in [1, 2, 15, 16, 17, 64, 127, 128, 512, 1000, 4096, 4097] {
                let Ok(copier) = Copier::new(size as u64, non_temporal) else {
                    assert!(non_temporal && size % 64 != 0);
                    continue;
                };
                let (mut source, mut target) = (bytes(size + 128), vec![0; size + 128]);
                let (from, to) = (aligned(&mut source), aligned(&mut target));
                // SAFETY: both buffers have `size + 128` bytes, and both addresses are at most 63 bytes from the start.
                unsafe { copier.copy(from, to, size) };
                for at in 0..size {
                    // SAFETY: as above.
                    assert_eq!(unsafe { to.add(at).read() }, unsafe { from.add(at).read() }, "{size}: {at}");
                }
                // SAFETY: at least 64 more bytes follow in the buffer.
                assert_eq!(unsafe { to.add(size).read() }, 0, "{size}");
            }
        }
    }
}
