//! Runs the bodies of the fuzz targets on random bytes, and on bytes that once caused a failure.

use super::generator::{read_machine, run_programs};
use cell::machine::Machine;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig::with_cases(1500))]

    #[test]
    fn random_programs_end_or_end_in_an_error(bytes in proptest::collection::vec(any::<u8>(), 0..3000)) {
        run_programs(&bytes);
    }

    #[test]
    fn random_bytes_are_no_machine_and_are_refused_in_one_line(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        read_machine(&bytes);
    }

    #[test]
    fn a_machine_file_with_random_damage_is_read_or_refused_in_one_line(
        at in any::<prop::sample::Index>(), cut in 0..20usize, insert in ".{0,12}",
    ) {
        let file = include_str!("../../../../machines/examples/sixteen-spes.toml");
        let at = at.index(file.len());
        let (at, end) = (file.floor_char_boundary(at), file.floor_char_boundary((at + cut).min(file.len())));
        read_machine(format!("{}{insert}{}", &file[..at], &file[end..]).as_bytes());
    }
}

#[test]
fn the_undamaged_file_is_a_machine() {
    let file = include_str!("../../../../machines/examples/sixteen-spes.toml");
    assert!(Machine::parse(file, "sixteen-spes.toml").is_ok());
}
