//! The machine, as the kernel sees it: pages of the process, bytes by effective address, the time base.
//!
//! All of it is big-endian.

use super::errno::Errno;
use cell::door::Supervisor;
pub use cell::page_table::{Access, BadAddress, Mapping, PAGE_BYTES};

/// What privileged software on the PPE has in its hands during a turn.
pub trait Hardware {
    /// Ticks of the time base since the start of the machine.
    fn time_base(&self) -> u64;

    /// Main memory that nobody uses.
    fn free_bytes(&mut self) -> u64;

    /// Reads through the page table, as the process may.
    ///
    /// # Errors
    /// Not all of it can be read.
    fn read(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress>;

    /// Writes through the page table, as the process may.
    ///
    /// # Errors
    /// Not all of it can be written.
    fn write(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress>;

    /// Reads what is mapped, whatever the process may do there.
    ///
    /// # Errors
    /// Not all of it is mapped.
    fn look(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress>;

    /// Writes where something is mapped, whatever the process may do there.
    ///
    /// # Errors
    /// Not all of it is mapped, or main memory is full.
    fn fill(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress>;

    /// Maps whole pages; what lay there before is forgotten.
    fn map(&mut self, ea: u32, bytes: u32, to: Mapping, access: Access);

    /// Takes whole pages away.
    fn unmap(&mut self, ea: u32, bytes: u32);

    /// Lets the process and DMA wait before whole pages until they are mapped anew, or no longer.
    fn set_away(&mut self, ea: u32, bytes: u32, away: bool);

    /// Changes what the process may do with whole pages that are mapped.
    fn protect(&mut self, ea: u32, bytes: u32, access: Access);

    /// Moves whole pages to where nothing is mapped.
    fn move_pages(&mut self, from: u32, to: u32, bytes: u32);

    /// The SPEs, if the machine has any.
    fn spes(&mut self) -> Option<&mut dyn Supervisor>;

    /// Ends the sleep of a hardware thread that has nothing to do.
    fn wake_ppe(&mut self, hardware_thread: usize);
}

impl dyn Hardware + '_ {
    /// A word.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn word(&mut self, ea: u32) -> Result<u32, BadAddress> {
        let mut out = [0; 4];
        self.read(ea, &mut out).map(|()| u32::from_be_bytes(out))
    }

    /// A doubleword.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn doubleword(&mut self, ea: u32) -> Result<u64, BadAddress> {
        let mut out = [0; 8];
        self.read(ea, &mut out).map(|()| u64::from_be_bytes(out))
    }

    /// So many bytes.
    ///
    /// # Errors
    /// As [`Hardware::read`].
    pub fn bytes(&mut self, ea: u32, count: u32) -> Result<Vec<u8>, BadAddress> {
        let mut out = Vec::new();
        // Piece by piece: a program may ask for more than there is.
        for at in (0..count).step_by(1 << 20) {
            let piece = (count - at).min(1 << 20) as usize;
            let filled = out.len();
            out.resize(filled + piece, 0);
            self.read(ea.wrapping_add(at), &mut out[filled..])?;
        }
        Ok(out)
    }

    /// A C string without its end, of at most `limit` bytes.
    ///
    /// # Errors
    /// As [`Hardware::read`]; `ENAMETOOLONG` if it does not end.
    pub fn text(&mut self, ea: u32, limit: u32) -> Result<Vec<u8>, Errno> {
        let mut out = Vec::new();
        while out.len() <= limit as usize {
            let at = ea.wrapping_add(out.len() as u32);
            // Up to the end of its page, behind which there may be nothing.
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

    /// Stores words, one behind the other.
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
