//! A complete machine: all values by section, and the quantities computed from these values.

use super::sections::{
    self, Atomic, Bif, Chip, Eib, Linux, Mfc, Mic, Os, Ppe, PpeCore, PpeMemory, Software, Spu, SpuPipeline, Translation,
};
use super::value::Value;
use crate::units::SpeId;
use std::sync::Arc;

/// A machine: the simulator's description of one or two chips and of the computer around them.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Short name, e.g. `ps3`.
    pub name: String,
    /// A description of the machine in one sentence; may be empty.
    pub description: String,
    /// Clocks, memory and usable SPEs.
    pub chip: Chip,
    /// Element interconnect bus.
    pub eib: Eib,
    /// Memory flow controllers.
    pub mfc: Mfc,
    /// Atomic units.
    pub atomic: Atomic,
    /// The SPUs' channels.
    pub spu: Spu,
    /// The SPUs' pipelines.
    pub spu_pipeline: SpuPipeline,
    /// Memory controller and memory.
    pub mic: Mic,
    /// Coherent interface to a second chip.
    pub bif: Bif,
    /// The PPE as seen from the bus.
    pub ppe: Ppe,
    /// Costs of the PPE's instructions.
    pub ppe_core: PpeCore,
    /// The PPE's path to main memory.
    pub ppe_memory: PpeMemory,
    /// Address translation.
    pub translation: Translation,
    /// Operating system.
    pub os: Os,
    /// Further costs of Linux.
    pub linux: Linux,
    /// Compiled benchmark code.
    pub software: Software,
    pub(super) spes_on_chip: u32,
    // Each run has its own copy of the machine, but the copies share the fields that a simulation does not read.
    pub(super) values: Arc<[Value]>,
    pub(super) hash: Arc<str>,
}

impl Machine {
    /// The sections of a machine file in the order of [`Machine::values`], with their names and descriptions.
    pub fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
        sections::SECTIONS.into_iter().map(|section| (section.name, section.doc.trim()))
    }

    /// All values with their unit, basis and source, section by section.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// Number of SPEs on one chip, including unusable SPEs.
    pub fn spes_on_chip(&self) -> u32 {
        self.spes_on_chip
    }

    /// Number of SPEs on all chips. Physical SPE numbers start at 0 on chip 0.
    pub fn spe_count(&self) -> u32 {
        self.bif.chips * self.spes_on_chip
    }

    /// Returns the chip that contains a physical SPE.
    pub fn chip_of(&self, spe: SpeId) -> u8 {
        u8::from(u32::from(spe.0) >= self.spes_on_chip)
    }

    /// Returns the chip whose memory contains an address. On a machine with two chips, the lower half of memory
    /// belongs to chip 0.
    #[inline]
    pub fn home_of(&self, address: u64) -> u8 {
        u8::from(self.bif.chips > 1 && address >= self.chip.main_memory_bytes / 2)
    }

    /// Clock of the bus, in Hz.
    pub fn bus_hz(&self) -> u64 {
        self.chip.processor_clock_hz / self.chip.processor_cycles_per_bus_cycle
    }

    /// Converts nanoseconds to the nearest whole number of bus cycles.
    pub fn bus_cycles_in_ns(&self, ns: u64) -> u64 {
        ((u128::from(ns) * u128::from(self.bus_hz()) + 500_000_000) / 1_000_000_000) as u64
    }

    /// A hash of 16 hexadecimal digits. Two machines have the same hash if all their keys and values are equal, even if
    /// their names, sources and ranges differ. The hash is the 64-bit FNV-1a hash of `key=value` lines sorted by key.
    pub fn hash(&self) -> String {
        self.hash.to_string()
    }

    /// Computes [`Machine::hash`].
    pub(super) fn hash_of(values: &[Value]) -> String {
        const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let mut lines: Vec<String> = values.iter().map(|value| format!("{}={}\n", value.key, value.text())).collect();
        lines.sort_unstable();
        let digest = lines
            .iter()
            .flat_map(|line| line.bytes())
            .fold(OFFSET_BASIS, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(PRIME));
        format!("{digest:016x}")
    }
}
