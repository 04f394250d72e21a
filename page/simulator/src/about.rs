//! The choices that a page offers.

use cell::machine::Machine;
use cellstats::{Kind, Parameter, parameters_of};
use serde_json::{Value, json};

/// All machines, all parameters, all FUNCTIONs with the names of their parameters, and all affinities.
pub fn about() -> Result<String, String> {
    let machines = Machine::builtin_names().iter().map(|name| {
        let machine = Machine::builtin(name).map_err(|error| error.to_string())?;
        let Machine { description, chip, bif, .. } = &machine;
        Ok(json!({ "name": name, "description": description, "chips": bif.chips, "spes": chip.spes }))
    });
    let machines = machines.collect::<Result<Vec<Value>, String>>()?;
    let functions = cellstats::titles().map(|(title, rows)| {
        let names = |function| parameters_of(function).map(Parameter::name).collect::<Vec<_>>();
        let row = |(name, text)| json!({ "name": name, "text": text, "parameters": names(name) });
        json!({ "title": title, "functions": rows.into_iter().map(row).collect::<Vec<_>>() })
    });
    let about = json!({
        "version": env!("CARGO_PKG_VERSION"),
        "machines": machines,
        "parameters": Parameter::of_cell().map(parameter).collect::<Vec<_>>(),
        "functions": functions.collect::<Vec<_>>(),
        "affinities": cellstats::affinities().collect::<Vec<_>>(),
    });
    Ok(about.to_string())
}

/// A parameter with all that its field needs.
fn parameter(parameter: Parameter) -> Value {
    let row = parameter.row();
    let labels = if row.word_labels.is_empty() { row.words } else { row.word_labels };
    let choices = row.words.iter().zip(labels);
    // Words beside numbers are examples, unless each has a label.
    let has_choices = row.kind == Kind::Word || !row.word_labels.is_empty();
    json!({
        "name": parameter.name(),
        "label": parameter.label(),
        "kind": row.kind.name(),
        "hint": row.cell.trim().replace('`', ""),
        "choices": if has_choices { choices.collect::<Vec<_>>() } else { Vec::new() },
    })
}
