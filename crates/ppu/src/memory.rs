//! The storage interface that instructions use.

/// The storage of one hardware thread, addressed by effective address.
///
/// An access that cannot complete now has no effect and ends the turn with a [`Stop`]. The instruction is executed
/// again later, from its beginning.
pub trait Memory {
    /// Whether the processor is in 64-bit mode. If not, the left halves of all effective addresses are 0.
    const WIDE: bool = false;

    /// Loads `N` bytes: 1, 2, 4, 8 or 16.
    ///
    /// # Errors
    /// See [`Stop`].
    fn load<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop>;

    /// Stores `N` bytes: 1, 2, 4, 8 or 16.
    ///
    /// # Errors
    /// See [`Stop`].
    fn store<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<(), Stop>;

    /// Loads `N` bytes if that takes little work. Otherwise, returns `None` without any effect, and the caller must use
    /// [`Memory::load`].
    #[inline(always)]
    fn load_at_once<const N: usize>(&mut self, ea: u64) -> Option<[u8; N]> {
        self.load(ea).ok()
    }

    /// Stores `N` bytes if that takes little work. Otherwise, returns false without any effect, and the caller must use
    /// [`Memory::store`].
    #[inline(always)]
    fn store_at_once<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> bool {
        self.store(ea, bytes).is_ok()
    }

    /// Fetches an instruction word.
    ///
    /// # Errors
    /// See [`Stop`].
    fn fetch(&mut self, ea: u64) -> Result<u32, Stop>;

    /// Checks that code may be at address `pc`. Returns the right half of `pc`, by which its decoded instructions are
    /// found.
    ///
    /// # Errors
    /// No storage is near that address.
    #[inline(always)]
    fn code_address(&mut self, pc: u64) -> Result<u32, Stop> {
        Ok(pc as u32)
    }

    /// Instructions of another block of 4 KB are about to be executed; `ea` is the address of the first one.
    fn enters(&mut self, _ea: u64) {}

    /// Fetches the line of an instruction into the instruction cache.
    ///
    /// # Errors
    /// See [`Stop`].
    fn fetch_line(&mut self, _ea: u64) -> Result<(), Stop> {
        Ok(())
    }

    /// `lwarx` and `ldarx`: loads `N` bytes, 4 or 8, and reserves their cache line.
    ///
    /// # Errors
    /// See [`Stop`].
    fn reserve<const N: usize>(&mut self, ea: u64) -> Result<[u8; N], Stop>;

    /// `stwcx.` and `stdcx.`: stores `N` bytes if the reservation still holds, and clears the reservation. Returns
    /// whether the bytes were stored.
    ///
    /// # Errors
    /// See [`Stop`].
    fn store_conditional<const N: usize>(&mut self, ea: u64, bytes: [u8; N]) -> Result<bool, Stop>;

    /// `dcbz`: sets the whole cache line of `ea` to zero.
    ///
    /// # Errors
    /// See [`Stop`].
    fn zero_line(&mut self, ea: u64) -> Result<(), Stop>;

    /// `dcbt` and `dcbtst` of a cache line. `store` is true for `dcbtst`. A hint has no effect on what the program
    /// computes, and may be ignored.
    ///
    /// # Errors
    /// See [`Stop`].
    fn touch(&mut self, _ea: u64, _store: bool) -> Result<(), Stop> {
        Ok(())
    }

    /// `dcbt` that describes a stream by its address, its number and whether it starts at once.
    ///
    /// # Errors
    /// See [`Stop`].
    fn describe_stream(&mut self, _ea: u64) -> Result<(), Stop> {
        Ok(())
    }

    /// `dcbt` that starts or stops streams.
    ///
    /// # Errors
    /// See [`Stop`].
    fn control_streams(&mut self, _ea: u64) -> Result<(), Stop> {
        Ok(())
    }

    /// `sync`: waits until all earlier accesses are visible to all processors and devices.
    ///
    /// # Errors
    /// See [`Stop`].
    fn sync(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    /// The value of the time base at `cycles` processor cycles after the beginning of this turn, in ticks.
    fn time_base(&mut self, cycles: u64) -> u64;
}

/// The reason why an access cannot complete.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// The address is not mapped, or its page does not permit the access.
    Fault {
        /// The right half of the effective address.
        ea: u32,
        /// Whether the access was a store.
        store: bool,
    },
    /// The access needs a bus transfer first. The storage has recorded the transfer.
    Wait,
    /// The architecture requires alignment, and the address is unaligned.
    Alignment {
        /// The right half of the effective address.
        ea: u32,
    },
}
