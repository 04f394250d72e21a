//! Conversion of doubles to text in the styles of C's `printf`: fixed, scientific, the shorter of these two, or
//! hexadecimal.
//!
//! The digits are exact, and the last digit is rounded to nearest, ties to even.

use super::spec::Spec;

/// The maximum number of digits that are computed. No double has more digits, so all further digits are zeros.
const DIGITS_MAX: usize = 1100;

/// The style in which a double is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Style {
    form: Form,
    upper: bool,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Form {
    Fixed,
    Exponent,
    Shorter,
    Hexadecimal,
}

impl Style {
    /// The style that a conversion letter selects.
    pub fn of(conversion: u8) -> Option<Style> {
        let form = match conversion.to_ascii_lowercase() {
            b'f' => Form::Fixed,
            b'e' => Form::Exponent,
            b'g' => Form::Shorter,
            b'a' => Form::Hexadecimal,
            _ => return None,
        };
        Some(Style { form, upper: conversion.is_ascii_uppercase() })
    }
}

/// The digits of `value`, and the prefix that is written before any padding zeros. `value` must not be negative.
pub fn real(value: f64, style: Style, spec: &Spec) -> (Vec<u8>, Vec<u8>) {
    let (prefix, digits) = if value.is_nan() {
        ("", "nan".to_string())
    } else if value.is_infinite() {
        ("", "inf".to_string())
    } else {
        match style.form {
            Form::Fixed => ("", fixed(value, spec.precision.unwrap_or(6), spec.alternate)),
            Form::Exponent => ("", exponent(value, spec.precision.unwrap_or(6), spec.alternate)),
            Form::Shorter => ("", shorter(value, spec.precision.unwrap_or(6).max(1), spec.alternate)),
            Form::Hexadecimal => ("0x", hexadecimal(value, spec.precision, spec.alternate)),
        }
    };
    let case = |text: &str| if style.upper { text.to_ascii_uppercase() } else { text.to_string() };
    (case(prefix).into_bytes(), case(&digits).into_bytes())
}

/// Returns the digits. With `alternate`, a decimal point is added if there is none.
fn pointed(mut digits: String, alternate: bool) -> String {
    if alternate && !digits.contains('.') {
        digits.push('.');
    }
    digits
}

fn fixed(value: f64, precision: usize, alternate: bool) -> String {
    let exact = precision.min(DIGITS_MAX);
    let mut digits = format!("{value:.exact$}");
    digits.extend(std::iter::repeat_n('0', precision - exact));
    pointed(digits, alternate)
}

/// The digits before the exponent, and the exponent.
fn scientific(value: f64, precision: usize) -> (String, i32) {
    let exact = precision.min(DIGITS_MAX);
    let text = format!("{value:.exact$e}");
    let (digits, power) = text.split_once('e').unwrap_or((&text, "0"));
    let mut digits = digits.to_string();
    digits.extend(std::iter::repeat_n('0', precision - exact));
    (digits, power.parse().unwrap_or(0))
}

fn exponent(value: f64, precision: usize, alternate: bool) -> String {
    let (digits, power) = scientific(value, precision);
    with_power(&pointed(digits, alternate), power)
}

fn with_power(digits: &str, power: i32) -> String {
    let sign = if power < 0 { '-' } else { '+' };
    format!("{digits}e{sign}{:02}", power.unsigned_abs())
}

fn shorter(value: f64, precision: usize, alternate: bool) -> String {
    let (digits, power) = scientific(value, precision - 1);
    let is_fixed = power >= -4 && i64::from(power) < precision as i64;
    let digits =
        if is_fixed { fixed(value, (precision as i64 - 1 - i64::from(power)) as usize, alternate) } else { digits };
    let digits = match digits.contains('.') && !alternate {
        true => digits.trim_end_matches('0').trim_end_matches('.').to_string(),
        false => pointed(digits, alternate),
    };
    if is_fixed { digits } else { with_power(&digits, power) }
}

fn hexadecimal(value: f64, precision: Option<usize>, alternate: bool) -> String {
    const FRACTION_BITS: u32 = 52;
    let bits = value.to_bits();
    let (biased, fraction) = ((bits >> FRACTION_BITS) as i32, bits & ((1 << FRACTION_BITS) - 1));
    let mut power = if value == 0.0 { 0 } else { biased.max(1) - 1023 };
    // The text has one hexadecimal digit before the point, and thirteen after it.
    let mut digits = u64::from(biased != 0) << FRACTION_BITS | fraction;
    let mut places = 13;
    if let Some(precision) = precision.filter(|precision| *precision < 13) {
        let dropped = 4 * (13 - precision) as u32;
        let (kept, rest, half) = (digits >> dropped, digits & ((1 << dropped) - 1), 1 << (dropped - 1));
        digits = kept + u64::from(rest > half || rest == half && kept & 1 == 1);
        places = precision;
    }
    let lead = digits >> (4 * places);
    let mut text = format!("{:0width$x}", digits & ((1 << (4 * places)) - 1), width = places);
    if places == 0 {
        text.clear();
    }
    match precision {
        None => text.truncate(text.trim_end_matches('0').len()),
        Some(precision) => text.extend(std::iter::repeat_n('0', precision.saturating_sub(13))),
    }
    if value == 0.0 {
        power = 0;
    }
    let point = if text.is_empty() && !alternate { "" } else { "." };
    let sign = if power < 0 { '-' } else { '+' };
    format!("{lead:x}{point}{text}p{sign}{}", power.unsigned_abs())
}
