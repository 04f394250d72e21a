//! Builds executables without a compiler. Each executable has one segment with code and data.

/// The address of the segment.
pub const AT: u32 = 0x1000_0000;
/// The address of the data in the segment.
pub const DATA: u32 = AT + 0x1000;
/// The size of the segment in memory that most tests need.
pub const BYTES: u32 = 0x8000;
/// File offset of the code, which follows the headers.
const CODE: usize = 0x100;

/// Encodes `addi rt, ra, value`, which is `li` if `ra` is 0.
pub fn addi(rt: u32, ra: u32, value: i16) -> u32 {
    14 << 26 | rt << 21 | ra << 16 | u32::from(value as u16)
}

/// `lis rt, value`.
pub fn lis(rt: u32, value: u16) -> u32 {
    15 << 26 | rt << 21 | u32::from(value)
}

/// `ori ra, ra, value`.
pub fn ori(ra: u32, value: u16) -> u32 {
    24 << 26 | ra << 21 | ra << 16 | u32::from(value)
}

/// `lwz rt, offset(ra)`.
pub fn lwz(rt: u32, ra: u32, offset: u16) -> u32 {
    32 << 26 | rt << 21 | ra << 16 | u32::from(offset)
}

/// `cmpwi ra, 0`.
pub fn compare_with_zero(ra: u32) -> u32 {
    11 << 26 | ra << 16
}

/// Encodes `bne` to an instruction `bytes` bytes earlier.
pub fn back_if_not_zero(bytes: u32) -> u32 {
    16 << 26 | 4 << 21 | 2 << 16 | bytes.wrapping_neg() & 0xfffc
}

/// `sc`.
pub const SC: u32 = 0x4400_0002;

/// A static executable whose segment has `bytes` bytes in memory.
pub fn executable(code: &[u32], data: &[u32], bytes: u32) -> Vec<u8> {
    let mut file = b"\x7fELF\x01\x02\x01".to_vec();
    file.resize(16, 0);
    file.extend([2_u16, 20].iter().flat_map(|half| half.to_be_bytes()));
    file.extend([1, AT + CODE as u32, 52, 0, 0].iter().flat_map(|word: &u32| word.to_be_bytes()));
    file.extend([52_u16, 32, 1, 0, 0, 0].iter().flat_map(|half| half.to_be_bytes()));
    let size = (DATA - AT) + 4 * data.len() as u32;
    let segment = [1, 0, AT, AT, size, bytes.max(size), 7, 0x1_0000];
    file.extend(segment.iter().flat_map(|word| word.to_be_bytes()));
    file.resize(CODE, 0);
    file.extend(code.iter().flat_map(|word| word.to_be_bytes()));
    file.resize((DATA - AT) as usize, 0);
    file.extend(data.iter().flat_map(|word| word.to_be_bytes()));
    file
}
