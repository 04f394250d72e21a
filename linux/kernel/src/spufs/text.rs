//! Conversions between numbers and text.

/// A text line with its newline.
pub fn text_of(mut text: String) -> Vec<u8> {
    text.push('\n');
    text.into_bytes()
}

/// Parses a number like C's `strtoull` with base 0.
pub fn number_from(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.trim_matches(|c: char| c.is_whitespace() || c == '\0');
    match text.strip_prefix("0x").or_else(|| text.strip_prefix("0X")) {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if text.len() > 1 && text.starts_with('0') => u64::from_str_radix(&text[1..], 8).ok(),
        None => text.parse().ok(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_read_in_the_bases_of_c() {
        let numbers = ["0", "1\n", "0x10", " 017\0", "08", "", "x"].map(|text| number_from(text.as_bytes()));
        assert_eq!(numbers, [Some(0), Some(1), Some(16), Some(15), None, None, None]);
    }
}
