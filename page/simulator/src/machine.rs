//! The machine of a page: a built-in machine, or the text of a machine file, perhaps with changed values.

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
    /// Values that replace the machine's own values, by key: numbers and arrays.
    #[serde(default)]
    values: BTreeMap<String, serde_json::Value>,
}

impl MachineChoice {
    /// Reads the machine.
    pub fn read(&self) -> Result<Machine, String> {
        let line = |error: cell::machine::MachineError| error.to_string();
        let settings: Vec<String> = self.values.iter().map(|(key, value)| format!("{key}={value}")).collect();
        match (&self.name, &self.toml) {
            (Some(name), None) => Machine::builtin_with(name, &settings).map_err(line),
            (None, Some(text)) => {
                Machine::parse_with(text, self.origin.as_deref().unwrap_or("machine file"), &settings).map_err(line)
            }
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
