//! Rules that involve several values. The limits of single values are in `schema`.

use super::description::Machine;
use super::sections::{Bif, Chip, Eib, Mic, PpeMemory};
use crate::units::LINE_BYTES;

/// Maximum number of SPEs on one chip.
const SPES_MAX: usize = 16;

/// The key of an invalid value, and the error message.
type Problem = (&'static str, String);

/// Checks every rule that involves several values. Returns an error for the first broken rule.
pub(super) fn check(machine: &Machine) -> Result<(), Problem> {
    clocks(&machine.chip)?;
    let pages = 65_536 * u64::from(machine.bif.chips);
    if !machine.chip.main_memory_bytes.is_multiple_of(pages) {
        let bytes = machine.chip.main_memory_bytes;
        let message = format!("value is {bytes}; must be a multiple of {pages} (64 KiB pages at each chip)");
        return Err(("chip.main_memory_bytes", message));
    }
    ring(&machine.eib)?;
    if machine.eib.clockwise_rings + machine.eib.counterclockwise_rings == 0 {
        let message = "value is 0 and so is eib.counterclockwise_rings; must be one ring at least";
        return Err(("eib.clockwise_rings", message.into()));
    }
    usable_spes(&machine.chip, machine.spe_count())?;
    memory(&machine.mic)?;
    caches(&machine.ppe_memory)?;
    second_chip(&machine.bif, &machine.eib)
}

fn clocks(chip: &Chip) -> Result<(), Problem> {
    let (clock, divisor) = (chip.processor_clock_hz, chip.processor_cycles_per_bus_cycle);
    if !clock.is_multiple_of(divisor) {
        let message = format!("value is {clock}; must be a multiple of chip.processor_cycles_per_bus_cycle, {divisor}");
        return Err(("chip.processor_clock_hz", message));
    }
    if chip.timebase_hz > clock / divisor {
        let message = format!("value is {}; must not be above the bus clock, {} Hz", chip.timebase_hz, clock / divisor);
        return Err(("chip.timebase_hz", message));
    }
    Ok(())
}

/// Checks that PPE, MIC and SPE0 to SPEn-1 each occur once on the ring, and that IOIF0 and IOIF1 each occur at most
/// once.
fn ring(eib: &Eib) -> Result<(), Problem> {
    let problem = |message: String| Err(("eib.ring", message));
    let count = |name: &str| eib.ring.iter().filter(|element| *element == name).count();
    let spes = eib.ring.iter().filter(|element| element.starts_with("SPE")).count();
    if !(1..=SPES_MAX).contains(&spes) {
        return problem(format!("has {spes} SPEs; must be 1 to {SPES_MAX}"));
    }
    let mut known: Vec<String> = (0..spes).map(|number| format!("SPE{number}")).collect();
    known.extend(["PPE", "MIC", "IOIF0", "IOIF1"].map(String::from));
    if let Some(element) = eib.ring.iter().find(|element| !known.contains(element)) {
        let last = spes - 1;
        return problem(format!(
            "{element:?} is no element of this ring; must be PPE, MIC, IOIF0, IOIF1 or, with \
             {spes} SPEs, SPE0 to SPE{last}"
        ));
    }
    for name in &known {
        match count(name) {
            0 if name.starts_with("IOIF") => {}
            0 => return problem(format!("{name} is missing; must appear once")),
            1 => {}
            times => return problem(format!("{name} appears {times} times; must appear once")),
        }
    }
    Ok(())
}

fn usable_spes(chip: &Chip, spes: u32) -> Result<(), Problem> {
    let problem = |message: String| Err(("chip.spes", message));
    if chip.spes.is_empty() {
        return problem("is empty; must name one SPE at least".into());
    }
    for (logical, &spe) in chip.spes.iter().enumerate() {
        if spe >= spes {
            let last = spes - 1;
            return problem(format!("SPE {spe} is not on eib.ring; must be 0 to {last}"));
        }
        if chip.spes[..logical].contains(&spe) {
            return problem(format!("SPE {spe} appears twice; must appear once"));
        }
    }
    Ok(())
}

fn second_chip(bif: &Bif, eib: &Eib) -> Result<(), Problem> {
    if bif.chips > 1 && !eib.ring.iter().any(|element| element == "IOIF0") {
        let message = format!("value is {}; must be 1 without IOIF0 on eib.ring", bif.chips);
        return Err(("bif.chips", message));
    }
    Ok(())
}

fn caches(ppe: &PpeMemory) -> Result<(), Problem> {
    let set = |ways: u32| u64::from(ways) * LINE_BYTES;
    let problem = |key, bytes: u32, least: u64| {
        (u64::from(bytes) < least)
            .then(|| (key, format!("value is {bytes}; must be at least {least}, one set of lines")))
    };
    let small = problem("ppe_memory.l1_bytes", ppe.l1_bytes, set(ppe.l1_ways));
    let small = small.or_else(|| problem("ppe_memory.l2_bytes", ppe.l2_bytes, set(ppe.l2_ways)));
    small.or_else(|| problem("ppe_memory.l1_code_bytes", ppe.l1_code_bytes, set(ppe.l1_code_ways))).map_or(Ok(()), Err)
}

fn memory(mic: &Mic) -> Result<(), Problem> {
    if mic.write_high_water_entries > mic.write_queue_entries {
        let message = format!(
            "value is {}; must not be above mic.write_queue_entries, {}",
            mic.write_high_water_entries, mic.write_queue_entries
        );
        return Err(("mic.write_high_water_entries", message));
    }
    if mic.refresh_bus_cycles >= mic.refresh_interval_bus_cycles {
        let message = format!(
            "value is {}; must be below mic.refresh_interval_bus_cycles, {}",
            mic.refresh_bus_cycles, mic.refresh_interval_bus_cycles
        );
        return Err(("mic.refresh_bus_cycles", message));
    }
    Ok(())
}
