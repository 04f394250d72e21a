//! Runs the body of the fuzz target on random bytes, on damaged executables, and on words that are probably
//! instructions.

#[path = "../../../../workshop/fuzz/executable.rs"]
mod executable;

use executable::{run_file, run_words};
use proptest::prelude::*;

const FILES: &[u8] = include_bytes!("../../../../programs/tests/files.elf");

proptest! {
    #![proptest_config(ProptestConfig::with_cases(100))]

    #[test]
    fn random_words_end_or_end_in_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..2000)) {
        run_words(&bytes);
    }

    #[test]
    fn channel_instructions_of_all_kinds_end_or_end_in_an_error(
        words in proptest::collection::vec((0..6u32, 0..32u32, 0..128u32), 1..300),
    ) {
        // The instruction words are rdch, rchcnt, wrch, il, a stop that requests a call, and a stop that exits.
        let opcodes = [0x01a0_0000, 0x01e0_0000, 0x21a0_0000, 0x4080_0000, 0x2100, 0x2000];
        let word = |(kind, channel, register): (u32, u32, u32)| match kind {
            0..=2 => opcodes[kind as usize] | channel << 7 | register,
            3 => opcodes[3] | channel << 7 | register,
            _ => opcodes[kind as usize] | channel & 1,
        };
        let bytes: Vec<u8> = words.into_iter().map(word).flat_map(u32::to_be_bytes).collect();
        run_words(&bytes);
    }

    #[test]
    fn damaged_executables_end_or_end_in_an_error(
        changes in proptest::collection::vec((0..FILES.len(), any::<u8>()), 1..40),
    ) {
        let mut file = FILES.to_vec();
        changes.into_iter().for_each(|(at, byte)| file[at] = byte);
        run_file(&file);
    }
}
