//! What-if machines: built-in machines with changed values.

use super::description::Machine;
use super::error::{MachineError, did_you_mean};
use std::fmt::Write;

impl Machine {
    /// Returns the text of a machine file for a built-in machine with some numbers changed. The machine keeps its
    /// name. Each changed value is marked as assumed, and its range is widened to include the new value.
    ///
    /// # Errors
    /// The machine or a key is unknown. Illegal values are not detected here but in [`Machine::parse`].
    pub fn what_if<'a>(name: &str, values: impl IntoIterator<Item = (&'a str, u64)>) -> Result<String, MachineError> {
        let machine = Machine::builtin(name)?;
        let mut text = format!("base = {name:?}\nname = {name:?}\n");
        for (key, value) in values {
            let Some(known) = machine.values().iter().find(|known| known.key == key) else {
                let hint = did_you_mean(key, machine.values().iter().map(|known| known.key));
                let hint = hint.unwrap_or_else(|| "; `cellstats machine show` lists them".to_string());
                return Err(MachineError::new(name, None, key, format!("unknown key{hint}")));
            };
            let (low, high) = known.range.unwrap_or((value, value));
            let range = [low.min(value), high.max(value)];
            let about =
                format!("unit = {:?}, basis = \"assumed\", range = {range:?}, source = \"what if\"", known.unit);
            // Writing to a string cannot fail.
            _ = writeln!(text, "{key} = {{ value = {value}, {about} }}");
        }
        Ok(text)
    }
}

#[cfg(test)]
mod tests {
    use super::Machine;
    use crate::machine::Basis;

    #[test]
    fn a_machine_with_other_values_differs_in_these_and_in_nothing_else() {
        let ps3 = Machine::builtin("ps3").unwrap();
        // The first value is within its range, the second value is outside its range, and the third key has no range.
        let values = [("eib.command_credits", 8), ("eib.command_issue_bus_cycles", 50), ("mfc.spu_queue_entries", 4)];
        let other = Machine::parse(&Machine::what_if("ps3", values).unwrap(), "other.toml").unwrap();
        assert_eq!(other.name, "ps3");
        for (before, after) in ps3.values().iter().zip(other.values()) {
            let Some((_, value)) = values.iter().find(|(key, _)| *key == before.key) else {
                assert_eq!((before.text(), before.basis), (after.text(), after.basis), "{}", before.key);
                continue;
            };
            assert_eq!((after.text(), after.basis), (value.to_string(), Basis::Assumed));
            let (low, high) = after.range.unwrap();
            let (least, most) = before.range.unwrap_or((*value, *value));
            assert_eq!((low, high), (least.min(*value), most.max(*value)), "{}", before.key);
        }
        let error = |key| Machine::what_if("ps3", [(key, 1)]).unwrap_err().to_string();
        assert_eq!(error("eib.hop_bus_cycle"), "ps3: eib.hop_bus_cycle: unknown key; did you mean eib.hop_bus_cycles?");
        assert_eq!(error("x"), "ps3: x: unknown key; `cellstats machine show` lists them");
        assert!(Machine::what_if("ps4", []).unwrap_err().to_string().starts_with("ps4: unknown machine"));
    }
}
