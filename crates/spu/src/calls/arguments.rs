//! The arguments of a variadic call in a local store.
//!
//! Each argument is at the start of its own 16-byte slot. An SPU `va_list` points to these slots. `int`, `long`,
//! `size_t` and pointers have 32 bits, `long long` and `intmax_t` have 64 bits, and a `float` is passed as a `double`.

use cell::store::LocalStore;

/// A position in a variable argument list.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    next: u32,
    /// The end address of the arguments that were passed in registers. The remaining arguments are in the caller's
    /// stack frame, after the header of the frame.
    in_registers_until: u32,
}

impl Arguments {
    /// The argument list that is described by the `va_list` at `address`.
    pub fn at(ls: &LocalStore, address: u32) -> Arguments {
        let address = u64::from(address);
        Arguments { next: ls.read_u32(address), in_registers_until: ls.read_u32(address + 16) }
    }

    /// Advances to the next argument. Returns the address of the current argument.
    fn take(&mut self, ls: &LocalStore) -> u64 {
        const HEAD_OF_FRAME_BYTES: u32 = 32;
        let here = self.next;
        self.next = here.wrapping_add(16);
        let wraps = |address: u32| u64::from(address) % ls.size_bytes();
        if wraps(self.next) == wraps(self.in_registers_until) {
            self.next = self.next.wrapping_add(HEAD_OF_FRAME_BYTES);
        }
        u64::from(here)
    }

    /// The next argument as a word.
    pub fn word(&mut self, ls: &LocalStore) -> u32 {
        ls.read_u32(self.take(ls))
    }

    /// The next argument as a doubleword.
    pub fn doubleword(&mut self, ls: &LocalStore) -> u64 {
        ls.read_u64(self.take(ls))
    }
}

/// The length of an integer argument, as specified by the length modifier of its conversion.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    /// No modifier, or the modifier `l`, `z` or `t`.
    Word,
    /// `ll`, `j`
    Long,
}

impl Length {
    /// The length modifier at the start of `text`, and the text after the modifier.
    pub fn parse(text: &[u8]) -> (Length, &[u8]) {
        match text {
            [b'h', b'h', rest @ ..] => (Length::Char, rest),
            [b'h', rest @ ..] => (Length::Short, rest),
            [b'l', b'l', rest @ ..] | [b'j' | b'q', rest @ ..] => (Length::Long, rest),
            [b'l' | b'z' | b't' | b'L', rest @ ..] => (Length::Word, rest),
            _ => (Length::Word, text),
        }
    }

    /// Stores an integer of this length.
    pub fn store(self, ls: &mut LocalStore, address: u32, value: u64) {
        let bytes = value.to_be_bytes();
        let n = match self {
            Length::Char => 1,
            Length::Short => 2,
            Length::Word => 4,
            Length::Long => 8,
        };
        ls.write(address.into(), &bytes[8 - n..]);
    }
}

/// The bytes from `address` up to the next zero byte. Reads no more than `most` bytes, and no more than the size of a
/// local store.
pub fn string(ls: &LocalStore, address: u32, most: usize) -> Vec<u8> {
    let most = (ls.size_bytes() as usize).min(most);
    let mut text = Vec::new();
    let mut piece = [0; 64];
    while text.len() < most {
        ls.read(u64::from(address) + text.len() as u64, &mut piece);
        let n = piece.iter().position(|byte| *byte == 0);
        text.extend_from_slice(&piece[..n.unwrap_or(piece.len())]);
        if n.is_some() {
            break;
        }
    }
    text.truncate(most);
    text
}
