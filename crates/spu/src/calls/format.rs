//! The text that C's `printf` produces from a format and its arguments.
//!
//! An unknown conversion is written as text in the form that the GNU C library, the C library of the PPE, uses.
//!
//! Positional arguments (`%n$`), `%m` and wide characters are not supported. `long double` is the same type as
//! `double`.
//!
//! Source: C99 7.19.6.1; GNU C library, unknown conversions.

use super::arguments::{Arguments, Length, string};
use super::float::{Style, real};
use super::host::errno;
use super::spec::Spec;
use cell::store::LocalStore;

/// The result of formatting.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Formatted {
    /// The formatted text; if formatting failed, only the text before the error.
    pub text: Vec<u8>,
    /// Success, or the `errno` of the failure.
    pub ended: Result<(), u32>,
}

/// Formats arguments. Formatting fails if the format ends within a conversion, or if a width or precision is too large.
/// An unknown conversion is written as text.
pub fn format(format: &[u8], arguments: &mut Arguments, ls: &mut LocalStore) -> Formatted {
    let mut text = Vec::new();
    let mut rest = format;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte != b'%' {
            text.push(*byte);
            continue;
        }
        match specified(rest, arguments, ls, &mut text) {
            Ok(after) => rest = after,
            Err(errno) => return Formatted { text, ended: Err(errno) },
        }
    }
    Formatted { text, ended: Ok(()) }
}

/// Carries out the conversion specification at the start of `format`. Returns the rest of the format, or an `errno` on
/// failure.
fn specified<'f>(
    format: &'f [u8],
    arguments: &mut Arguments,
    ls: &mut LocalStore,
    out: &mut Vec<u8>,
) -> Result<&'f [u8], u32> {
    let (spec, rest) = Spec::parse(format, arguments, ls).ok_or(errno::OVERFLOW)?;
    let (length, rest) = Length::parse(rest);
    let [conversion, rest @ ..] = rest else { return Err(errno::INVAL) };
    if convert(*conversion, &spec, length, arguments, ls, out).is_none() {
        spec.write(out);
        out.push(*conversion);
    }
    Ok(rest)
}

/// Writes the text of one conversion. Returns `None` if the conversion is unknown.
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
        b'p' => match arguments.word(ls) {
            0 => spec.number(&[], b"(nil)", false, out),
            address => spec.number(b"0x", format!("{address:x}").as_bytes(), false, out),
        },
        b'c' => {
            let byte = arguments.word(ls) as u8;
            spec.number(&[], &[byte], false, out);
        }
        b's' => {
            let address = arguments.word(ls);
            let most = spec.precision.unwrap_or(usize::MAX);
            let text = if address == 0 { b"(null)".to_vec() } else { string(ls, address, most) };
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
