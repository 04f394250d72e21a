//! Requests whose commands both chips must see: the time for which a request is outstanding, and the maximum number of
//! outstanding requests.
//!
//! If both chips must see a command, its response arrives `reflection_bus_cycles` later. The request then takes several
//! times as long as a request within one chip. Two limits apply: each SPE has a maximum of outstanding reads and
//! writes, and all requests of a chip that move data to or from the other chip share the entries of the interface. With
//! few entries, requests cannot use the full bandwidth of the interface's lanes.

use super::rings::cycles;
use crate::pattern::{End, Transfer};
use cell::machine::Machine;
use cell::units::LINE_BYTES;

/// Bus cycles from the ordering of a line's command to its completion, without waiting. If the data cross between
/// chips, `crosses_from` is the chip from which they come.
pub fn line_bus_cycles<Who: Copy>(machine: &Machine, transfer: &Transfer<Who>, crosses_from: Option<u8>) -> u64 {
    let (eib, mfc) = (&machine.eib, &machine.mfc);
    let on_ring = ring_bus_cycles(machine);
    let response = eib.command_response_bus_cycles + machine.bif.reflection_bus_cycles;
    let leaves = mfc.local_store_read_bus_cycles + eib.data_request_bus_cycles + on_ring;
    let arrives = on_ring + mfc.local_store_write_bus_cycles;
    match (transfer.source, transfer.destination) {
        // Memory is read while the response is pending, so the data are ready when the response arrives.
        (End::Memory, _) => response + arrives,
        // The request completes when memory, or IOIF0, has the line.
        (_, End::Memory) => response + leaves,
        _ => response + leaves + crosses_from.map_or(0, |chip| crossing_bus_cycles(machine, chip)) + arrives,
    }
}

fn crossing_bus_cycles(machine: &Machine, from: u8) -> u64 {
    lane_bus_cycles(machine, from, 2 * LINE_BYTES) + machine.bif.latency_bus_cycles
}

/// Bus cycles that the lanes from one chip to the other take for a load in half bytes.
pub fn lane_bus_cycles(machine: &Machine, from: u8, half_bytes: u64) -> u64 {
    let bif = &machine.bif;
    let lanes = if from == 0 { bif.lanes_from_chip_0 } else { bif.lanes_from_chip_1 };
    let bytes_per_second = u128::from(u64::from(lanes) * bif.lane_bytes_per_second);
    let busy = u128::from(half_bytes) * u128::from(machine.bus_hz());
    u64::try_from(busy.div_ceil(2 * bytes_per_second.max(1))).unwrap_or(u64::MAX)
}

/// Additional bus cycles of a signal that crosses to the other chip.
pub fn further_bus_cycles(machine: &Machine) -> u64 {
    machine.bif.reflection_bus_cycles + machine.bif.latency_bus_cycles + ring_bus_cycles(machine)
}

fn ring_bus_cycles(machine: &Machine) -> u64 {
    cycles(2 * LINE_BYTES, u64::from(machine.eib.beat_bytes))
}
