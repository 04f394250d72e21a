//! Storage without pages, for tests and benchmarks. The storage is one range of bytes from a start address.

#![allow(dead_code, reason = "each test binary uses its own part")]

use ppu::{Memory, Stop};

/// A range of bytes that begins at address `start`, for a processor in 64-bit mode (`WIDE`) or in 32-bit mode. Accesses
/// to other addresses fault.
pub struct FlatOf<const WIDE: bool> {
    pub start: u32,
    pub bytes: Vec<u8>,
    pub reserved: Option<u64>,
    pub ticks: u64,
}

/// Storage in 32-bit mode.
pub type Flat = FlatOf<false>;

impl<const WIDE: bool> FlatOf<WIDE> {
    /// Creates storage of `size` zero bytes that begins at address `start`.
    pub fn new(start: u32, size: usize) -> FlatOf<WIDE> {
        FlatOf { start, bytes: vec![0; size], reserved: None, ticks: 0 }
    }

    /// Writes instruction words at `ea`.
    pub fn put_code(&mut self, ea: u32, words: &[u32]) {
        for (index, word) in words.iter().enumerate() {
            self.store(u64::from(ea) + 4 * index as u64, word.to_be_bytes()).expect("inside");
        }
    }

    #[inline(always)]
    fn slot<const N: usize>(&mut self, ea: u64, store: bool) -> Result<&mut [u8; N], Stop> {
        let at = ea.wrapping_sub(self.start.into()) as usize;
        self.bytes.get_mut(at..).and_then(<[u8]>::first_chunk_mut).ok_or(Stop::Fault { ea: ea as u32, store })
    }
}

impl<const WIDE: bool> Memory for FlatOf<WIDE> {
    const WIDE: bool = WIDE;

    #[inline(always)]
    fn load<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop> {
        self.slot(ea, false).copied()
    }

    #[inline(always)]
    fn store<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<(), Stop> {
        *self.slot(ea, true)? = bytes;
        Ok(())
    }

    fn fetch(&mut self, ea: u64) -> Result<u32, Stop> {
        self.load(ea).map(u32::from_be_bytes)
    }

    fn reserve<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop> {
        self.reserved = Some(ea & !127);
        self.load(ea)
    }

    fn store_conditional<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<bool, Stop> {
        let holds = self.reserved.take() == Some(ea & !127);
        if holds {
            self.store(ea, bytes)?;
        }
        Ok(holds)
    }

    fn zero_line(&mut self, ea: u64) -> Result<(), Stop> {
        self.store(ea & !127, [0; 128])
    }

    fn time_base(&mut self, cycles: u64) -> u64 {
        self.ticks + cycles
    }
}
