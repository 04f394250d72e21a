//! Tests that a page receives the same answers as the command-line tool, or one-line errors.

use cell::machine::Machine;
use cellstats::{Request, TraceSpan, functions, measure, trace};
use proptest::prelude::*;
use serde_json::{Value, json};
use web::{Sessions, respond};

fn ask(sessions: &mut Sessions, request: &Value) -> Value {
    serde_json::from_str(&respond(request.to_string().as_bytes(), sessions)).expect("JSON")
}

fn error(sessions: &mut Sessions, request: &Value) -> String {
    let line = ask(sessions, request)["error"].as_str().map(String::from).unwrap_or_else(|| panic!("{request}"));
    assert!(!line.contains('\n') && !line.is_empty(), "{line}");
    line
}

#[test]
fn it_says_what_there_is() {
    let about = ask(&mut Sessions::default(), &json!({ "ask": "about" }));
    let machines: Vec<&str> =
        about["machines"].as_array().unwrap().iter().map(|m| m["name"].as_str().unwrap()).collect();
    assert_eq!(machines, Machine::builtin_names());
    let known: Vec<&Value> =
        about["functions"].as_array().unwrap().iter().flat_map(|g| g["functions"].as_array().unwrap()).collect();
    assert_eq!(known.iter().map(|f| f["name"].as_str().unwrap()).collect::<Vec<_>>(), functions().collect::<Vec<_>>());
    let takes = |function: &str| known.iter().find(|f| f["name"] == function).unwrap()["parameters"].to_string();
    assert!(takes("hotspot").contains("\"target\"") && !takes("couples").contains("\"target\""));
    assert!(!takes("mailbox").contains("\"size\"") && takes("dmaget").contains("\"size\""));
    let fields = about["parameters"].as_array().unwrap();
    assert!(known.iter().flat_map(|f| f["parameters"].as_array().unwrap()).all(|name| {
        let field = fields.iter().find(|field| field["name"] == *name).unwrap();
        !field["label"].as_str().unwrap().is_empty() && !field["hint"].as_str().unwrap().is_empty()
    }));
}

#[test]
fn results_and_windows_are_those_of_the_tool() {
    let mut sessions = Sessions::default();
    for (name, request) in [
        ("ps3", json!({ "function": "dmaget", "spes": 6, "size": 1024, "iterations": 100 })),
        ("eval-board", json!({ "function": "couples", "size": 16384, "placement": [0, 7, 1, 6, 2, 5, 3, 4] })),
        ("blade-2100", json!({ "function": "hotspot", "spes": 16, "memory": "1" })),
        ("ps3", json!({ "function": "fetchadd", "spes": 4, "iterations": 50 })),
    ] {
        let machine = Machine::builtin(name).unwrap();
        let asked = Request::parse(&request.to_string(), &machine).unwrap();
        let chosen = json!({ "name": name });
        let result = ask(&mut sessions, &json!({ "ask": "measure", "machine": chosen, "request": request }));
        let expected = measure(&machine, &asked, || true).unwrap().to_json();
        assert_eq!(result, serde_json::from_str::<Value>(&expected).unwrap(), "{request}");
        let opened = ask(&mut sessions, &json!({ "ask": "open", "machine": chosen, "request": request }));
        assert_eq!(opened["placement"], result["placement"], "{request}");
        assert_eq!(opened["parameters"]["iterations"], result["iterations"]);
        for (skip, bus_cycles) in [(0, 400), (400, 400), (100, 50)] {
            let window = ask(&mut sessions, &json!({ "ask": "window", "skip": skip, "bus_cycles": bus_cycles }));
            let span = TraceSpan { skip_bus_cycles: skip, bus_cycles };
            let expected = trace(&machine, &asked, span, || true).unwrap().to_columns_json();
            assert_eq!(window, serde_json::from_str::<Value>(&expected).unwrap(), "{request}");
        }
    }
}

#[test]
fn a_machine_takes_other_values_as_numbers_and_says_its_own() {
    let mut sessions = Sessions::default();
    let machine = json!({ "name": "ps3", "values": { "eib.hop_bus_cycles": 3 } });
    let about = ask(&mut sessions, &json!({ "ask": "machine", "machine": machine }));
    let hop = about["values"].as_array().unwrap().iter().find(|v| v["key"] == "eib.hop_bus_cycles").unwrap();
    assert_eq!(
        (&hop["value"], &hop["basis"], &hop["source"]),
        (&json!(3), &json!("mine"), &json!("chosen by the user"))
    );
    let request = json!({ "function": "dmaget" });
    ask(&mut sessions, &json!({ "ask": "open", "machine": machine, "request": request }));
    assert_eq!(ask(&mut sessions, &json!({ "ask": "window", "skip": 0, "bus_cycles": 9 }))["hop_bus_cycles"], 3);
    let own = json!({ "toml": "base = \"ps3\"\nname = \"mine\"\n", "values": { "chip.spes": [0, 2] } });
    let about = ask(&mut sessions, &json!({ "ask": "machine", "machine": own }));
    assert_eq!((&about["name"], &about["spes"]), (&json!("mine chip.spes=[0,2]"), &json!([0, 2])));
}

#[test]
fn affinities_are_orders_of_spes() {
    let mut sessions = Sessions::default();
    let named = |name: &str, threads: u32| json!({ "ask": "affinity", "machine": { "name": "eval-board" }, "name": name, "threads": threads });
    assert_eq!(ask(&mut sessions, &named("ring", 4)), json!({ "placement": [0, 2, 4, 6] }));
    assert_eq!(error(&mut sessions, &named("best", 4)), "unknown affinity \"best\"");
    assert_eq!(error(&mut sessions, &named("ring", 9)), "9 threads: eval-board has 8 SPEs to use");
}

#[test]
fn the_best_placement_is_for_what_was_seen_to_move() {
    let mut sessions = Sessions::default();
    let machine = json!({ "name": "eval-board" });
    // Couples on SPEs as far apart as possible.
    let far = [0, 7, 2, 5, 4, 3, 6, 1];
    let bandwidth = |sessions: &mut Sessions, placement: &Value| {
        let request = json!({ "function": "couples", "spes": 8, "size": 16384, "placement": placement });
        ask(sessions, &json!({ "ask": "measure", "machine": machine, "request": request }))["bandwidth_gb_s"]
            .as_f64()
            .unwrap()
    };
    let request = json!({ "function": "couples", "spes": 8, "size": 16384, "placement": far });
    ask(&mut sessions, &json!({ "ask": "open", "machine": machine, "request": request }));
    assert!(error(&mut sessions, &json!({ "ask": "place" })).starts_with("the picture is not drawn yet"));
    ask(&mut sessions, &json!({ "ask": "window", "skip": 1000, "bus_cycles": 4000 }));
    let found = ask(&mut sessions, &json!({ "ask": "place" }));
    assert!(found["bus_cycles"].as_u64() < found["bus_cycles_now"].as_u64(), "{found}");
    let (before, after) = (bandwidth(&mut sessions, &json!(far)), bandwidth(&mut sessions, &found["placement"]));
    assert!(after > 1.2 * before, "{before} and {after} GB/s");
}

#[test]
fn what_cannot_be_is_said_in_one_line() {
    let mut sessions = Sessions::default();
    let ps3 = json!({ "name": "ps3" });
    for (request, said) in [
        (
            json!({ "ask": "window", "skip": 0, "bus_cycles": 10 }),
            "no run is open yet; wait until the picture is drawn",
        ),
        (json!({ "ask": "wndow" }), "no request: unknown variant"),
        (json!({}), "no request: missing field `ask`"),
        (json!({ "ask": "open", "machine": {}, "request": {} }), "a machine has a name, or the text of a file"),
        (
            json!({ "ask": "open", "machine": { "name": "ps5" }, "request": {} }),
            "ps5: unknown machine; the known ones are ps3, ",
        ),
        (json!({ "ask": "open", "machine": ps3, "request": { "function": "fly" } }), "unknown function \"fly\""),
        (json!({ "ask": "open", "machine": ps3, "request": { "function": "dmaget", "size": 3 } }), "size 3: "),
        (
            json!({ "ask": "machine", "machine": { "name": "ps3", "values": { "eib.speed": 3 } } }),
            "ps3: eib.speed: unknown key",
        ),
        (
            json!({ "ask": "breakdown", "machine": ps3, "request": { "function": "couples" } }),
            "couples is not a single DMA",
        ),
    ] {
        let line = error(&mut sessions, &request);
        assert!(line.starts_with(said), "{request}: {line}");
    }
    ask(&mut sessions, &json!({ "ask": "open", "machine": ps3, "request": { "function": "dmaget", "iterations": 5 } }));
    let late = error(&mut sessions, &json!({ "ask": "window", "skip": 900_000, "bus_cycles": 10 }));
    assert!(late.starts_with("skip 900000: the run ends before that"), "{late}");
    let none = error(&mut sessions, &json!({ "ask": "window", "skip": 0, "bus_cycles": 0 }));
    assert!(none.starts_with("window 0: give 1 to"), "{none}");
}

proptest! {
    #[test]
    fn any_bytes_are_answered(bytes in proptest::collection::vec(any::<u8>(), 0..200)) {
        let text = respond(&bytes, &mut Sessions::default());
        prop_assert!(serde_json::from_str::<Value>(&text).is_ok_and(|answer| answer["error"].is_string()));
    }
}
