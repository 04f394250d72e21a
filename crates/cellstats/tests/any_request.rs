//! Every request is either measured, or refused with one line of text.

#[path = "../../../workshop/fuzz/request.rs"]
mod request;

use cell::machine::Machine;
use cellstats::{functions, measure};
use proptest::prelude::*;
use proptest::sample::select;
use request::read_request;

/// A JSON value as text.
type Text = BoxedStrategy<String>;

/// Values that are invalid for most parameters.
fn odd() -> Text {
    let numbers = ["0", "-1", "1.5", "1e3", "1e400", "4294967295", "4294967296", "18446744073709551616", "NaN"];
    let others = ["null", "true", "\"\"", "\"{size}\"", "\"\\n\"", "\"\\ud800\"", "[]", "{}", "[[1]]", "\"é\"", "-"];
    prop_oneof![select(numbers.to_vec()), select(others.to_vec())].prop_map(str::to_string).boxed()
}

fn one_of(values: &'static [&'static str]) -> Text {
    select(values).prop_map(str::to_string).boxed()
}

fn pattern() -> Text {
    let end =
        || prop_oneof![4 => (0..5).prop_map(|thread: i32| thread.to_string()), 1 => Just("\"memory\"".to_string())];
    let bytes = one_of(&["16", "128", "8", "20000", "0", "24", "262144", "4294967295"]);
    let repetitions = one_of(&["1", "2", "0", "1000000", "1000001"]);
    let message = (end(), end(), bytes, repetitions).prop_map(|(source, destination, bytes, repetitions)| {
        format!(r#"{{"source":{source},"destination":{destination},"bytes":{bytes},"repetitions":{repetitions}}}"#)
    });
    let phases = prop::collection::vec(prop::collection::vec(message, 0..4), 0..3);
    let written = |(threads, phases): (u32, Vec<Vec<String>>)| {
        let phases: Vec<String> = phases.iter().map(|phase| format!("[{}]", phase.join(","))).collect();
        format!(r#"{{"name":"{{size}}","threads":{threads},"phases":[{}]}}"#, phases.join(","))
    };
    (0..6u32, phases).prop_map(written).boxed()
}

/// A parameter with a plausible value.
fn parameter() -> impl Strategy<Value = (&'static str, Text)> {
    let counts: &[&str] = &["1", "2", "3", "4", "6", "7", "8", "16", "17"];
    let switch: &[&str] = &["true", "false"];
    select(vec![
        ("spes", one_of(counts)),
        ("private", one_of(switch)),
        ("iterations", one_of(&["1", "3", "17", "1000000000", "1000000001"])),
        ("size", one_of(&["1", "2", "4", "8", "16", "24", "128", "4096", "16384", "32768"])),
        ("list_elements", one_of(&["1", "2", "16", "1024", "1025", "2048", "2049"])),
        ("stride", one_of(&["1", "4", "16", "128", "2048", "1073741824", "4294967280"])),
        ("spe_to_spe", one_of(switch)),
        ("ppe", one_of(&["\"library\"", "\"mmio\"", "\"pipe\""])),
        ("batch", one_of(&["0", "1", "2", "7", "4294967295"])),
        ("op", one_of(&["\"get\"", "\"put\"", "\"copy\""])),
        ("target", one_of(&["\"memory\"", "0", "\"1\"", "5", "\"4294967296\""])),
        ("level", one_of(&["\"l1\"", "\"l2\"", "\"l1l2\"", "\"ls\"", "\"l3\""])),
        ("pattern", pattern()),
        ("threads", one_of(&["1", "2", "3", "4294967295"])),
        ("histogram", one_of(switch)),
        ("cells", one_of(&["0", "1", "\"01\"", "\"10\""])),
        ("memory", one_of(&["0", "1", "\"interleave\""])),
        ("placement", one_of(&["\"random\"", "[0]", "[1,0]", "[0,2,4,6,1,3]", "[0,8]", "[0,0]", "[300]"])),
        ("seed", one_of(&["0", "7", "18446744073709551615"])),
        ("fast_forward", one_of(switch)),
        ("private_spes", one_of(counts)),
        ("samples", one_of(counts)),
        ("{size}", one_of(counts)),
    ])
}

/// A parameter of a request, mostly with a plausible value, sometimes with an odd value.
fn given() -> impl Strategy<Value = String> {
    let value = |(name, usual): (&'static str, Text)| {
        prop_oneof![9 => usual, 1 => odd()].prop_map(move |value| format!(",\"{name}\":{value}"))
    };
    parameter().prop_flat_map(value)
}

fn request_text() -> impl Strategy<Value = String> {
    let function = select(functions().collect::<Vec<_>>());
    (function, prop::collection::vec(given(), 0..5))
        .prop_map(|(function, given)| format!("{{\"function\":\"{function}\"{}}}", given.concat()))
}

fn machine() -> impl Strategy<Value = Machine> {
    select(Machine::builtin_names().to_vec()).prop_map(|name| Machine::builtin(name).expect("it is built in"))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(500))]

    #[test]
    fn any_parameters_of_any_function_are_measured_or_refused_in_one_line(
        text in request_text(), machine in machine(),
    ) {
        read_request(&text, &machine);
    }

    #[test]
    fn a_request_with_random_damage_is_measured_or_refused_in_one_line(
        text in request_text(), at in any::<prop::sample::Index>(), cut in 0..4usize, insert in ".{0,6}",
    ) {
        let (at, end) = { let at = at.index(text.len()); (at, (at + cut).min(text.len())) };
        let (at, end) = (text.floor_char_boundary(at), text.floor_char_boundary(end));
        let machine = Machine::builtin("ps3").expect("it is built in");
        read_request(&format!("{}{insert}{}", &text[..at], &text[end..]), &machine);
    }

    #[test]
    fn any_text_is_refused_in_one_line(text in ".{0,60}") {
        read_request(&text, &Machine::builtin("ps3").expect("it is built in"));
    }
}

#[test]
fn deep_and_long_requests_are_refused_in_one_line() {
    let machine = Machine::builtin("ps3").expect("it is built in");
    for (open, close) in [("[", "]"), ("{\"a\":", "}")] {
        let deep = format!("{{\"function\":\"mailbox\",\"private\":{}1{}}}", open.repeat(9999), close.repeat(9999));
        read_request(&deep, &machine);
    }
    let long = "x".repeat(1 << 20);
    for text in [
        format!("{{\"{long}\":1}}"),
        format!("{{\"function\":\"{long}\"}}"),
        format!("{{\"function\":\"cycle\",\"op\":\"{long}\"}}"),
        format!("{{\"function\":\"dmaget\",\"cells\":\"{long}\"}}"),
        format!("{{\"function\":\"dmaget\",\"size\":{}}}", "9".repeat(300)),
        format!("{{\"function\":\"exchange\",\"pattern\":{{\"name\":\"{long}\",\"threads\":2,\"phases\":[]}}}}"),
    ] {
        read_request(&text, &machine);
    }
}

/// Measures every FUNCTION on every machine, with only the number of iterations given.
#[test]
fn what_has_defaults_is_measured_everywhere() {
    for name in Machine::builtin_names() {
        let machine = Machine::builtin(name).expect("it is built in");
        for function in functions().filter(|function| *function != "exchange") {
            let text = format!(r#"{{"function": "{function}", "iterations": 2}}"#);
            let request = cellstats::Request::parse(&text, &machine).expect(function);
            assert!(measure(&machine, &request, || true).is_ok(), "{function} on {name}");
        }
    }
}
