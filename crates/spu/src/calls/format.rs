//! What C's `printf` makes of a format and its arguments.
//!
//! The arguments lie in a local store, each at the start of 16 bytes, as an SPU `va_list` leads to
//! them.  `int`, `long`, `size_t` and pointers have 32 bits, `long long` and `intmax_t` 64; `float`
//! comes as `double`.  Left out: `%n$`, wide characters, and `long double` as anything but `double`.
//!
//! Sources: C99 7.19.6.1; SPU Application Binary Interface, variable argument lists.

use super::float::{Style, real};
use cell::store::LocalStore;

/// The longest width or precision.  What is longer than any local store is a mistake.
const LONGEST: usize = 1 << 18;

/// Where a variable argument list stands.
#[derive(Clone, Copy, Debug)]
pub struct Arguments {
    next: u32,
    /// Where the arguments in registers end; those on the caller's stack begin behind its frame's head.
    in_registers_until: u32,
}

impl Arguments {
    /// The list whose `va_list` lies at `address`.
    pub fn at(ls: &LocalStore, address: u32) -> Arguments {
        let address = u64::from(address);
        Arguments { next: ls.read_u32(address), in_registers_until: ls.read_u32(address + 16) }
    }

    /// Where the next argument lies.
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

    fn doubleword(&mut self, ls: &LocalStore) -> u64 {
        ls.read_u64(self.take(ls))
    }
}

/// How long an integer argument is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Length {
    /// `hh`
    Char,
    /// `h`
    Short,
    /// None, `l`, `z`, `t`.
    Word,
    /// `ll`, `j`
    Long,
}

impl Length {
    /// The modifier that `text` begins with, and what follows it.
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

/// What stands between `%` and the conversion.
#[derive(Clone, Copy, Default, Debug)]
pub struct Spec {
    left: bool,
    zeros: bool,
    /// What goes before a number that is not negative.
    plus: Option<u8>,
    /// `#`
    pub alternate: bool,
    width: usize,
    /// Precision.
    pub precision: Option<usize>,
}

impl Spec {
    fn parse<'f>(mut text: &'f [u8], arguments: &mut Arguments, ls: &LocalStore) -> Option<(Spec, &'f [u8])> {
        let mut spec = Spec::default();
        while let [flag @ (b'-' | b'0' | b'+' | b' ' | b'#'), rest @ ..] = text {
            match flag {
                b'-' => spec.left = true,
                b'0' => spec.zeros = true,
                b'+' => spec.plus = Some(b'+'),
                b' ' => spec.plus = spec.plus.or(Some(b' ')),
                _ => spec.alternate = true,
            }
            text = rest;
        }
        let (width, rest) = number(text, arguments, ls)?;
        spec.left |= width < 0;
        spec.width = width.unsigned_abs() as usize;
        text = rest;
        if let [b'.', rest @ ..] = text {
            let (precision, rest) = number(rest, arguments, ls)?;
            spec.precision = usize::try_from(precision).ok();
            text = rest;
        }
        (spec.width <= LONGEST && spec.precision.unwrap_or(0) <= LONGEST).then_some((spec, text))
    }

    /// A number with its sign or prefix, filled up to the width.
    fn number(&self, sign: &[u8], digits: &[u8], zeros: bool, out: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(sign.len() + digits.len());
        let (blanks, zeros) = if zeros && !self.left { (0, fill) } else { (fill, 0) };
        if !self.left {
            out.resize(out.len() + blanks, b' ');
        }
        out.extend_from_slice(sign);
        out.resize(out.len() + zeros, b'0');
        out.extend_from_slice(digits);
        if self.left {
            out.resize(out.len() + blanks, b' ');
        }
    }

    fn sign(&self, negative: bool) -> Vec<u8> {
        if negative { vec![b'-'] } else { self.plus.into_iter().collect() }
    }

    fn integer(&self, sign: &[u8], mut digits: Vec<u8>, out: &mut Vec<u8>) {
        if let Some(precision) = self.precision {
            if precision == 0 && digits == b"0" {
                digits.clear();
            }
            let missing = precision.saturating_sub(digits.len());
            digits.splice(0..0, std::iter::repeat_n(b'0', missing));
        }
        self.number(sign, &digits, self.zeros && self.precision.is_none(), out);
    }
}

/// Decimal digits, or `*` for an argument; 0 if there is neither.
fn number<'f>(text: &'f [u8], arguments: &mut Arguments, ls: &LocalStore) -> Option<(i64, &'f [u8])> {
    if let [b'*', rest @ ..] = text {
        return Some((i64::from(arguments.word(ls) as i32), rest));
    }
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let value = text[..digits]
        .iter()
        .try_fold(0i64, |value, digit| value.checked_mul(10)?.checked_add(i64::from(digit - b'0')))?;
    Some((value, &text[digits..]))
}

/// Formats; nothing if the format cannot be followed.
pub fn format(format: &[u8], arguments: &mut Arguments, ls: &mut LocalStore) -> Option<Vec<u8>> {
    let mut out = Vec::new();
    let mut text = format;
    while let [byte, rest @ ..] = text {
        text = rest;
        if *byte != b'%' {
            out.push(*byte);
            continue;
        }
        let (spec, rest) = Spec::parse(text, arguments, ls)?;
        let (length, rest) = Length::parse(rest);
        let [conversion, rest @ ..] = rest else { return None };
        convert(*conversion, &spec, length, arguments, ls, &mut out)?;
        text = rest;
    }
    Some(out)
}

fn convert(
    conversion: u8,
    spec: &Spec,
    length: Length,
    arguments: &mut Arguments,
    ls: &mut LocalStore,
    out: &mut Vec<u8>,
) -> Option<()> {
    match conversion {
        b'%' => out.push(b'%'),
        b'd' | b'i' => {
            let value = match length {
                Length::Long => arguments.doubleword(ls) as i64,
                Length::Word => i64::from(arguments.word(ls) as i32),
                Length::Short => i64::from(arguments.word(ls) as i16),
                Length::Char => i64::from(arguments.word(ls) as i8),
            };
            spec.integer(&spec.sign(value < 0), value.unsigned_abs().to_string().into_bytes(), out);
        }
        b'u' | b'x' | b'X' | b'o' => unsigned(conversion, spec, length, arguments, ls, out),
        b'p' => {
            let digits = format!("{:x}", arguments.word(ls)).into_bytes();
            spec.number(b"0x", &digits, false, out);
        }
        b'c' => {
            let byte = arguments.word(ls) as u8;
            spec.number(&[], &[byte], false, out);
        }
        b's' => {
            let address = arguments.word(ls);
            let most = spec.precision.unwrap_or(usize::MAX);
            let text = if address == 0 { b"(null)".to_vec() } else { super::string(ls, address, most) };
            spec.number(&[], &text[..text.len().min(most)], false, out);
        }
        b'n' => {
            let address = arguments.word(ls);
            length.store(ls, address, out.len() as u64);
        }
        _ => {
            let style = Style::of(conversion)?;
            let value = f64::from_bits(arguments.doubleword(ls));
            let (prefix, digits) = real(value.abs(), style, spec);
            let sign = [spec.sign(value.is_sign_negative()), prefix].concat();
            spec.number(&sign, &digits, spec.zeros && value.is_finite(), out);
        }
    }
    Some(())
}

fn unsigned(
    conversion: u8,
    spec: &Spec,
    length: Length,
    arguments: &mut Arguments,
    ls: &LocalStore,
    out: &mut Vec<u8>,
) {
    let value = match length {
        Length::Long => arguments.doubleword(ls),
        Length::Word => u64::from(arguments.word(ls)),
        Length::Short => u64::from(arguments.word(ls) as u16),
        Length::Char => u64::from(arguments.word(ls) as u8),
    };
    let mut digits = match conversion {
        b'u' => format!("{value}"),
        b'x' => format!("{value:x}"),
        b'X' => format!("{value:X}"),
        _ => format!("{value:o}"),
    };
    let prefix: &[u8] = match conversion {
        b'x' if spec.alternate && value != 0 => b"0x",
        b'X' if spec.alternate && value != 0 => b"0X",
        _ => b"",
    };
    if conversion == b'o'
        && spec.alternate
        && digits.len() >= spec.precision.unwrap_or(0)
        && (value != 0 || spec.precision == Some(0))
    {
        digits.insert(0, '0');
    }
    spec.integer(prefix, digits.into_bytes(), out);
}
