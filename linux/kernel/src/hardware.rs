//! The kernel's interface to the machine: pages of the process, bytes at effective addresses, the time base.
//!
//! All numbers are big-endian.

use super::errno::Errno;
use super::width::Width;
use cell::door::Supervisor;
pub use cell::page_table::{Access, BadAddress, Mapping, PAGE_BYTES};

/// Operations of the PPE's privileged software on the machine.
pub trait Hardware {
    /// Width of the process.
    fn width(&self) -> Width {
        Width::Narrow
    }

    /// The address of the process whose right half is `low`. The kernel works with right halves.
    fn effective(&self, low: u32) -> u64 {
        low.into()
    }

    /// Ticks of the time base since the start of the machine.
    fn time_base(&self) -> u64;

    /// Free main memory.
    fn free_bytes(&mut self) -> u64;

    /// Reads memory with the permissions of the process.
    ///
    /// # Errors
    /// Part of the range cannot be read.
    fn read(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress>;

    /// Writes memory with the permissions of the process.
    ///
    /// # Errors
    /// Part of the range cannot be written.
    fn write(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress>;

    /// Reads mapped bytes without regard to permissions.
    ///
    /// # Errors
    /// Part of the range is unmapped.
    fn look(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress>;

    /// Writes mapped bytes without regard to permissions.
    ///
    /// # Errors
    /// Part of the range is unmapped, or main memory is full.
    fn fill(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress>;

    /// Maps whole pages, replacing earlier mappings of the range.
    fn map(&mut self, ea: u32, bytes: u32, to: Mapping, access: Access);

    /// Allocates frames of zeros for shared memory, or none if main memory has too few.
    fn take_frames(&mut self, bytes: u32) -> Option<Vec<u32>>;

    /// Maps whole pages to the frames of shared memory, replacing earlier mappings of the range.
    fn map_frames(&mut self, ea: u32, frames: &[u32], huge: bool, access: Access);

    /// Frees the frames of shared memory, as soon as no page is mapped to them.
    fn drop_frames(&mut self, frames: &[u32]);

    /// Unmaps whole pages.
    fn unmap(&mut self, ea: u32, bytes: u32);

    /// Blocks or unblocks access to whole pages, both by the process and by DMA.
    fn set_away(&mut self, ea: u32, bytes: u32, away: bool);

    /// Changes the permissions of whole pages.
    fn protect(&mut self, ea: u32, bytes: u32, access: Access);

    /// Moves whole pages to an unmapped range.
    fn move_pages(&mut self, from: u32, to: u32, bytes: u32);

    /// The SPEs, or `None` if the machine has no SPEs.
    fn spes(&mut self) -> Option<&mut dyn Supervisor>;

    /// Wakes an idle hardware thread.
    fn wake_ppe(&mut self, hardware_thread: usize);
}

impl dyn Hardware + '_ {
    /// Reads a word.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn word(&mut self, ea: u32) -> Result<u32, BadAddress> {
        let mut out = [0; 4];
        self.read(ea, &mut out).map(|()| u32::from_be_bytes(out))
    }

    /// Reads a doubleword.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn doubleword(&mut self, ea: u32) -> Result<u64, BadAddress> {
        let mut out = [0; 8];
        self.read(ea, &mut out).map(|()| u64::from_be_bytes(out))
    }

    /// Reads a `long` or a pointer, which has the width of the process.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn long(&mut self, ea: u32) -> Result<u64, BadAddress> {
        match self.width() {
            Width::Narrow => self.word(ea).map(u64::from),
            Width::Wide => self.doubleword(ea),
        }
    }

    /// Reads a number of the process's width, as [`dyn Hardware::narrow`] shortens it.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn short(&mut self, ea: u32) -> Result<u32, BadAddress> {
        self.long(ea).map(|number| self.narrow(number))
    }

    /// Shortens a number to 32 bits: an address to its right half, and a signed or unsigned number to its right half if
    /// it has no more bits. Any other number becomes the largest one, which is neither an address nor a size.
    ///
    /// MODEL: a 64-bit process may pass the right half of an address instead of the address.
    pub fn narrow(&self, number: u64) -> u32 {
        let low = number as u32;
        let is_short = number >> 32 == 0 || number as i64 == i64::from(low as i32);
        if is_short || self.effective(low) == number { low } else { u32::MAX }
    }

    /// Stores numbers of the process's width.
    ///
    /// # Errors
    /// As [`Hardware::write`].
    pub fn put_longs(&mut self, ea: u32, numbers: &[u64]) -> Result<(), BadAddress> {
        let width = self.width();
        self.write(ea, &numbers.iter().flat_map(|number| width.encode(*number)).collect::<Vec<u8>>())
    }

    /// Reads `count` bytes.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn bytes(&mut self, ea: u32, count: u32) -> Result<Vec<u8>, BadAddress> {
        let mut out = Vec::new();
        // Allocates in steps, because a program may request more bytes than are mapped.
        for at in (0..count).step_by(1 << 20) {
            let piece = (count - at).min(1 << 20) as usize;
            let filled = out.len();
            out.resize(filled + piece, 0);
            self.read(ea.wrapping_add(at), &mut out[filled..])?;
        }
        Ok(out)
    }

    /// Reads a C string of at most `limit` bytes, without its NUL.
    ///
    /// # Errors
    /// As [`Hardware::read`]; `ENAMETOOLONG` if the string is longer.
    pub fn text(&mut self, ea: u32, limit: u32) -> Result<Vec<u8>, Errno> {
        let mut out = Vec::new();
        while out.len() <= limit as usize {
            let at = ea.wrapping_add(out.len() as u32);
            // Stops at the end of each page, because the next page may be unmapped.
            let piece = (64 - at % 64) as usize;
            let mut part = [0; 64];
            self.read(at, &mut part[..piece])?;
            match part[..piece].iter().position(|byte| *byte == 0) {
                Some(end) => {
                    out.extend(&part[..end]);
                    return Ok(out);
                }
                None => out.extend(&part[..piece]),
            }
        }
        Err(Errno::ENAMETOOLONG)
    }

    /// Stores a word.
    ///
    /// # Errors
    /// As [`Hardware::write`].
    pub fn put_word(&mut self, ea: u32, value: u32) -> Result<(), BadAddress> {
        self.write(ea, &value.to_be_bytes())
    }

    /// Stores consecutive words.
    ///
    /// # Errors
    /// As [`Hardware::write`].
    pub fn put_words(&mut self, ea: u32, words: &[u32]) -> Result<(), BadAddress> {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        self.write(ea, &bytes)
    }

    /// Stores a doubleword.
    ///
    /// # Errors
    /// As [`Hardware::write`].
    pub fn put_doubleword(&mut self, ea: u32, value: u64) -> Result<(), BadAddress> {
        self.write(ea, &value.to_be_bytes())
    }
}

impl From<BadAddress> for Errno {
    fn from(_: BadAddress) -> Errno {
        Errno::EFAULT
    }
}
