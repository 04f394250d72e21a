//! Tests whether decoding and disassembly agree with the GNU tools.

use std::collections::HashSet;

use proptest::prelude::*;
use spu::table::DEFINITIONS;
use spu::{Format, Opcode, decode, disassemble};

const LISTING: &str = include_str!("listing.txt");

/// The address, the instruction word and the text of each line of the listing.
fn listing() -> impl Iterator<Item = (u32, u32, &'static str)> {
    LISTING.lines().filter(|line| !line.starts_with('#')).map(|line| {
        let mut fields = line.splitn(3, ' ');
        let mut hex = || u32::from_str_radix(fields.next().expect("a field"), 16).expect("a number");
        let (address, word) = (hex(), hex());
        (address, word, fields.next().expect("a text"))
    })
}

#[test]
fn the_text_is_that_of_objdump() {
    for (address, word, text) in listing() {
        assert_eq!(disassemble(word, address), text, "{word:08x} at {address:x}");
    }
}

#[test]
fn the_listing_has_every_instruction_and_some_that_are_none() {
    let seen: HashSet<Opcode> = listing().filter_map(|(_, word, _)| decode(word)).map(|i| i.opcode).collect();
    assert_eq!(seen.len(), DEFINITIONS.len());
    assert!(listing().any(|(_, word, _)| decode(word).is_none()));
}

#[test]
fn no_two_instructions_share_a_leftmost_part() {
    let width = |format| match format {
        Format::Rrr => 4,
        Format::Ri18 | Format::Lbt => 7,
        Format::Ri10 => 8,
        Format::Ri16 => 9,
        Format::Ri8 => 10,
        Format::Rr | Format::Ri7 | Format::Lbti | Format::Stop => 11,
    };
    let owned: u32 = DEFINITIONS.iter().map(|row| 1 << (11 - width(row.format))).sum();
    let decoded = (0..2048).filter(|leftmost| decode(leftmost << 21).is_some()).count();
    assert_eq!(decoded as u32, owned);
}

#[test]
fn relative_addresses_wrap_with_the_local_store() {
    // The first case is br .-4 at address 0, and the second case is br .+4 at the last word of the local store.
    assert_eq!(disassemble(0x327f_ff80, 0), "br 0x3fffc # 3fffc");
    assert_eq!(disassemble(0x3200_0080, 0x3_fffc), "br 0x0");
}

/// The sorted list of registers that an instruction reads, and the register that it writes.
fn uses(word: u32) -> (Vec<u8>, Option<u8>) {
    let instruction = decode(word).expect("an instruction");
    let mut reads: Vec<u8> = instruction.reads().collect();
    reads.sort_unstable();
    (reads, instruction.writes())
}

#[test]
fn registers_that_are_read_and_written() {
    assert_eq!(uses(0x3400_4102), (vec![2], Some(2)), "lqd $2,16($2)");
    assert_eq!(uses(0x2400_4102), (vec![2, 2], None), "stqd $2,16($2)");
    assert_eq!(uses(0x2885_0203), (vec![3, 4, 20], None), "stqx $3,$4,$20");
    assert_eq!(uses(0x80a0_c201), (vec![1, 3, 4], Some(5)), "selb $5,$4,$3,$1");
    assert_eq!(uses(0x6800_c205), (vec![3, 4, 5], Some(5)), "addx $5,$4,$3");
    assert_eq!(uses(0x60a0_0085), (vec![5], Some(5)), "iohl $5,16385");
    assert_eq!(uses(0x21a0_0e05), (vec![5], None), "wrch $ch28,$5");
    assert_eq!(uses(0x01a0_0e85), (vec![], Some(5)), "rdch $5,$ch29");
    assert_eq!(uses(0x7b00_c205), (vec![3, 4], None), "heq $5,$4,$3");
    assert_eq!(uses(0x2500_0183), (vec![3, 3], None), "biz $3,$3");
    assert_eq!(uses(0x4020_007f), (vec![], None), "nop $127");
}

#[test]
fn fields_of_hints_and_features_of_branches() {
    let hint = decode(0x1000_2038).expect("hbra");
    assert_eq!((hint.branch_offset_words, hint.immediate), (56, 0x100));
    let hint = decode(0x137f_ff81 | 0x0080_0000).expect("hbrr");
    assert_eq!((hint.branch_offset_words, hint.immediate), (-127, -4));
    assert!(decode(0x3590_0000).expect("hbrp").features().prefetch_or_channel);
    assert!(decode(0x0050_0000).expect("syncc").features().prefetch_or_channel);
    assert_eq!(decode(0x3508_0180).expect("bid").interrupts(), Some(false));
    assert_eq!(decode(0x3504_0180).expect("bie").interrupts(), Some(true));
    assert_eq!(decode(0x350c_0180).expect("bi with both bits").interrupts(), None);
}

proptest! {
    #[test]
    fn any_word_is_an_instruction_or_is_written_as_a_number(word in any::<u32>(), address in any::<u32>()) {
        let text = disassemble(word, address);
        match decode(word) {
            Some(instruction) => {
                prop_assert!(text.starts_with(instruction.opcode.mnemonic()));
                prop_assert!(instruction.reads().chain(instruction.writes()).all(|register| register < 128));
            }
            None => prop_assert_eq!(text, format!(".long 0x{word:x}")),
        }
    }
}
