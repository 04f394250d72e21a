//! Does every kind of pointer fit into an `int` with low addresses, and only then?

use super::toolchain::{Bits, Linked, Where, compile, execute_in};
use crate::parts;

fn lost(bits: Bits, linked: Linked, low_addresses: bool) -> String {
    let program = compile("low_addresses", bits, linked);
    let place = Where { low_addresses, ..Where::default() };
    let (outcome, text) = execute_in(place, &program, &[]).unwrap_or_else(|refusal| panic!("{refusal}"));
    assert_eq!((outcome.status, &outcome.line), (Some(0), &None), "{bits:?}, {linked:?}: {text}");
    text
}

#[test]
fn pointers_survive_as_integers_with_low_addresses() {
    if !parts::is_there("powerpc") {
        return;
    }
    for linked in [Linked::Dynamically, Linked::Statically] {
        for bits in [Bits::B32, Bits::B64] {
            assert_eq!(lost(bits, linked, true), "end\n", "{bits:?}, {linked:?}");
        }
        let text = lost(Bits::B64, linked, false);
        assert!(text.starts_with("malloc mmap shmat stack argv environ "), "{text}");
        assert!(text.ends_with("thread end\n"), "{text}");
    }
}
