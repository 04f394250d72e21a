//! Creates a machine from a machine file: reads the text, merges the file with its bases, and checks combinations of
//! values.

use super::description::Machine;
use super::error::MachineError;
use super::sections::{
    self, Atomic, Bif, Chip, Eib, Linux, Mfc, Mic, Os, Ppe, PpeCore, PpeMemory, Software, Spu, SpuPipeline, Translation,
};
use super::value::Value;
use super::{check, library, settings};
use std::path::Path;
use std::sync::Arc;

impl Machine {
    /// The names that [`Machine::builtin`] accepts.
    pub fn builtin_names() -> &'static [&'static str] {
        library::COMPLETE
    }

    /// The names that are allowed only as the `base` of a machine file, because these machines are incomplete.
    pub fn base_names() -> impl Iterator<Item = &'static str> {
        library::LIBRARY.iter().map(|shipped| shipped.name).filter(|name| !library::COMPLETE.contains(name))
    }

    /// A machine that comes with the simulator.
    ///
    /// # Errors
    /// The name is not in [`Machine::builtin_names`]; the message lists the known names.
    pub fn builtin(name: &str) -> Result<Machine, MachineError> {
        Machine::builtin_with::<&str>(name, &[])
    }

    /// A machine that comes with the simulator, with settings as in [`Machine::parse_with`].
    ///
    /// # Errors
    /// As [`Machine::builtin`] and [`Machine::parse_with`].
    pub fn builtin_with<S: AsRef<str>>(name: &str, settings: &[S]) -> Result<Machine, MachineError> {
        let known = library::COMPLETE;
        let shipped = library::LIBRARY.iter().find(|shipped| shipped.name == name);
        match shipped.filter(|_| known.contains(&name)) {
            Some(shipped) => Machine::read(shipped.text, name, shipped.origin, settings),
            None if Machine::base_names().any(|base| base == name) => {
                let known = known.join(", ");
                let message = format!(
                    "the bare chip, without memory and operating system; give {known}, \
                     or a file of your own that has the rest, with base = \"{name}\""
                );
                Err(MachineError::new(name, None, "", message))
            }
            None => {
                let message = format!("unknown machine; {}", library::known_machines(name, known));
                Err(MachineError::new(name, None, "", message))
            }
        }
    }

    /// Reads a machine file. `origin` is the file's name or path. Error messages begin with `origin`. The stem of
    /// `origin` becomes the machine's name if the file does not contain a name. A `base` is one of the built-in
    /// machines, or `cell-be`, the bare chip.
    ///
    /// # Errors
    /// A one-line message about the first error in the file.
    pub fn parse(text: &str, origin: &str) -> Result<Machine, MachineError> {
        Machine::parse_with::<&str>(text, origin, &[])
    }

    /// Reads a machine file, and changes some of its values. Each of the settings is `KEY=VALUE`, with the value in the
    /// notation of a machine file. The settings become a part of the machine's name.
    ///
    /// # Errors
    /// A one-line message about the first error in the file, or in a setting.
    pub fn parse_with<S: AsRef<str>>(text: &str, origin: &str, settings: &[S]) -> Result<Machine, MachineError> {
        Machine::read(text, origin, origin, settings)
    }

    /// Reads a machine file. Errors of settings begin with `called`. The name of a machine with settings has the form in
    /// which machines are asked for, `ps3 eib.hop_bus_cycles=2`.
    fn read(text: &str, called: &str, origin: &str, settings: &[impl AsRef<str>]) -> Result<Machine, MachineError> {
        let mut assembled = library::assemble(text, origin, &library::LIBRARY)?;
        let settings = settings::apply(settings, called, &mut assembled)?;
        let values = &assembled.values;
        let listed: Arc<[Value]> = sections::fields().map(|field| values[field.key].clone()).collect();
        let stem = || Path::new(origin).file_stem().unwrap_or_default().to_string_lossy().into();
        let mut machine = Machine {
            name: settings.iter().fold(assembled.name.unwrap_or_else(stem), |name, setting| name + " " + setting),
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
            ppe_core: PpeCore::from_values(values),
            ppe_memory: PpeMemory::from_values(values),
            translation: Translation::from_values(values),
            os: Os::from_values(values),
            linux: Linux::from_values(values),
            software: Software::from_values(values),
            spes_on_chip: 0,
            hash: Machine::hash_of(&listed).into(),
            values: listed,
        };
        let is_spe = |element: &&String| element.starts_with("SPE");
        machine.spes_on_chip = machine.eib.ring.iter().filter(is_spe).count() as u32;
        let whose = if settings.is_empty() { origin } else { called };
        check::check(&machine).map_err(|(key, message)| MachineError::new(whose, None, key, message))?;
        Ok(machine)
    }
}
