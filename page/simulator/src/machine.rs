//! The machine of a page: a built-in machine, perhaps with changed values, or the text of a machine file.

use cell::machine::{Machine, Value};
use serde::Deserialize;
use serde_json::json;
use std::collections::BTreeMap;

/// A choice of a machine, by `name` or by `toml`.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MachineChoice {
    name: Option<String>,
    /// Text of a machine file.
    toml: Option<String>,
    /// Name of the machine file in messages.
    origin: Option<String>,
    /// Values that replace the machine's own values, by key.
    #[serde(default)]
    values: BTreeMap<String, u64>,
}

impl MachineChoice {
    /// Reads the machine.
    pub fn read(&self) -> Result<Machine, String> {
        let line = |error: cell::machine::MachineError| error.to_string();
        match (&self.name, &self.toml) {
            (Some(name), None) if self.values.is_empty() => Machine::builtin(name).map_err(line),
            (Some(name), None) => {
                let values = self.values.iter().map(|(key, value)| (key.as_str(), *value));
                let text = Machine::what_if(name, values).map_err(line)?;
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

/// A machine and its numeric values.
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
