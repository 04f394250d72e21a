//! Runs a program: `run MACHINE.toml SYSROOT PROGRAM ARGUMENTS…`. This example is for developers.
//!
//! `FILES` selects the files that the program can access: none, cwd, all. `CALLS` lists every system call. `STATISTICS`
//! prints the exit status, the simulated time and the host's time at the end.

use cell::machine::Machine;
use cell::placement::Placement;
use cell::system::System;
use files::Reach;
use linux::errno::Errno;
use linux::files::ioctl::Window;
use linux::files::machine::facts::{self, Facts};
use linux::files::state::Files;
use linux::files::streams::Streams;
use linux::identity::USER;
use linux::kernel::{End, Kernel};
use linux::layout::Layout;
use linux::processor;
use linux::start::NewProcess;
use linux::start::image::Image;
use linux::tid::PROCESS;
use linux::vfs::object::Refusal;
use std::cell::RefCell;
use std::error::Error;
use std::io::{IsTerminal, Read, Write};
use std::path::Path;
use std::process::ExitCode;
use std::rc::Rc;
use std::time::Instant;

/// Maximum number of bus cycles, after which a run is aborted.
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

fn run(arguments: &[String]) -> Result<u8, Box<dyn Error>> {
    let [machine_file, sysroot, program, ..] = arguments else {
        return Err("give MACHINE.toml SYSROOT PROGRAM ARGUMENTS…".into());
    };
    let read = |path: &str| std::fs::read(path).map_err(|why| format!("{path}: {why}"));
    let text = String::from_utf8_lossy(&read(machine_file)?).into_owned();
    let machine = Machine::parse(&text, machine_file)?;
    let mut library = |path: &str| read(&format!("{sysroot}{path}"));
    let start = NewProcess {
        image: Image::read(program, read(program)?, &mut library)?,
        arguments: arguments[2..].iter().map(|text| text.clone().into_bytes()).collect(),
        environment: vec![b"PATH=/bin".to_vec()],
        layout: Layout::High,
    };
    start.check()?;
    let mut system = System::new(&machine, Placement::default_of(&machine));
    let mut kernel = Kernel::new(&machine, files(&machine, sysroot, &start)?);
    if std::env::var_os("CALLS").is_some() {
        kernel.log = Some(|call| eprintln!("{call}"));
    }
    let process = processor::load(&mut system, &machine, kernel, start);
    let begun = Instant::now();
    system.run(LIMIT_BUS_CYCLES, || true)?;
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
        None => return Err("the process has not ended".into()),
    };
    if std::env::var_os("STATISTICS").is_some() {
        eprintln!(
            "run: status {status}, {simulated_us} us simulated, {} cycles used, {seconds:.3} s",
            kernel.used_cycles
        );
    }
    Ok(status)
}

/// The files that a program started with these options can access.
fn files(machine: &Machine, sysroot: &str, start: &NewProcess) -> Result<Files, Box<dyn Error>> {
    let reach: Reach = std::env::var("FILES").map_or(Ok(Reach::Cwd), |name| name.parse())?;
    let mut files = Files::new(files::Files::new(reach, Path::new("."), &[Path::new(sysroot)])?, USER);
    let program = std::fs::canonicalize(&start.image.path).map_err(|why| format!("{}: {why}", start.image.path))?;
    let process = facts::Process {
        number: PROCESS.0,
        parent: PROCESS.0 - 1,
        user: USER,
        program: program.into_os_string().into_encoded_bytes(),
        arguments: start.arguments.clone(),
        environment: start.environment.clone(),
    };
    files.mount_machine(&Facts::new(machine, process));
    files.open_streams(Rc::new(RefCell::new(Standard)));
    Ok(files)
}

/// The standard streams of this process.
struct Standard;

impl Streams for Standard {
    fn read(&mut self, bytes: usize) -> Result<Vec<u8>, Refusal> {
        let mut piece = vec![0; bytes.min(1 << 16)];
        let count = std::io::stdin().read(&mut piece).map_err(|_| Errno::EIO)?;
        piece.truncate(count);
        Ok(piece)
    }

    fn write(&mut self, stream: u32, bytes: &[u8]) -> Result<(), Refusal> {
        let written = match stream {
            1 => std::io::stdout().write_all(bytes).and_then(|()| std::io::stdout().flush()),
            _ => std::io::stderr().write_all(bytes),
        };
        written.map_err(|_| Errno::EPIPE.into())
    }

    fn terminal(&self, stream: u32) -> Option<Window> {
        let is_terminal = match stream {
            0 => std::io::stdin().is_terminal(),
            1 => std::io::stdout().is_terminal(),
            _ => std::io::stderr().is_terminal(),
        };
        is_terminal.then_some(Window { rows: 25, columns: 80 })
    }
}
