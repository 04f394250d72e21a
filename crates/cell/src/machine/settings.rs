//! Settings, which change values of a machine for an experiment: `eib.hop_bus_cycles=2`.

use super::error::MachineError;
use super::library::Assembled;
use super::read::chosen;
use std::collections::BTreeMap;

/// Applies settings to the values of a machine file. Of several settings of one value, the last one counts. Returns the
/// settings in the order of their keys, and in the notation of [`Value::text`](super::value::Value::text) without spaces.
pub(super) fn apply(
    settings: &[impl AsRef<str>],
    origin: &str,
    assembled: &mut Assembled,
) -> Result<Vec<String>, MachineError> {
    let mut applied = BTreeMap::new();
    for setting in settings.iter().map(AsRef::as_ref) {
        let Some((key, text)) = setting.split_once('=') else {
            let message = "must be KEY=VALUE, as in eib.hop_bus_cycles=2".to_string();
            return Err(MachineError::new(origin, None, setting, message));
        };
        let value = chosen(key.trim(), text.trim(), origin)?;
        applied.insert(value.key, format!("{}={}", value.key, value.text().replace(' ', "")));
        assembled.values.insert(value.key, value);
    }
    Ok(applied.into_values().collect())
}

#[cfg(test)]
mod tests {
    use crate::machine::{Basis, Machine};

    #[test]
    fn a_machine_with_settings_differs_in_these_values_and_in_nothing_else() {
        let ps3 = Machine::builtin("ps3").unwrap();
        let settings = ["mfc.spu_queue_entries=8", "chip.spes=[0, 2]", "mfc.spu_queue_entries = 0b100"];
        let other = Machine::builtin_with("ps3", &settings).unwrap();
        assert_eq!(other.name, "ps3 chip.spes=[0,2] mfc.spu_queue_entries=4");
        assert_ne!(other.hash(), ps3.hash());
        for (before, after) in ps3.values().iter().zip(other.values()) {
            let text = match before.key {
                "chip.spes" => "[0, 2]",
                "mfc.spu_queue_entries" => "4",
                _ => {
                    assert_eq!(before, after);
                    continue;
                }
            };
            assert_eq!((after.text(), after.basis, after.base), (text.to_string(), Basis::Mine, None));
            assert_eq!((after.range, after.interval), (None, None));
        }
    }

    #[test]
    fn a_setting_that_cannot_be_is_refused_in_one_line() {
        let refused = |setting, message: &str| {
            let error = Machine::builtin_with("ps3", &[setting]).expect_err("a mistake").to_string();
            assert_eq!(error, format!("ps3: {message}"));
        };
        refused("eib.hop_bus_cycle=2", "eib.hop_bus_cycle: unknown key; did you mean eib.hop_bus_cycles?");
        refused("x=1", "x: unknown key; `cellstats machine show` lists them");
        refused("eib.hop_bus_cycles", "eib.hop_bus_cycles: must be KEY=VALUE, as in eib.hop_bus_cycles=2");
        refused("eib.hop_bus_cycles=x", "eib.hop_bus_cycles: value is x; must be an integer");
        refused("eib.hop_bus_cycles=", "eib.hop_bus_cycles: value is missing; must be an integer");
        refused("eib.hop_bus_cycles=1.5", "eib.hop_bus_cycles: value is a float; must be an integer");
        refused("eib.hop_bus_cycles=[1]", "eib.hop_bus_cycles: value is an array; must be an integer");
    }
}
