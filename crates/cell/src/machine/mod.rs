//! The hardware as data: every number that makes one machine differ from another.
//!
//! A machine file is TOML. Each value says its unit, how it came to be known and where from:
//!
//! ```toml
//! base = "ps3"
//!
//! [mfc]
//! spu_queue_entries = { value = 32, unit = "entries", basis = "assumed", range = [16, 32], source = "what if" }
//! ```
//!
//! `sections` declares what may be written there, `read` checks one file, `library` puts it on top
//! of its base, `check` looks at combinations. An unknown key, a wrong unit, a missing source: each
//! is one line that names the right one. No value has a default in the code.

mod check;
mod error;
mod library;
mod read;
mod schema;
mod sections;
mod value;

pub use error::MachineError;
pub use sections::{Atomic, Bif, Chip, Eib, Mfc, Mic, Os, Ppe, PpeMemory, Software, Spu, SpuPipeline};
pub use value::{Basis, Value};

use crate::units::SpeId;
use std::path::Path;

/// A machine: what the simulator needs to know of one chip and the computer around it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Machine {
    /// Short name, e.g. `ps3`.
    pub name: String,
    /// What the machine is, in one sentence; may be empty.
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
    /// Its way to main memory.
    pub ppe_memory: PpeMemory,
    /// Operating system.
    pub os: Os,
    /// Compiled benchmark code.
    pub software: Software,
    spes_on_chip: u32,
    values: Vec<Value>,
}

impl Machine {
    /// The names that [`Machine::builtin`] knows.
    pub fn builtin_names() -> &'static [&'static str] {
        library::COMPLETE
    }

    /// A machine that comes with the simulator.
    ///
    /// # Errors
    /// A name that is not in [`Machine::builtin_names`]; the message lists those that are.
    pub fn builtin(name: &str) -> Result<Machine, MachineError> {
        let known = library::COMPLETE;
        let shipped = library::LIBRARY.iter().find(|shipped| shipped.name == name);
        match shipped.filter(|_| known.contains(&name)) {
            Some(shipped) => Machine::parse(shipped.text, shipped.origin),
            None => {
                let message = format!("unknown machine; {}", library::known_machines(name, known));
                Err(MachineError::new(name, None, "", message))
            }
        }
    }

    /// Reads a machine file. `origin` is the file's name or path: messages start with it, and its
    /// stem is the machine's name where the file has none. A `base` is one of the machines that
    /// come with the simulator (`cell-be` among them: the bare chip).
    ///
    /// # Errors
    /// The first thing wrong with the file, as one line.
    pub fn parse(text: &str, origin: &str) -> Result<Machine, MachineError> {
        let assembled = library::assemble(text, origin, &library::LIBRARY)?;
        let values = &assembled.values;
        let stem = || Path::new(origin).file_stem().unwrap_or_default().to_string_lossy().into();
        let mut machine = Machine {
            name: assembled.name.unwrap_or_else(stem),
            description: assembled.description.unwrap_or_default(),
            chip: Chip::from_values(values),
            eib: Eib::from_values(values),
            mfc: Mfc::from_values(values),
            atomic: Atomic::from_values(values),
            spu: Spu::from_values(values),
            spu_pipeline: SpuPipeline::from_values(values),
            mic: Mic::from_values(values),
            bif: Bif::from_values(values),
            ppe: Ppe::from_values(values),
            ppe_memory: PpeMemory::from_values(values),
            os: Os::from_values(values),
            software: Software::from_values(values),
            spes_on_chip: 0,
            values: sections::fields().map(|field| values[field.key].clone()).collect(),
        };
        let is_spe = |element: &&String| element.starts_with("SPE");
        machine.spes_on_chip = machine.eib.ring.iter().filter(is_spe).count() as u32;
        check::check(&machine).map_err(|(key, message)| MachineError::new(origin, None, key, message))?;
        Ok(machine)
    }

    /// The sections of a machine file in the order of [`Machine::values`]: name, and what it is about.
    pub fn sections() -> impl Iterator<Item = (&'static str, &'static str)> {
        sections::SECTIONS.into_iter().map(|section| (section.name, section.doc.trim()))
    }

    /// All values with their unit, basis and source, section by section.
    pub fn values(&self) -> &[Value] {
        &self.values
    }

    /// SPEs on one chip, usable or not.
    pub fn spes_on_chip(&self) -> u32 {
        self.spes_on_chip
    }

    /// SPEs on all chips: physical numbers run from 0 to one less, those of chip 0 first.
    pub fn spe_count(&self) -> u32 {
        self.bif.chips * self.spes_on_chip
    }

    /// The chip that a physical SPE is on, of one or two.
    pub fn chip_of(&self, spe: SpeId) -> u8 {
        u8::from(u32::from(spe.0) >= self.spes_on_chip)
    }

    /// The chip whose memory has an address of main memory: each has an equal share, chip 0 the first.
    #[inline]
    pub fn home_of(&self, address: u64) -> u8 {
        u8::from(self.bif.chips > 1 && address >= self.chip.main_memory_bytes / 2)
    }

    /// Clock of the bus, in Hz.
    pub fn bus_hz(&self) -> u64 {
        self.chip.processor_clock_hz / self.chip.processor_cycles_per_bus_cycle
    }

    /// Bus cycles in so many nanoseconds, rounded to the nearest.
    pub fn bus_cycles_in_ns(&self, ns: u64) -> u64 {
        ((u128::from(ns) * u128::from(self.bus_hz()) + 500_000_000) / 1_000_000_000) as u64
    }

    /// 16 hexadecimal digits that two machines share if all their keys and values are equal; name,
    /// sources and ranges do not count. FNV-1a, 64 bits, over `key=value` lines sorted by key.
    pub fn hash(&self) -> String {
        const OFFSET_BASIS: u64 = 0xcbf2_9ce4_8422_2325;
        const PRIME: u64 = 0x0000_0100_0000_01b3;
        let mut lines: Vec<String> =
            self.values.iter().map(|value| format!("{}={}\n", value.key, value.text())).collect();
        lines.sort_unstable();
        let digest = lines
            .iter()
            .flat_map(|line| line.bytes())
            .fold(OFFSET_BASIS, |digest, byte| (digest ^ u64::from(byte)).wrapping_mul(PRIME));
        format!("{digest:016x}")
    }
}
