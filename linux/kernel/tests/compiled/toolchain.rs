//! Compiles programs and runs them.

use cell::machine::Machine;
use cell::placement::Placement;
use files::Reach;
use linux::files::ioctl::Window;
use linux::files::streams::Streams;
use linux::simulation::{Options, Outcome, run, sysroot};
use linux::vfs::object::Refusal as StreamRefusal;
use std::cell::RefCell;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::rc::Rc;
use std::sync::atomic::{AtomicU32, Ordering};

/// The width of a program, which selects its compiler.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Bits {
    B32,
    B64,
}

impl Bits {
    fn compiler(self) -> &'static str {
        match self {
            Bits::B32 => "powerpc-linux-gnu-gcc",
            Bits::B64 => "powerpc64-linux-gnu-gcc",
        }
    }
}

/// How a program is linked.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Linked {
    Dynamically,
    Statically,
}

/// Compiles a program in `programs/` into a separate file.
pub fn compile(name: &str, bits: Bits, linked: Linked) -> PathBuf {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(format!("tests/compiled/c/{name}.c"));
    static FILES: AtomicU32 = AtomicU32::new(0);
    let number = FILES.fetch_add(1, Ordering::Relaxed);
    let output = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}-{number}", std::process::id()));
    let mut command = Command::new(bits.compiler());
    command.args(["-O1", "-Wall", "-Wextra", "-Werror", "-maltivec", "-mabi=altivec", "-pthread"]);
    if linked == Linked::Statically {
        command.arg("-static");
    }
    let result = command.arg(source).arg("-o").arg(&output).arg("-lm").output().expect("the compiler starts");
    assert!(result.status.success(), "{}", String::from_utf8_lossy(&result.stderr));
    output
}

/// The output of a program.
#[derive(Default)]
pub struct Written(pub Vec<u8>);

impl Streams for Written {
    fn read(&mut self, _: usize) -> Result<Vec<u8>, StreamRefusal> {
        Ok(Vec::new())
    }

    fn write(&mut self, _: u32, bytes: &[u8]) -> Result<(), StreamRefusal> {
        self.0.extend(bytes);
        Ok(())
    }

    fn terminal(&self, _: u32) -> Option<Window> {
        None
    }
}

/// Runs a program in an empty directory. Returns its outcome and its output.
pub fn execute(program: &Path, arguments: &[&str]) -> Result<(Outcome, String), String> {
    execute_until(program, arguments, 1 << 34)
}

/// Runs a program like [`execute`], but for at most a given number of bus cycles.
pub fn execute_until(program: &Path, arguments: &[&str], limit_bus_cycles: u64) -> Result<(Outcome, String), String> {
    execute_on("ps3", program, arguments, limit_bus_cycles)
}

/// Runs a program like [`execute_until`], but on a given machine.
pub fn execute_on(
    machine: &str,
    program: &Path,
    arguments: &[&str],
    limit_bus_cycles: u64,
) -> Result<(Outcome, String), String> {
    execute_in(Where { machine, limit_bus_cycles, ..Where::default() }, program, arguments)
}

/// The surroundings of a program.
#[derive(Clone, Copy)]
pub struct Where<'w> {
    pub machine: &'w str,
    pub limit_bus_cycles: u64,
    pub low_addresses: bool,
}

impl Default for Where<'_> {
    fn default() -> Self {
        Where { machine: "ps3", limit_bus_cycles: 1 << 34, low_addresses: false }
    }
}

/// Runs a program like [`execute`], but in given surroundings.
pub fn execute_in(place: Where<'_>, program: &Path, arguments: &[&str]) -> Result<(Outcome, String), String> {
    let Where { machine, limit_bus_cycles, low_addresses } = place;
    let machine = Machine::builtin(machine).expect("a machine");
    let directory = program.with_extension("directory");
    let _ = std::fs::remove_dir_all(&directory);
    std::fs::create_dir_all(&directory).expect("a directory");
    let written = Rc::new(RefCell::new(Written::default()));
    let options = Options {
        machine: &machine,
        placement: Placement::default_of(&machine),
        limit_bus_cycles,
        program: program.to_path_buf(),
        arguments: std::iter::once("program").chain(arguments.iter().copied()).map(Vec::from).collect(),
        environment: vec![b"PATH=/bin".to_vec()],
        system_roots: sysroot::installed(program).into_iter().collect(),
        reach: Reach::Cwd,
        directory,
        window: None,
        profile: false,
        low_addresses,
    };
    let outcome = run(options, Rc::clone(&written) as _, || true).map_err(|refusal| refusal.to_string())?;
    let text = String::from_utf8_lossy(&written.borrow().0).into_owned();
    Ok((outcome, text))
}
