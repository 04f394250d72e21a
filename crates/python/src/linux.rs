//! The function `linux_run`, which runs Linux programs with standard streams from Python.

use crate::errors::usage;
use crate::gdb::{GdbPort, server};
use crate::machine::Machine;
use crate::number::{number, placement as spes_of};
use crate::spu_program::{positions_json, profile_json};
use crate::waiting::heard;
use crate::window::window_of;
use cell::placement::Placement;
use cell::units::BUS_CYCLES_MAX;
use files::Reach;
use linux::files::ioctl::Window as Terminal;
use linux::files::streams::Streams;
use linux::simulation::{self, Options, Outcome, Ppe, sysroot};
use linux::spufs::faults::Reported;
use linux::spufs::state::Report;
use linux::spufs::stop::{Origin, Stop};
use linux::vfs::object::Refusal as Refused;
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict, PyList};
use std::cell::RefCell;
use std::path::PathBuf;
use std::rc::Rc;

/// The sysroot on this computer for a program, if one is installed.
#[pyfunction]
pub fn linux_sysroot(program: PathBuf) -> Option<PathBuf> {
    sysroot::installed(&program)
}

/// Runs a program until it ends or the run cannot continue, and returns the outcome. In the latter case, the outcome has
/// no status but a line.
#[pyfunction]
#[pyo3(signature = (machine, program, arguments, *, environment, system_roots, files, placement, limit_bus_cycles,
                    window, profile, low_addresses, standard, gdb))]
#[allow(clippy::too_many_arguments)]
pub fn linux_run<'py>(
    py: Python<'py>,
    machine: &Bound<'py, Machine>,
    program: PathBuf,
    arguments: Vec<Vec<u8>>,
    environment: Vec<Vec<u8>>,
    system_roots: Vec<PathBuf>,
    files: &str,
    placement: Option<&Bound<'py, PyAny>>,
    limit_bus_cycles: Option<&Bound<'py, PyAny>>,
    window: Option<&Bound<'py, PyAny>>,
    profile: bool,
    low_addresses: bool,
    standard: Py<PyAny>,
    gdb: Option<&Bound<'py, GdbPort>>,
) -> PyResult<Bound<'py, PyDict>> {
    let machine = &machine.get().inner;
    let placement = match placement {
        Some(spes) => Placement::new(&spes_of(spes)?, machine).map_err(usage)?,
        None => Placement::default_of(machine),
    };
    let limit = limit_bus_cycles.map(|limit| number(limit, "limit_bus_cycles", 1..=BUS_CYCLES_MAX)).transpose()?;
    for root in &system_roots {
        sysroot::check(root).map_err(usage)?;
    }
    let options = Options {
        machine,
        placement,
        limit_bus_cycles: limit.unwrap_or(BUS_CYCLES_MAX),
        program,
        arguments,
        environment,
        system_roots,
        reach: files.parse::<Reach>().map_err(usage)?,
        directory: PathBuf::from("."),
        window: window.map(window_of).transpose()?,
        profile,
        low_addresses,
    };
    let listener = gdb.and_then(|port| port.get().take());
    let ((outcome, raised), interrupted) = heard(py, None, |goes_on| {
        // These values are created inside the closure, because they cannot be sent to another thread.
        let raised = Rc::default();
        let streams = PythonStreams { standard, raised: Rc::clone(&raised) };
        let debugger = listener.map(|listener| Box::new(server(listener, &raised)) as _);
        let outcome = simulation::debug(options, Rc::new(RefCell::new(streams)), debugger, goes_on);
        (outcome, raised.take())
    });
    match (outcome, raised.or(interrupted)) {
        (_, Some(raised)) => Err(raised),
        (Ok(outcome), None) => to_dict(py, &outcome),
        (Err(line), None) => Err(usage(line)),
    }
}

fn to_dict<'py>(py: Python<'py>, outcome: &Outcome) -> PyResult<Bound<'py, PyDict>> {
    let Outcome { status, line, record, time_ns, ppe, contexts, trace, positions } = outcome;
    let known = PyDict::new(py);
    known.set_item("status", status)?;
    known.set_item("line", line)?;
    known.set_item("record_json", record.to_json())?;
    known.set_item("time_ns", time_ns)?;
    let Ppe { instructions, cycles, system_calls, profile } = ppe;
    known.set_item("ppe_instructions", instructions)?;
    known.set_item("ppe_cycles", cycles)?;
    let calls = PyDict::new(py);
    system_calls.iter().try_for_each(|(name, count)| calls.set_item(name, count))?;
    known.set_item("system_calls", calls)?;
    let functions = profile.as_ref().map(|times| {
        times.iter().map(|time| (time.file.as_deref(), time.function.as_deref(), time.cycles)).collect::<Vec<_>>()
    });
    known.set_item("ppe_profile", functions)?;
    let contexts: Vec<_> = contexts.iter().map(|report| context(py, report)).collect::<PyResult<_>>()?;
    known.set_item("contexts", PyList::new(py, contexts)?)?;
    known.set_item("trace_json", trace.as_ref().map(cell::trace::Trace::to_json))?;
    known.set_item("positions_json", positions.as_ref().map(positions_json))?;
    Ok(known)
}

fn context<'py>(py: Python<'py>, (account, profile): &Report) -> PyResult<Bound<'py, PyDict>> {
    let known = PyDict::new(py);
    known.set_item("name", &account.path)?;
    known.set_item("spe", account.spe.map(|spe| spe.0))?;
    known.set_item("runs", account.runs)?;
    known.set_item("running_ns", account.running_ns)?;
    known.set_item("waiting_ns", account.waiting_ns)?;
    known.set_item("preemptions", account.preemptions)?;
    known.set_item("instructions", account.instructions)?;
    account.traffic.named().into_iter().try_for_each(|(name, count)| known.set_item(name, count))?;
    let faults: Vec<_> = account.faults.kept.iter().map(|reported| fault(py, reported)).collect::<PyResult<_>>()?;
    known.set_item("faults", PyList::new(py, faults)?)?;
    known.set_item("fault_count", account.faults.count)?;
    known.set_item("program", account.origin.program)?;
    known.set_item("stop", account.stop.as_ref().map(|stop| spe_stop(py, stop, &account.origin)).transpose()?)?;
    known.set_item("profile_json", profile.as_ref().map(profile_json))?;
    Ok(known)
}

fn spe_stop<'py>(py: Python<'py>, stop: &Stop, origin: &Origin) -> PyResult<Bound<'py, PyDict>> {
    let Stop { kind, code, address } = stop;
    let known = PyDict::new(py);
    known.set_item("kind", kind.name())?;
    known.set_item("code", code)?;
    known.set_item("address", address)?;
    known.set_item("function", origin.function.as_ref().map(|(name, _)| name))?;
    known.set_item("offset", origin.function.as_ref().map(|(_, offset)| offset))?;
    known.set_item("reason", &origin.reason)?;
    Ok(known)
}

fn fault<'py>(py: Python<'py>, reported: &Reported) -> PyResult<Bound<'py, PyDict>> {
    let Reported { time_ns, spe, place, cause, told } = reported;
    let known = PyDict::new(py);
    known.set_item("time_ns", time_ns)?;
    known.set_item("spe", spe.0)?;
    known.set_item("place", place)?;
    known.set_item("what", cause.to_string())?;
    known.set_item("told", told.to_string())?;
    Ok(known)
}

/// The standard streams, provided by Python.
struct PythonStreams {
    /// Python object with `read(n)` for standard input, `write(stream, bytes)` for the two outputs, and
    /// `terminal(stream)`.
    standard: Py<PyAny>,
    /// The exception that a stream raised; it ends the run.
    raised: Rc<RefCell<Option<PyErr>>>,
}

impl PythonStreams {
    fn ask<T>(&self, question: impl FnOnce(&Bound<'_, PyAny>) -> PyResult<T>) -> Result<T, Refused> {
        Python::attach(|py| question(self.standard.bind(py))).map_err(|error| {
            *self.raised.borrow_mut() = Some(error);
            Refused::End("a Python exception".to_string())
        })
    }
}

impl Streams for PythonStreams {
    fn read(&mut self, bytes: usize) -> Result<Vec<u8>, Refused> {
        self.ask(|standard| standard.call_method1("read", (bytes,))?.extract())
    }

    fn write(&mut self, stream: u32, bytes: &[u8]) -> Result<(), Refused> {
        self.ask(|standard| {
            let bytes = PyBytes::new(standard.py(), bytes);
            standard.call_method1("write", (stream, bytes)).map(|_| ())
        })
    }

    fn terminal(&self, stream: u32) -> Option<Terminal> {
        let size = self.ask(|standard| standard.call_method1("terminal", (stream,))?.extract::<Option<(u16, u16)>>());
        size.ok().flatten().map(|(rows, columns)| Terminal { rows, columns })
    }
}
