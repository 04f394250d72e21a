//! Numbers and parts of files, checked against their ends.

/// The message for a damaged file.
pub fn damaged(what: &str) -> String {
    format!("damaged: {what}")
}

/// The `bytes` bytes at an offset, or `None` if the file ends before.
pub fn part(file: &[u8], at: u64, bytes: u64) -> Option<&[u8]> {
    file.get(usize::try_from(at).ok()?..usize::try_from(at.checked_add(bytes)?).ok()?)
}

/// The big-endian halfword at an offset, or 0 past the end.
pub fn half(bytes: &[u8], at: usize) -> u16 {
    bytes.get(at..).and_then(|rest| rest.first_chunk()).map_or(0, |half| u16::from_be_bytes(*half))
}

/// The big-endian number that consists of these bytes.
pub fn number(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0, |number, byte| number << 8 | u64::from(*byte))
}
