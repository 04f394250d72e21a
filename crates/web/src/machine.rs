//! Machines as a page names them: built-in ones, with some values changed, or the text of a machine file.

use cell::machine::{Machine, Value};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;
use std::fmt::Write;

/// Which machine; `name` or `toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineChoice {
    name: Option<String>,
    /// A machine file.
    toml: Option<String>,
    /// Its name, for messages.
    origin: Option<String>,
    /// Other values, by their keys: what if?
    #[serde(default)]
    values: BTreeMap<String, u64>,
}

impl MachineChoice {
    /// The machine.
    pub fn read(&self) -> Result<Machine, String> {
        let line = |error: cell::machine::MachineError| error.to_string();
        match (&self.name, &self.toml) {
            (Some(name), None) if self.values.is_empty() => Machine::builtin(name).map_err(line),
            (Some(name), None) => {
                let text = changed(&Machine::builtin(name).map_err(line)?, &self.values)?;
                Machine::parse(&text, &format!("{name} with other values")).map_err(line)
            }
            (None, Some(text)) if self.values.is_empty() => {
                Machine::parse(text, self.origin.as_deref().unwrap_or("machine file")).map_err(line)
            }
            (None, Some(_)) => Err("only a built-in machine takes other values; change them in the file".to_string()),
            _ => Err("a machine has a name, or the text of a file".to_string()),
        }
    }
}

/// A machine file: the machine with other values, each in the range that it then has.
fn changed(machine: &Machine, values: &BTreeMap<String, u64>) -> Result<String, String> {
    let mut text = format!("base = {:?}\nname = {:?}\n", machine.name, machine.name);
    for (key, value) in values {
        let known = machine.values().iter().find(|known| known.key == key);
        let known = known.ok_or_else(|| format!("{key}: {} has no such value", machine.name))?;
        let (low, high) = known.range.unwrap_or((*value, *value));
        let (low, high) = (low.min(*value), high.max(*value));
        let about =
            format!("unit = {:?}, basis = \"assumed\", range = [{low}, {high}], source = \"what if\"", known.unit);
        // Writing to a string cannot fail.
        _ = writeln!(text, "{key} = {{ value = {value}, {about} }}");
    }
    Ok(text)
}

/// A machine and its values; those that are no number are left out.
pub fn values(machine: &Machine) -> String {
    let values = machine.values().iter().filter_map(|known| {
        let value: u64 = known.text().parse().ok()?;
        let Value { key, unit, basis, range, source, doc, .. } = known;
        let basis = basis.as_str();
        let about = json!({ "key": key, "value": value, "unit": unit, "basis": basis, "range": range });
        Some((about, source, doc))
    });
    let values = values.map(|(mut about, source, doc)| {
        about["source"] = json!(source);
        about["meaning"] = json!(doc);
        about
    });
    let Machine { name, description, chip, bif, .. } = machine;
    json!({
        "name": name,
        "description": description,
        "chips": bif.chips,
        "spes": chip.spes,
        "bus_hz": machine.bus_hz(),
        "values": values.collect::<Vec<_>>(),
    })
    .to_string()
}
