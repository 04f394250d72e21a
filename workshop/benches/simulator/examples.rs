//! Commands of the tool: those printed in the CellStats paper, and messages through mailboxes.

use cell::machine::Machine;
use cellstats::{Parameters, Request, measure};

const EXAMPLES: &str = include_str!("../../../python/cellstats/papers/abellan2008ps3/commands.txt");

/// All commands.
pub fn commands() -> Vec<String> {
    EXAMPLES.lines().map(str::to_string).collect()
}

/// Round trips through mailboxes, with their names in the tables.
pub const ROUND_TRIPS: [(&str, &str); 2] = [
    ("2 SPEs, mailbox messages, ps3", "CellStats -f mailbox -n 2 -s"),
    ("PPE and SPE, mailbox messages, ps3", "CellStats -f mailbox -n 1"),
];

/// Makes `trips` round trips without fast-forward.
pub fn round_trips(command: &str, trips: u64) -> u64 {
    let (function, given) = asked(command);
    measured(command, &function, &Parameters { iterations: Some(trips), fast_forward: Some(false), ..given })
}

/// Runs one command and returns the simulated nanoseconds.
pub fn run(command: &str) -> u64 {
    let (function, given) = asked(command);
    measured(command, &function, &given)
}

fn measured(command: &str, function: &str, given: &Parameters) -> u64 {
    let machine = Machine::builtin("ps3").expect("the paper's machine");
    let request = Request::new(function, given, &machine).unwrap_or_else(|error| panic!("{command}: {error}"));
    measure(&machine, &request, || true).unwrap_or_else(|error| panic!("{command}: {error}")).simulated_ns as u64
}

/// The request that a command's flags describe.
fn asked(command: &str) -> (String, Parameters) {
    let (mut function, mut given) = (String::new(), Parameters::default());
    let mut words = command.split_whitespace().skip(1);
    while let Some(flag) = words.next() {
        if flag == "-s" {
            given.spe_to_spe = true;
            continue;
        }
        let value = words.next().unwrap_or_else(|| panic!("{command}: {flag} without a value"));
        match flag {
            "-f" => function = value.to_string(),
            "-n" | "-N" => {
                given.private = flag == "-N";
                given.spes = Some(number(value, 1000) as u32);
            }
            "-i" => given.iterations = Some(number(value, 1000)),
            "-b" => given.size = Some(number(value, 1024) as u32),
            "-l" => given.list_elements = Some(number(value, 1024) as u32),
            "-t" => given.stride = Some(number(value, 1024) as u32),
            "--ppe" => given.ppe = Some(value.to_string()),
            _ => panic!("{command}: unknown flag {flag}"),
        }
    }
    (function, given)
}

/// Parses a number with k and m, which are decimal for iterations and binary for bytes.
fn number(text: &str, kilo: u64) -> u64 {
    let (digits, unit) = match (text.strip_suffix('k'), text.strip_suffix('m')) {
        (Some(digits), _) => (digits, kilo),
        (_, Some(digits)) => (digits, kilo * kilo),
        _ => (text, 1),
    };
    digits.parse::<u64>().expect("a number") * unit
}
