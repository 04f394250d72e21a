//! `run`: runs the caller's programs.

use crate::errors::{Pending, usage};
use crate::machine::Machine;
use crate::memory::NativeMemory;
use crate::native_program::NativeProgram;
use crate::number::{byte, number, placement as spes_of};
use crate::ppe::PythonPpe;
use crate::program::PythonProgram;
use crate::spu_files;
use crate::spu_host::PythonHost;
use crate::spu_program::{Known, SpuProgram, positions_json};
use crate::text::{joined, shown, type_name};
use crate::window::window_of;
use cell::door::{PpeProgram, ProgramFactory};
use cell::placement::Placement;
use cell::ppe_threads::share;
use cell::system::System;
use cell::trace::Trace;
use cell::units::{BUS_CYCLES_MAX, ThreadId};
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedBytes;
use pyo3::types::{PyBytes, PyDict};
use spu::calls::Calls;
use spu::calls::host::Host;
use spu::positions::Positions;
use spu::source::Source;
use std::cell::RefCell;
use std::rc::Rc;

/// An executable that a thread runs, with the report about it.
type Executed<'py> = (ThreadId, Bound<'py, SpuProgram>, Rc<Known>);

/// Runs programs and returns the outcome. Its trace is `None` if no window was requested or the window has not begun.
#[pyfunction]
#[pyo3(signature = (machine, programs, *, ppe, memory, limit_bus_cycles, fast_forward, placement, events, window,
                    standard, files))]
#[allow(clippy::too_many_arguments)]
pub fn run<'py>(
    py: Python<'py>,
    machine: &Bound<'py, Machine>,
    programs: &Bound<'py, PyDict>,
    ppe: Vec<Bound<'py, PyAny>>,
    memory: &Bound<'py, PyDict>,
    limit_bus_cycles: &Bound<'py, PyAny>,
    fast_forward: bool,
    placement: Option<&Bound<'py, PyAny>>,
    events: bool,
    window: Option<&Bound<'py, PyAny>>,
    standard: Bound<'py, PyAny>,
    files: &str,
) -> PyResult<Bound<'py, PyDict>> {
    let machine = &machine.get().inner;
    let placement = match placement {
        Some(spes) => Placement::new(&spes_of(spes)?, machine).map_err(usage)?,
        None => Placement::default_of(machine),
    };
    let limit = number(limit_bus_cycles, "limit_bus_cycles", 1..=BUS_CYCLES_MAX)?;
    let window = window.map(window_of).transpose()?;
    let pending = Pending::default();
    let mut system = System::new(machine, placement.clone());
    if fast_forward {
        system.enable_fast_forward();
    }
    if events {
        system.record_transfers();
    }
    for (ea, bytes) in memory {
        fill(&mut system, &ea, &bytes)?;
    }
    let host = PythonHost::new(standard, files_within(files, programs)?, pending.clone());
    let calls = Rc::new(RefCell::new(Calls::new(Box::new(host))));
    let created = !ppe.is_empty();
    let (mut threads, mut executed) = (Vec::new(), Vec::new());
    for (thread, program) in programs {
        let thread = thread_of(&thread, &placement)?;
        threads.push(thread);
        let start: ProgramFactory<'_> = if let Ok(executable) = program.cast::<SpuProgram>() {
            let report = Rc::new(executable.get().known(machine)?);
            executed.push((thread, executable.clone(), Rc::clone(&report)));
            let (executable, calls, spe) = (executable.clone(), Rc::clone(&calls), placement.spe(thread));
            Box::new(move |argp| executable.get().start(machine, spe, created.then_some(argp), &calls, &report))
        } else {
            factory(thread, program, &pending)?
        };
        system.load(thread, start);
    }
    let ppe = ppe.into_iter().map(|ppe| -> PyResult<Box<dyn PpeProgram>> {
        Ok(Box::new(PythonPpe::new(callable(ppe, "the PPE")?, pending.clone())))
    });
    for program in share(ppe.collect::<PyResult<_>>()?, machine) {
        system.load_ppe(program);
    }
    let goes_on = || pending.goes_on(py);
    let ran = match window {
        Some(window) => system.run_and_trace(limit, window, goes_on),
        None => system.run(limit, goes_on).map(|record| (record, None)),
    };
    let (record, trace) = ran.map_err(|error| pending.or_run_error(&error))?;
    let trace = trace.as_ref();
    let outcome = PyDict::new(py);
    outcome.set_item("record_json", record.to_json())?;
    outcome.set_item("local_stores", local_stores(py, &system, threads)?)?;
    outcome.set_item("main_memory", NativeMemory::new(std::mem::take(system.memory_mut())))?;
    outcome.set_item("executed", reports(py, &executed)?)?;
    outcome.set_item("trace_json", trace.map(Trace::to_json))?;
    outcome.set_item("positions", trace.and_then(|trace| positions_of(trace, &executed)))?;
    Ok(outcome)
}

/// The contents of each thread's local store.
fn local_stores<'py>(py: Python<'py>, system: &System<'_>, threads: Vec<ThreadId>) -> PyResult<Bound<'py, PyDict>> {
    let contents = PyDict::new(py);
    for thread in threads {
        let store = system.local_store(thread);
        let bytes = PyBytes::new_with(py, store.size_bytes() as usize, |out| {
            store.read(0, out);
            Ok(())
        })?;
        contents.set_item(thread.0, bytes)?;
    }
    Ok(contents)
}

fn reports<'py>(py: Python<'py>, executed: &[Executed<'py>]) -> PyResult<Bound<'py, PyDict>> {
    let reports = PyDict::new(py);
    executed.iter().try_for_each(|(thread, _, known)| reports.set_item(thread.0, known.to_dict(py)?))?;
    Ok(reports)
}

/// The positions of executables in a trace, as JSON; `None` if there are none.
fn positions_of(trace: &Trace, executed: &[Executed<'_>]) -> Option<String> {
    if trace.positions.is_empty() {
        return None;
    }
    let mut files: Vec<&[u8]> = executed.iter().map(|(_, executable, _)| executable.get().file()).collect();
    files.dedup();
    let sources: Vec<Source> = files.into_iter().filter_map(Source::read).collect();
    Positions::of(trace, &sources).as_ref().map(positions_json)
}

/// The files that programs can open; only executables open files.
fn files_within(reach: &str, programs: &Bound<'_, PyDict>) -> PyResult<Box<dyn Host>> {
    let any = programs.values().iter().any(|program| program.cast::<SpuProgram>().is_ok());
    // Without executables, no file is opened, so a run succeeds even if the current directory does not exist any more.
    spu_files::within(if any { reach } else { "none" })
}

/// Writes bytes to main memory before the run.
fn fill(system: &mut System<'_>, ea: &Bound<'_, PyAny>, bytes: &Bound<'_, PyAny>) -> PyResult<()> {
    let room = system.memory().size_bytes();
    let Ok(bytes) = bytes.extract::<PyBackedBytes>() else {
        return Err(usage(format!("memory at {} is of {}; give bytes", shown(ea), type_name(bytes))));
    };
    let ea = number(ea, "memory: effective address", 0..=room)?;
    if bytes.len() as u64 > room - ea {
        return Err(usage(format!(
            "memory: {} bytes at {ea:#x} do not fit; main memory ends at {room:#x}",
            bytes.len()
        )));
    }
    system.memory_mut().write(ea, &bytes);
    Ok(())
}

fn thread_of(thread: &Bound<'_, PyAny>, placement: &Placement) -> PyResult<ThreadId> {
    let known = || joined(placement.threads().map(|(thread, _)| thread.0));
    match byte(thread, "thread", u8::MAX) {
        Ok(number) if usize::from(number) < placement.len() => Ok(ThreadId(number)),
        _ => Err(usage(format!("thread {} has no SPE; there are threads {}", shown(thread), known()))),
    }
}

fn factory<'py>(thread: ThreadId, program: Bound<'py, PyAny>, pending: &Pending) -> PyResult<ProgramFactory<'py>> {
    if let Ok(native) = program.cast::<NativeProgram>() {
        let native = native.clone();
        return Ok(Box::new(move |_| native.get().start()));
    }
    let entry = callable(program, &format!("thread {}", thread.0))?;
    let pending = pending.clone();
    Ok(Box::new(move |argument| Box::new(PythonProgram::new(entry.clone(), argument, pending.clone()))))
}

fn callable<'py>(program: Bound<'py, PyAny>, whose: &str) -> PyResult<Bound<'py, PyAny>> {
    if program.is_callable() {
        return Ok(program);
    }
    Err(usage(format!(
        "the program of {whose} is not one: {} cannot be called; write it as an async function, or as a generator function",
        shown(&program)
    )))
}
