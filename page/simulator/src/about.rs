//! The choices that a page offers.

use cell::machine::Machine;
use cellstats::{Computer, Parameter};
use serde_json::{Value, json};

/// All machines, all FUNCTIONs with their parameters, and all affinities.
pub fn about() -> Result<String, String> {
    let machines = Machine::builtin_names().iter().map(|name| {
        let machine = Machine::builtin(name).map_err(|error| error.to_string())?;
        let Machine { description, chip, bif, .. } = &machine;
        Ok(json!({ "name": name, "description": description, "chips": bif.chips, "spes": chip.spes }))
    });
    let machines = machines.collect::<Result<Vec<Value>, String>>()?;
    let functions = cellstats::help().into_iter().map(|(heading, rows)| {
        // One row of the help text may describe several FUNCTIONs.
        let each = rows.iter().flat_map(|(names, text)| names.split(", ").map(move |name| (name, text)));
        let rows = each.map(|(name, text)| json!({ "name": name, "text": text, "parameters": parameters_of(name) }));
        json!({ "heading": heading, "functions": rows.collect::<Vec<_>>() })
    });
    let affinities: Vec<&str> = cellstats::affinities().collect();
    let (version, functions) = (env!("CARGO_PKG_VERSION"), functions.collect::<Vec<_>>());
    let about = json!({ "version": version, "machines": machines, "functions": functions, "affinities": affinities });
    Ok(about.to_string())
}

/// The parameters that a FUNCTION takes on a simulated machine.
fn parameters_of(function: &str) -> Vec<&'static str> {
    let taken = |parameter: Parameter| cellstats::refusal(function, &[(parameter, None)], Computer::Cell).is_none();
    Parameter::ALL.iter().filter(|(parameter, ..)| taken(*parameter)).map(|(_, name, _)| *name).collect()
}
