//! The values that C's `scanf` reads from its input.
//!
//! The following are not supported: positional arguments (`%n$`), wide characters, and hexadecimal or special
//! floating-point numbers.
//!
//! Source: C99 7.19.6.2.

use super::arguments::{Arguments, Length};
use super::host::Refusal;
use super::streams::EOF;
use cell::store::LocalStore;

/// The function that supplies the next byte of input.
type Next<'n> = dyn FnMut() -> Result<Option<u8>, Refusal> + 'n;

/// The input, with one byte of lookahead.
struct Input<'n, 'b> {
    next: &'b mut Next<'n>,
    seen: Option<u8>,
    taken: u32,
}

impl Input<'_, '_> {
    fn look(&mut self) -> Result<Option<u8>, Refusal> {
        if self.seen.is_none() {
            self.seen = (self.next)()?;
        }
        Ok(self.seen)
    }

    fn take(&mut self) {
        self.taken += u32::from(self.seen.take().is_some());
    }

    fn skip_blanks(&mut self) -> Result<(), Refusal> {
        while self.look()?.is_some_and(|byte| byte.is_ascii_whitespace()) {
            self.take();
        }
        Ok(())
    }

    /// Takes bytes from the input as long as `belongs` returns true, up to a maximum of `most` bytes.
    fn field(&mut self, most: usize, mut belongs: impl FnMut(&[u8], u8) -> bool) -> Result<Vec<u8>, Refusal> {
        let mut field = Vec::new();
        while field.len() < most {
            match self.look()? {
                Some(byte) if belongs(&field, byte) => field.push(byte),
                _ => break,
            }
            self.take();
        }
        Ok(field)
    }
}

/// The outcome of a conversion.
enum Outcome {
    Stored,
    /// The conversion succeeded without a value to count: `%n`, `%%`, `%*d`.
    Passed,
    Mismatch,
}

/// Reads values as a format specifies. Returns the number of values stored, or EOF if the input ended before the first
/// value. Also returns the last byte that was read, if it must be pushed back.
///
/// # Errors
/// The input cannot be read.
pub fn scan(
    format: &[u8],
    arguments: &mut Arguments,
    ls: &mut LocalStore,
    next: &mut Next<'_>,
) -> Result<(u32, Option<u8>), Refusal> {
    let mut input = Input { next, seen: None, taken: 0 };
    let mut stored = 0;
    let mut text = format;
    while let [byte, rest @ ..] = text {
        text = rest;
        let outcome = match byte {
            blank if blank.is_ascii_whitespace() => {
                input.skip_blanks()?;
                Outcome::Passed
            }
            b'%' => {
                let Some((conversion, rest)) = Conversion::parse(text) else { break };
                text = rest;
                conversion.scan(&mut input, arguments, ls)?
            }
            literal if input.look()? == Some(*literal) => {
                input.take();
                Outcome::Passed
            }
            _ => Outcome::Mismatch,
        };
        match outcome {
            Outcome::Stored => stored += 1,
            Outcome::Passed => (),
            Outcome::Mismatch => {
                let ended = stored == 0 && input.look()?.is_none();
                return Ok((if ended { EOF } else { stored }, input.seen));
            }
        }
    }
    Ok((stored, input.seen))
}

/// One conversion of a format.
struct Conversion<'f> {
    discard: bool,
    width: Option<usize>,
    length: Length,
    /// Whether the length modifier is `l` or `L`, so that a floating-point conversion stores a `double`.
    double: bool,
    kind: u8,
    /// The characters listed in `%[`, and whether the set consists of all other characters.
    set: &'f [u8],
    inverted: bool,
}

impl<'f> Conversion<'f> {
    fn parse(text: &'f [u8]) -> Option<(Conversion<'f>, &'f [u8])> {
        let (discard, text) = text.strip_prefix(b"*").map_or((false, text), |rest| (true, rest));
        let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
        let width = std::str::from_utf8(&text[..digits]).ok()?.parse().ok();
        let text = &text[digits..];
        let double = text.first().is_some_and(|byte| matches!(byte, b'l' | b'L'));
        let (length, text) = Length::parse(text);
        let (kind, mut text) = text.split_first()?;
        let (mut set, mut inverted): (&[u8], bool) = (&[], false);
        if *kind == b'[' {
            if let Some(rest) = text.strip_prefix(b"^") {
                (inverted, text) = (true, rest);
            }
            // A closing bracket that is the first character belongs to the set.
            let end = 1 + text.get(1..)?.iter().position(|byte| *byte == b']')?;
            (set, text) = (&text[..end], &text[end + 1..]);
        }
        Some((Conversion { discard, width, length, double, kind: *kind, set, inverted }, text))
    }

    fn scan(
        &self,
        input: &mut Input<'_, '_>,
        arguments: &mut Arguments,
        ls: &mut LocalStore,
    ) -> Result<Outcome, Refusal> {
        if !matches!(self.kind, b'c' | b'[' | b'n') {
            input.skip_blanks()?;
        }
        // The maximum length of a field is the size of a local store, so that an endless input does not exhaust memory.
        let most = self.width.unwrap_or(usize::MAX).min(ls.size_bytes() as usize);
        match self.kind {
            b'%' => {
                let field = input.field(1, |_, byte| byte == b'%')?;
                Ok(if field.is_empty() { Outcome::Mismatch } else { Outcome::Passed })
            }
            b'n' => {
                self.length.store(ls, arguments.word(ls), input.taken.into());
                Ok(Outcome::Passed)
            }
            b'c' => {
                let n = self.width.unwrap_or(1);
                let field = input.field(n, |_, _| true)?;
                Ok(if field.len() < n { Outcome::Mismatch } else { self.store(&field, arguments, ls) })
            }
            b's' | b'[' => {
                let mut field = input.field(most, |_, byte| self.belongs(byte))?;
                if field.is_empty() {
                    return Ok(Outcome::Mismatch);
                }
                field.push(0);
                Ok(self.store(&field, arguments, ls))
            }
            b'd' | b'i' | b'u' | b'x' | b'X' | b'o' | b'p' => self.integer(input, most, arguments, ls),
            b'f' | b'e' | b'g' | b'a' | b'F' | b'E' | b'G' | b'A' => self.real(input, most, arguments, ls),
            _ => Ok(Outcome::Mismatch),
        }
    }

    /// Whether a byte belongs to the field of `%s` or `%[`.
    fn belongs(&self, byte: u8) -> bool {
        if self.kind == b's' {
            return !byte.is_ascii_whitespace();
        }
        let mut set = self.set;
        let mut found = false;
        while let [first, rest @ ..] = set {
            (found, set) = match rest {
                [b'-', last, rest @ ..] => (found || (*first..=*last).contains(&byte), rest),
                _ => (found || *first == byte, rest),
            };
        }
        found != self.inverted
    }

    fn store(&self, bytes: &[u8], arguments: &mut Arguments, ls: &mut LocalStore) -> Outcome {
        if self.discard {
            return Outcome::Passed;
        }
        let address = arguments.word(ls);
        ls.write(address.into(), bytes);
        Outcome::Stored
    }

    fn integer(
        &self,
        input: &mut Input<'_, '_>,
        most: usize,
        arguments: &mut Arguments,
        ls: &mut LocalStore,
    ) -> Result<Outcome, Refusal> {
        let prefixed = matches!(self.kind, b'i' | b'x' | b'X' | b'p');
        let mut radix = match self.kind {
            b'x' | b'X' | b'p' => 16,
            b'o' => 8,
            _ => 10,
        };
        let field = input.field(most, |field, byte| {
            let digits = field.strip_prefix(b"-").or(field.strip_prefix(b"+")).unwrap_or(field);
            match byte {
                b'-' | b'+' => field.is_empty(),
                b'x' | b'X' if prefixed && digits == b"0" => {
                    radix = 16;
                    true
                }
                _ => {
                    if self.kind == b'i' && digits == b"0" {
                        radix = 8;
                    }
                    char::from(byte).is_digit(radix)
                }
            }
        })?;
        let negative = field.first() == Some(&b'-');
        let digits = field.iter().filter_map(|byte| char::from(*byte).to_digit(radix));
        if digits.clone().next().is_none() {
            return Ok(Outcome::Mismatch);
        }
        let value = digits.fold(0u64, |value, digit| value.wrapping_mul(radix.into()).wrapping_add(digit.into()));
        if self.discard {
            return Ok(Outcome::Passed);
        }
        let value = if negative { value.wrapping_neg() } else { value };
        self.length.store(ls, arguments.word(ls), value);
        Ok(Outcome::Stored)
    }

    fn real(
        &self,
        input: &mut Input<'_, '_>,
        most: usize,
        arguments: &mut Arguments,
        ls: &mut LocalStore,
    ) -> Result<Outcome, Refusal> {
        let field = input.field(most, |field, byte| {
            let after_e = field.last().is_some_and(|byte| matches!(byte, b'e' | b'E'));
            let has = |what: &[u8]| field.iter().any(|byte| what.contains(byte));
            match byte {
                b'-' | b'+' => field.is_empty() || after_e,
                b'.' => !has(b".eE"),
                b'e' | b'E' => !has(b"eE") && has(b"0123456789"),
                _ => byte.is_ascii_digit(),
            }
        })?;
        let Some(value) = std::str::from_utf8(&field).ok().and_then(|text| text.parse::<f64>().ok()) else {
            return Ok(Outcome::Mismatch);
        };
        let bytes = if self.double { value.to_be_bytes().to_vec() } else { (value as f32).to_be_bytes().to_vec() };
        Ok(self.store(&bytes, arguments, ls))
    }
}
