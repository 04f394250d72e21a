//! `cellstats._native`: the Python binding of the simulator and of thread placement.
//!
//! This crate only converts values and errors; the `cell` crate simulates. `python/cellstats/_native.pyi` is the
//! contract. `Request` runs CellStats' own programs. `run` runs the caller's programs: `program` (SPU) and `ppe` run
//! these programs turn by turn, and `program_request` reads the programs' requests. `spu_program` reads executables
//! for the SPU, `spu_host` serves the executables' output, and `spu_files` their files. `linux` runs Linux programs on a
//! simulated kernel, and `gdb` is their debugger. These two and `spu_files` are the feature `linux`, which Windows lacks;
//! `no_files` stands for `spu_files` there. `number` and `text` check every value from Python before the simulator receives the value: bad input is a
//! `UsageError` of one line, never a panic. `assignment` and `host` do not use the simulator.

mod assignment;
mod errors;
#[cfg(all(unix, feature = "linux"))]
mod gdb;
mod host;
#[cfg(all(unix, feature = "linux"))]
mod linux;
mod local_store;
mod machine;
mod memory;
mod model;
mod native_program;
mod number;
mod ppe;
mod program;
mod program_request;
mod request;
mod run;
#[cfg_attr(not(all(unix, feature = "linux")), path = "no_files.rs")]
mod spu_files;
mod spu_host;
mod spu_program;
mod text;
mod waiting;
mod window;

use pyo3::prelude::*;

#[pymodule]
fn _native(module: &Bound<'_, PyModule>) -> PyResult<()> {
    let py = module.py();
    module.add("SCHEMA_VERSION", cell::record::SCHEMA_VERSION)?;
    module.add("VERSION", env!("CARGO_PKG_VERSION"))?;
    let usage_error = py.get_type::<errors::UsageError>();
    // This is the class default; an error about a parameter sets the attribute on the instance.
    usage_error.setattr("refusal", py.None())?;
    module.add("UsageError", usage_error)?;
    module.add("RunError", py.get_type::<errors::RunError>())?;
    module.add_class::<machine::Machine>()?;
    module.add_class::<memory::NativeMemory>()?;
    module.add_class::<local_store::NativeLocalStore>()?;
    module.add_class::<native_program::NativeProgram>()?;
    module.add_class::<spu_program::SpuProgram>()?;
    module.add_function(wrap_pyfunction!(machine::machine_bases, module)?)?;
    module.add_function(wrap_pyfunction!(machine::value_bases, module)?)?;
    module.add_function(wrap_pyfunction!(machine::machine_names, module)?)?;
    module.add_function(wrap_pyfunction!(machine::machine_sections, module)?)?;
    module.add_function(wrap_pyfunction!(machine::affinity_names, module)?)?;
    module.add_class::<request::Request>()?;
    module.add_function(wrap_pyfunction!(request::alike, module)?)?;
    module.add_function(wrap_pyfunction!(request::function_names, module)?)?;
    module.add_function(wrap_pyfunction!(request::function_help, module)?)?;
    module.add_function(wrap_pyfunction!(request::parameters, module)?)?;
    module.add_function(wrap_pyfunction!(request::result_schema, module)?)?;
    module.add_function(wrap_pyfunction!(request::refuse_on_host, module)?)?;
    module.add("ALL_PLACEMENTS_MAX", cellstats::communication_model::ALL_MAX)?;
    module.add_function(wrap_pyfunction!(model::cost_bus_cycles, module)?)?;
    module.add_function(wrap_pyfunction!(model::model_best, module)?)?;
    module.add_function(wrap_pyfunction!(model::model_costs, module)?)?;
    module.add_function(wrap_pyfunction!(model::model_loads, module)?)?;
    module.add_function(wrap_pyfunction!(model::tries_all, module)?)?;
    module.add_function(wrap_pyfunction!(host::host_clock, module)?)?;
    module.add_function(wrap_pyfunction!(host::host_counters, module)?)?;
    module.add_function(wrap_pyfunction!(host::host_measure, module)?)?;
    module.add_class::<assignment::Search>()?;
    module.add_function(wrap_pyfunction!(assignment::assign, module)?)?;
    module.add("HAS_LINUX", cfg!(all(unix, feature = "linux")))?;
    #[cfg(all(unix, feature = "linux"))]
    {
        module.add_function(wrap_pyfunction!(linux::linux_sysroot, module)?)?;
        module.add_class::<gdb::GdbPort>()?;
        module.add_function(wrap_pyfunction!(linux::linux_run, module)?)?;
    }
    module.add_function(wrap_pyfunction!(run::run, module)?)
}
