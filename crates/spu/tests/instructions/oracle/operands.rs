//! Instruction words and register contents with many edge cases.

use super::case::Bytes;
use proptest::prelude::*;

/// Random bits for an instruction word. Often two operands are the same register, or the immediate is small.
pub fn word() -> impl Strategy<Value = u32> {
    let target_is_source = any::<u32>().prop_map(|word| word & !0x7f | word >> 7 & 0x7f);
    let same_sources = any::<u32>().prop_map(|word| word & !(0x7f << 14) | (word >> 7 & 0x7f) << 14);
    let small = any::<u32>().prop_map(|word| word & 0x0007_ffff);
    prop_oneof![3 => any::<u32>(), 1 => target_is_source, 1 => same_sources, 1 => small]
}

/// Instruction addresses, including the last addresses of the local store.
pub fn address() -> impl Strategy<Value = u32> {
    prop_oneof![2 => 0u32..1 << 16, 1 => Just(0), 1 => (1u32 << 16) - 4..1 << 16].prop_map(|word| word * 4)
}

/// Register contents: arbitrary bits, ends of ranges, small numbers for use as counts, singles and doubles.
pub fn registers() -> impl Strategy<Value = Vec<Bytes>> {
    let edge = prop::sample::select(vec![
        0u32,
        1,
        2,
        0x7f,
        0x80,
        0xff,
        0x7fff,
        0x8000,
        0xffff,
        0x7fff_ffff,
        0x8000_0000,
        0xffff_ffff,
        0x7fff_7fff,
        0x8000_8000,
        0x7f7f_7f7f,
        0x8080_8080,
        0x0101_0101,
        0x3f80_0000,
        0x7ff0_0000,
        0x3ff0_0000,
    ]);
    let count = prop_oneof![0u32..140, (0u32..140).prop_map(u32::wrapping_neg), (0u32..40).prop_map(|n| n << 16 | n)];
    let number = prop_oneof![0x3e00_0000u32..0x4200_0000, 0x4fe0_0000u32..0x5010_0000, 0xbe00_0000u32..0xc200_0000];
    let words = prop_oneof![2 => any::<u32>(), 2 => edge, 2 => count, 2 => number];
    let register =
        prop::array::uniform4(words).prop_map(|words| std::array::from_fn(|i| words[i / 4].to_be_bytes()[i % 4]));
    prop::collection::vec(register, 7)
}

/// A relation between two operands: RA and the immediate, or RA and RB. With related operands, comparisons and carries
/// are close to their limits.
#[derive(Clone, Copy, Debug)]
pub enum Relation {
    None,
    RaIsImmediateWords,
    RaIsImmediateHalfwords,
    RaIsImmediateBytes,
    RbIsRa,
    RbIsNearlyRa,
    RbIsComplementOfRa,
    RbIsRaWithWordSigns,
    RbIsRaWithDoublewordSigns,
}

/// Any relation, or none.
pub fn relation() -> impl Strategy<Value = Relation> {
    use Relation::*;
    let related = prop::sample::select(vec![
        RaIsImmediateWords,
        RaIsImmediateHalfwords,
        RaIsImmediateBytes,
        RbIsRa,
        RbIsNearlyRa,
        RbIsComplementOfRa,
        RbIsRaWithWordSigns,
        RbIsRaWithDoublewordSigns,
    ]);
    prop_oneof![1 => Just(None), 2 => related]
}

/// The registers, with the instruction's RA or RB changed so that the operands have this relation.
pub fn related(registers: &[Bytes], word: u32, relation: Relation) -> Vec<Bytes> {
    let mut registers = registers.to_vec();
    let [a, b] = [word >> 7, word >> 14].map(|field| (field & 0x7f) as usize % registers.len());
    let ra = registers[a];
    let immediate = (word << 8) as i32 >> 22;
    let spread = |unit: &[u8]| std::array::from_fn(|i| unit[i % unit.len()]);
    let signs = |bytes: usize| std::array::from_fn(|i| ra[i] ^ if i % bytes == 0 { 0x80 } else { 0 });
    match relation {
        Relation::None => {}
        Relation::RaIsImmediateWords => registers[a] = spread(&immediate.to_be_bytes()),
        Relation::RaIsImmediateHalfwords => registers[a] = spread(&(immediate as u16).to_be_bytes()),
        Relation::RaIsImmediateBytes => registers[a] = [immediate as u8; 16],
        Relation::RbIsRa => registers[b] = ra,
        Relation::RbIsNearlyRa => {
            registers[b] = ra;
            registers[b][word as usize % 16] ^= 1;
        }
        Relation::RbIsComplementOfRa => registers[b] = ra.map(|byte| !byte),
        Relation::RbIsRaWithWordSigns => registers[b] = signs(4),
        Relation::RbIsRaWithDoublewordSigns => registers[b] = signs(8),
    }
    registers
}
