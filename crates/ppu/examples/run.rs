//! Runs a program: `run MACHINE.toml SYSROOT PROGRAM ARGUMENTS…`; for developers.
//!
//! Prints what the program prints; with CALLS in the environment every system call, with STATISTICS at the end the
//! status, the simulated time and how long that took.

use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use ppu::linux::kernel::{End, Kernel};
use ppu::linux::processor;
use ppu::linux::start::Start;
use ppu::linux::start::image::Image;
use std::process::ExitCode;
use std::time::Instant;

/// Bus cycles after which a run is given up.
const LIMIT_BUS_CYCLES: u64 = 1 << 40;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    match run(&arguments) {
        Ok(status) => ExitCode::from(status),
        Err(line) => {
            eprintln!("run: {line}");
            ExitCode::FAILURE
        }
    }
}

fn run(arguments: &[String]) -> Result<u8, String> {
    let [machine_file, sysroot, program, ..] = arguments else {
        return Err("give MACHINE.toml SYSROOT PROGRAM ARGUMENTS…".to_string());
    };
    let read = |path: &str| std::fs::read(path).map_err(|why| format!("{path}: {why}"));
    let text = String::from_utf8_lossy(&read(machine_file)?).into_owned();
    let machine = Machine::parse(&text, machine_file).map_err(|why| why.to_string())?;
    let mut library = |path: &str| read(&format!("{sysroot}{path}"));
    let start = Start {
        image: Image::read(program, read(program)?, &mut library)?,
        arguments: arguments[2..].iter().map(|text| text.clone().into_bytes()).collect(),
        environment: vec![b"PATH=/bin".to_vec()],
    };
    start.check()?;
    let mut system = System::new(&machine, Placement::default_of(&machine));
    let mut kernel = Kernel::new(&machine);
    if std::env::var_os("CALLS").is_some() {
        kernel.log = Some(|call| eprintln!("{call}"));
    }
    let process = processor::load(&mut system, &machine, kernel, start);
    let begun = Instant::now();
    system.run(LIMIT_BUS_CYCLES, || true).map_err(|why| why.to_string())?;
    let seconds = begun.elapsed().as_secs_f64();
    let kernel = &process.borrow().kernel;
    let simulated_us = system.bus_cycles() * 1_000_000 / machine.bus_hz();
    let status = match &kernel.end {
        Some(end) => {
            if let End::Killed { line, .. } | End::Broken { line } = end {
                eprintln!("run: {line}");
            }
            end.status()
        }
        None => return Err("the process has not ended".to_string()),
    };
    if std::env::var_os("STATISTICS").is_some() {
        eprintln!(
            "run: status {status}, {simulated_us} us simulated, {} cycles used, {seconds:.3} s",
            kernel.used_cycles
        );
    }
    Ok(status)
}
