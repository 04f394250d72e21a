//! `monitor trace`: the last transfers over the rings.

use linux::debug::Stopped;
use std::fmt::Write;

/// Lists the last transfers, oldest first.
pub fn trace(stopped: &mut Stopped<'_>) -> String {
    let Some(machine) = stopped.hardware.spes() else { return String::new() };
    let (transfers, elements) = (machine.transfers(), machine.elements());
    let name = |ramp: u8| elements.get(usize::from(ramp)).map_or("?", String::as_str);
    if transfers.is_empty() {
        return "nothing has been transferred over the rings yet\n".to_string();
    }
    let mut text = "bus cycles              ring  transfer\n".to_string();
    for row in transfers {
        let span = format!("{}-{}", row.granted_at, row.arrived_at);
        let (from, to) = (name(row.from), name(row.to));
        // Writing to a string cannot fail.
        let _ = writeln!(text, "{span:<22}  {:>4}  {from} -> {to}, {} B", row.ring, row.bytes);
    }
    text
}
