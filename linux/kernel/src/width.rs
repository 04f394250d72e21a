//! The width of a process: of its pointers, of C's `long`, and of the processor's mode.

/// Width of numbers. The width of a process is that of its addresses.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub enum Width {
    /// 32 bits. For times, 32 bits suffice until 2038.
    #[default]
    Narrow,
    /// 64 bits.
    Wide,
}

impl Width {
    /// Bytes of one number.
    pub fn bytes(self) -> u32 {
        match self {
            Width::Narrow => 4,
            Width::Wide => 8,
        }
    }

    /// One of two values, by width.
    pub fn pick<T>(self, narrow: T, wide: T) -> T {
        match self {
            Width::Narrow => narrow,
            Width::Wide => wide,
        }
    }

    /// A number in memory. A narrow number keeps the right half.
    pub fn encode(self, number: u64) -> Vec<u8> {
        match self {
            Width::Narrow => (number as u32).to_be_bytes().to_vec(),
            Width::Wide => number.to_be_bytes().to_vec(),
        }
    }
}
