//! The commands that the CellStats paper prints, as the tool runs them.

use cell::machine::Machine;
use cellstats::{Function, Params, PpePath, measure};

const EXAMPLES: &str = include_str!("../../python/cellstats/papers/abellan2008ps3/commands.txt");

/// All commands.
pub fn commands() -> Vec<String> {
    EXAMPLES.lines().map(str::to_string).collect()
}

/// Runs one command; the nanoseconds it simulates.
pub fn run(command: &str) -> u64 {
    let machine = Machine::builtin("ps3").expect("the paper's machine");
    let params = params(command);
    measure(&machine, &params, || true).unwrap_or_else(|error| panic!("{command}: {error}")).simulated_ns as u64
}

/// What a command's flags ask for.
fn params(command: &str) -> Params {
    let mut params = Params::new(Function::Mailbox);
    let mut words = command.split_whitespace().skip(1);
    while let Some(flag) = words.next() {
        if flag == "-s" {
            params.spe_to_spe = true;
            continue;
        }
        let value = words.next().unwrap_or_else(|| panic!("{command}: {flag} without a value"));
        match flag {
            "-f" => params.function = Function::from_name(value).unwrap_or_else(|| panic!("{command}: no {value}")),
            "-n" | "-N" => {
                params.private = flag == "-N";
                params.spes = number(value, 1000) as u32;
            }
            "-i" => params.iterations = number(value, 1000),
            "-b" => params.size_bytes = Some(number(value, 1024) as u32),
            "-l" => params.list_elements = Some(number(value, 1024) as u32),
            "-t" => params.stride_bytes = Some(number(value, 1024)),
            "--ppe" => params.ppe = if value == "mmio" { PpePath::Mmio } else { PpePath::Library },
            _ => panic!("{command}: unknown flag {flag}"),
        }
    }
    params
}

/// A number with k and m, decimal for iterations and binary for bytes.
fn number(text: &str, kilo: u64) -> u64 {
    let (digits, unit) = match (text.strip_suffix('k'), text.strip_suffix('m')) {
        (Some(digits), _) => (digits, kilo),
        (_, Some(digits)) => (digits, kilo * kilo),
        _ => (text, 1),
    };
    digits.parse::<u64>().expect("a number") * unit
}
