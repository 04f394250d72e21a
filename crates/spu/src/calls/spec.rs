//! A conversion specification of `printf`: flags, width and precision, and their effect on a
//! number.
//!
//! Source: C99 7.19.6.1.

use super::arguments::Arguments;
use cell::store::LocalStore;

/// The maximum width or precision that is accepted, which is the size of a local store.
const LONGEST: usize = 1 << 18;

/// The part of a conversion between `%` and its letter.
#[derive(Clone, Copy, Default, Debug)]
pub struct Spec {
    left: bool,
    /// `0`: pad a number with zeros up to the width.
    pub zeros: bool,
    /// `+` or blank: the character that is written as the sign of a non-negative number.
    plus: Option<u8>,
    /// `#`: the alternate form.
    pub alternate: bool,
    /// `'`: group digits by thousands according to the locale. The C locale does not group digits.
    grouped: bool,
    width: usize,
    /// The precision, if the format specifies one.
    pub precision: Option<usize>,
}

impl Spec {
    /// Parses the specification at the start of `text`. Returns the specification and the text after it.
    pub fn parse<'f>(mut text: &'f [u8], arguments: &mut Arguments, ls: &LocalStore) -> Option<(Spec, &'f [u8])> {
        let mut spec = Spec::default();
        while let [flag @ (b'-' | b'0' | b'+' | b' ' | b'#' | b'\''), rest @ ..] = text {
            match flag {
                b'-' => spec.left = true,
                b'0' => spec.zeros = true,
                b'+' => spec.plus = Some(b'+'),
                b' ' => spec.plus = spec.plus.or(Some(b' ')),
                b'\'' => spec.grouped = true,
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

    /// Writes the specification as text, without its length modifier. This text is the output of an unknown conversion.
    pub fn write(&self, out: &mut Vec<u8>) {
        out.push(b'%');
        let zeros = self.zeros && !self.left;
        let flags =
            [(self.alternate, b'#'), (self.grouped, b'\'')].into_iter().chain(self.plus.map(|sign| (true, sign)));
        let flags = flags.chain([(self.left, b'-'), (zeros, b'0')]);
        out.extend(flags.filter(|(given, _)| *given).map(|(_, flag)| flag));
        if self.width > 0 {
            out.extend_from_slice(self.width.to_string().as_bytes());
        }
        if let Some(precision) = self.precision {
            out.extend_from_slice(format!(".{precision}").as_bytes());
        }
    }

    /// Writes a number with its sign or prefix, padded to the width.
    pub fn number(&self, sign: &[u8], digits: &[u8], zeros: bool, out: &mut Vec<u8>) {
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

    pub fn sign(&self, negative: bool) -> Vec<u8> {
        if negative { vec![b'-'] } else { self.plus.into_iter().collect() }
    }

    /// Writes an integer with its sign or prefix, padded with zeros to the precision and then to
    /// the width.
    pub fn integer(&self, sign: &[u8], mut digits: Vec<u8>, out: &mut Vec<u8>) {
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

/// The number written in decimal digits at the start of `text`, or the next argument if `text` begins with `*`. If
/// `text` begins with neither, the number is 0.
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
