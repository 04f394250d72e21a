//! Tests that equal runs have equal results.

use super::toolchain::{Bits, Linked, compile, execute};
use crate::parts;

#[test]
fn a_program_with_threads_leaves_the_same_record_twice() {
    if !parts::is_there("powerpc") {
        return;
    }
    let program = compile("race", Bits::B32, Linked::Dynamically);
    let run = || execute(&program, &[]).unwrap_or_else(|refusal| panic!("{refusal}"));
    let ((first, first_text), (second, second_text)) = (run(), run());
    assert_eq!(first_text, second_text);
    assert_eq!(first.record.to_json(), second.record.to_json());
    assert_eq!(first.ppe, second.ppe);
}
