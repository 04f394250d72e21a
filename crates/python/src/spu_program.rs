//! SPU executables, which `run` accepts in place of programs in Python.

use crate::errors::usage;
use crate::machine::Machine as DescribedMachine;
use crate::number::number;
use crate::text::type_name;
use cell::door::Program;
use cell::machine::Machine;
use cell::units::SpeId;
use pyo3::prelude::*;
use pyo3::types::PyDict;
use serde_json::json;
use spu::calls::Calls;
use spu::elf::{Image, LOCAL_STORE_BYTES_MAX, StartUp, code_ranges};
use spu::positions::Positions;
use spu::profile::{self, Cause, Profile};
use spu::program::{self, Start};
use spu::report::Report;
use spu::static_timing::{StaticTiming, pipe_and_latency};
use spu::{Pipe, disassemble};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;

/// An executable with its arguments, which `run` accepts in place of a program in Python.
#[pyclass(frozen, module = "cellstats._native")]
pub struct SpuProgram {
    image: Arc<Image>,
    /// The contents of the file, which explain instructions in a trace.
    file: Vec<u8>,
    /// Name of the file in messages.
    origin: String,
    arguments: Vec<Vec<u8>>,
    argp: Option<u64>,
    envp: u64,
    profile: bool,
}

/// The report about a thread's program, with or without a profile.
pub enum Known {
    Plain(Rc<RefCell<Report<()>>>),
    Profiled(Rc<RefCell<Report<Profile>>>),
}

#[pymethods]
impl SpuProgram {
    /// Reads an executable; Messages use `origin` as the name of the file. `patches` are bytes to store at given
    /// addresses before the start.
    #[new]
    #[pyo3(signature = (file, origin, *, arguments, argp, envp, patches, profile))]
    #[allow(clippy::too_many_arguments)]
    fn new(
        file: &[u8],
        origin: &str,
        arguments: Vec<Vec<u8>>,
        argp: Option<&Bound<'_, PyAny>>,
        envp: &Bound<'_, PyAny>,
        patches: Vec<(Bound<'_, PyAny>, Bound<'_, PyAny>)>,
        profile: bool,
    ) -> PyResult<SpuProgram> {
        let mut image = Image::parse(file).map_err(|why| usage(format!("{origin}: {why}")))?;
        for (address, bytes) in patches {
            let Ok(bytes) = bytes.extract::<Vec<u8>>() else {
                return Err(usage(format!("the local store is filled with {}; give bytes", type_name(&bytes))));
            };
            let address = number(&address, "local-store address", 0..=LOCAL_STORE_BYTES_MAX)?;
            image.segments.push((address as u32, bytes));
        }
        program::check_arguments(&arguments).map_err(usage)?;
        let any = 0..=u64::MAX;
        let argp = argp.map(|argp| number(argp, "argp", any.clone())).transpose()?;
        let envp = number(envp, "envp", any)?;
        let (image, file) = (Arc::new(image), file.to_vec());
        Ok(SpuProgram { image, file, origin: origin.to_string(), arguments, argp, envp, profile })
    }

    /// Whether the executable takes an argument vector rather than three numbers.
    #[getter]
    fn takes_arguments(&self) -> bool {
        self.image.start_up == StartUp::Vector
    }

    /// Local-store addresses of each function's first instruction and of its end.
    #[getter]
    fn functions<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let functions = PyDict::new(py);
        let ranges = code_ranges(&self.file, &self.image);
        ranges.iter().try_for_each(|(name, code)| functions.set_item(name, (code.start, code.end)))?;
        Ok(functions)
    }

    /// The timing of the code from an address up to another one on a machine, without a run, as JSON.
    fn timing(&self, machine: &Bound<'_, DescribedMachine>, start: u32, end: u32) -> PyResult<String> {
        let machine = &machine.get().inner;
        let checked = self.image.check(machine.mfc.local_store_bytes);
        checked.map_err(|why| usage(format!("{}: {why}", self.origin)))?;
        Ok(timing_json(&StaticTiming::new(machine, &self.image, start..end), machine))
    }

    /// Local-store addresses of symbols.
    #[getter]
    fn symbols<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let symbols = PyDict::new(py);
        self.image.symbols.iter().try_for_each(|(name, address)| symbols.set_item(name, address))?;
        Ok(symbols)
    }
}

impl SpuProgram {
    /// A new report for a thread.
    ///
    /// # Errors
    /// The program does not fit into the machine's local stores.
    pub fn known(&self, machine: &Machine) -> PyResult<Known> {
        let checked = self.image.check(machine.mfc.local_store_bytes);
        checked.map_err(|why| usage(format!("{}: {why}", self.origin)))?;
        Ok(if self.profile {
            Known::Profiled(Rc::new(RefCell::new(Report::new(Profile::new(machine.mfc.local_store_bytes)))))
        } else {
            Known::Plain(Rc::default())
        })
    }

    /// The contents of the executable's file.
    pub fn file(&self) -> &[u8] {
        &self.file
    }

    /// Starts the executable on an SPE with the arguments of the thread's creator. If the PPE has a program, the PPE
    /// handles the executable's stops.
    pub fn start<'h>(
        &self,
        machine: &Machine,
        spe: SpeId,
        argument: Option<u64>,
        calls: &Rc<RefCell<Calls<'h>>>,
        known: &Known,
    ) -> Box<dyn Program + 'h> {
        let (returns, argument) = (argument.is_some(), argument.unwrap_or(0));
        let argp = self.argp.unwrap_or(argument);
        let start = Start { spe, argp, envp: self.envp, arguments: self.arguments.clone() };
        let (image, calls) = (Arc::clone(&self.image), Rc::clone(calls));
        match known {
            Known::Plain(report) => {
                let program = program::SpuProgram::new(machine, image, start, calls, Rc::clone(report));
                Box::new(program.returning(returns))
            }
            Known::Profiled(report) => {
                let program = program::SpuProgram::new(machine, image, start, calls, Rc::clone(report));
                Box::new(program.returning(returns))
            }
        }
    }
}

impl Known {
    /// The report as a dictionary.
    pub fn to_dict<'py>(&self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let known = PyDict::new(py);
        let (instructions, waits, profile) = match self {
            Known::Plain(report) => {
                let report = report.borrow();
                (report.instructions, report.waits.clone(), None)
            }
            Known::Profiled(report) => {
                let report = report.borrow();
                (report.instructions, report.waits.clone(), Some(report.probe.clone()))
            }
        };
        known.set_item("instructions", instructions)?;
        let channels: Vec<_> = waits
            .iter()
            .map(|(mnemonic, channel, time)| (mnemonic, channel.to_string(), time.count, time.spu_cycles))
            .collect();
        known.set_item("channels", channels)?;
        if let Some(profile) = profile {
            known.set_item("profile_json", profile_json(&profile))?;
        }
        Ok(known)
    }
}

/// A profile with the text of each instruction.
pub fn profile_json(profile: &Profile) -> String {
    let row = |(address, record): (u32, &profile::Record)| {
        let pipe = spu::decode(record.word).map(|instruction| pipe_name(instruction.opcode.class().pipe()));
        json!({
            "address": address,
            "text": disassemble(record.word, address),
            "pipe": pipe,
            "record": record,
        })
    };
    let records: Vec<_> = profile.records().map(row).collect();
    json!({ "causes": Cause::ALL, "records": records, "totals": profile.totals() }).to_string()
}

/// A function's timing, with the text of each instruction.
fn timing_json(timing: &StaticTiming, machine: &Machine) -> String {
    let row = |(address, record): (u32, &profile::Record)| {
        let (pipe, latency) = pipe_and_latency(record.word, machine).unzip();
        let waited = record.stalls_spu_cycles[Cause::Dependency as usize] > 0;
        json!({
            "address": address,
            "text": disassemble(record.word, address),
            "pipe": pipe.map(pipe_name),
            "spu_cycle": record.first_spu_cycle,
            "dual": record.dual_issues > 0,
            "stalls_spu_cycles": record.stalls_spu_cycles,
            "waited_for": timing.waited_for.get(&address).filter(|_| waited),
            "latency_spu_cycles": latency,
        })
    };
    let rows: Vec<_> = timing.profile.records().map(row).collect();
    let totals = timing.profile.totals();
    json!({ "causes": Cause::ALL, "instructions": rows, "totals": totals, "no_instruction": timing.no_instruction })
        .to_string()
}

fn pipe_name(pipe: Pipe) -> &'static str {
    match pipe {
        Pipe::Even => "even",
        Pipe::Odd => "odd",
    }
}

/// The positions of the programs in a trace.
pub fn positions_json(positions: &Positions) -> String {
    json!(positions).to_string()
}
