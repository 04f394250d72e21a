//! Storage, as instructions see it.

/// Storage of one hardware thread, by effective address.
///
/// An access that cannot be done now leaves no trace and ends the turn with a [`Stop`]; the instruction
/// is executed again later, from its beginning.
pub trait Memory {
    /// `N` bytes, 1, 2, 4, 8 or 16 of them.
    ///
    /// # Errors
    /// See [`Stop`].
    fn load<const N: usize>(&mut self, ea: u32) -> Result<[u8; N], Stop>;

    /// Stores `N` bytes, 1, 2, 4, 8 or 16 of them.
    ///
    /// # Errors
    /// See [`Stop`].
    fn store<const N: usize>(&mut self, ea: u32, bytes: [u8; N]) -> Result<(), Stop>;

    /// An instruction word.
    ///
    /// # Errors
    /// See [`Stop`].
    fn fetch(&mut self, ea: u32) -> Result<u32, Stop>;

    /// `lwarx` and `ldarx`: loads `N` bytes, 4 or 8, and reserves their line.
    ///
    /// # Errors
    /// See [`Stop`].
    fn reserve<const N: usize>(&mut self, ea: u32) -> Result<[u8; N], Stop>;

    /// `stwcx.` and `stdcx.`: stores `N` bytes if the reservation still holds, and gives it up; whether they were stored.
    ///
    /// # Errors
    /// See [`Stop`].
    fn store_conditional<const N: usize>(&mut self, ea: u32, bytes: [u8; N]) -> Result<bool, Stop>;

    /// `dcbz`: zeros in the whole line of `ea`.
    ///
    /// # Errors
    /// See [`Stop`].
    fn zero_line(&mut self, ea: u32) -> Result<(), Stop>;

    /// `sync`: what was done before is done for everybody.
    ///
    /// # Errors
    /// See [`Stop`].
    fn sync(&mut self) -> Result<(), Stop> {
        Ok(())
    }

    /// The time base, in ticks, so many processor cycles after this turn began.
    fn time_base(&mut self, cycles: u64) -> u64;
}

/// Why an access is not done.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Stop {
    /// No page lies there, or it does not permit this.
    Fault {
        /// Effective address.
        ea: u32,
        /// Whether it was a store.
        store: bool,
    },
    /// Something has to travel over the bus first; the storage knows what.
    Wait,
    /// The architecture wants it aligned.
    Alignment {
        /// Effective address.
        ea: u32,
    },
}
