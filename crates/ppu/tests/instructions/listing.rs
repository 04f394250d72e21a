//! Compares decoding and disassembly with the GNU tools.

use ppu::table::{COUNT, ROWS};
use ppu::{decode, disassemble};
use proptest::prelude::*;

#[test]
fn every_row_decodes_to_itself_or_to_a_simpler_one() {
    for (number, row) in ROWS.iter().enumerate().skip(2) {
        let found = &ROWS[usize::from(decode::row(row.encoding.bits))];
        // A word in which all other bits are zero may have a simplified mnemonic.
        assert!(found.encoding.includes(row.encoding.bits), "{}", row.mnemonic);
        let is_earlier = usize::from(decode::row(row.encoding.bits)) <= number;
        assert!(is_earlier, "{} is hidden by {}", row.mnemonic, found.mnemonic);
    }
    assert!(COUNT < usize::from(u16::MAX));
}

#[test]
fn no_row_is_hidden_by_earlier_ones() {
    // A row is hidden if an earlier row matches all of its words. Two rows overlap if they agree in all bits that are
    // fixed in both rows. If two rows overlap, some bits must be fixed only in the earlier row.
    for (number, row) in ROWS.iter().enumerate().skip(2) {
        for earlier in &ROWS[2..number] {
            let common = row.encoding.mask & earlier.encoding.mask;
            let overlap = (row.encoding.bits ^ earlier.encoding.bits) & common == 0;
            let is_special = earlier.encoding.mask & !row.encoding.mask != 0;
            assert!(!overlap || is_special, "{} hides {}", earlier.mnemonic, row.mnemonic);
        }
    }
}

#[test]
fn words_are_written_as_assemblers_read_them() {
    let listing = [
        (0x3860_ffff, "li r3,-1"),
        (0x3c80_8000, "lis r4,32768"),
        (0x7c64_2a14, "add r3,r4,r5"),
        (0x7c64_2e15, "addo. r3,r4,r5"),
        (0x8061_fff8, "lwz r3,-8(r1)"),
        (0x8060_0008, "lwz r3,8(0)"),
        (0xe861_fff9, "ldu r3,-8(r1)"),
        (0x5483_103a, "rlwinm r3,r4,2,0,29"),
        (0x7883_0c64, "rldicr r3,r4,1,49"),
        (0x4bff_fffc, "b 0xffc"),
        (0x4182_0008, "bt 2,0x1008"),
        (0x4e80_0020, "blr"),
        (0x4c00_012c, "isync"),
        (0x2f83_0000, "cmpwi cr7,r3,0"),
        (0x7c6f_f120, "mtcrf 255,r3"),
        (0x7c00_27ac, "icbi 0,r4"),
        (0x0000_0000, ".long 0x0"),
        (0x6000_0000, "nop"),
    ];
    for (word, text) in listing {
        assert_eq!(disassemble(word, 0x1000), text);
    }
}

proptest! {
    #[test]
    fn any_word_is_read_and_written(word: u32, pc: u32) {
        let row = &ROWS[usize::from(decode(word, pc).row)];
        prop_assert!(row.mnemonic == ".long" || row.encoding.includes(word));
        prop_assert!(disassemble(word, pc).starts_with(row.mnemonic));
    }
}
