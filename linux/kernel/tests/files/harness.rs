//! A simulated process that has no processor. Tests make the process's system calls directly, with a memory of 1 MiB.

use cell::door::Supervisor;
use cell::machine::Machine;
use files::Reach;
use linux::errno::Errno;
use linux::files::machine::facts::{Facts, Process};
use linux::files::state::Files;
use linux::hardware::{Access, BadAddress, Hardware, Mapping};
use linux::kernel::Kernel;
use linux::request::{NotDone, Request};
use linux::syscalls::caller::Caller;
use linux::syscalls::table;
use linux::tid::Tid;
use linux::vfs::flags::at;
use linux::wait::Wait;
use std::path::{Path, PathBuf};
use tempfile::TempDir;

pub const MEMORY_BYTES: usize = 1 << 20;
/// Addresses of the strings and structures that a test passes to a system call.
pub const HERE: u32 = 0x1000;
pub const THERE: u32 = 0x8000;

pub struct FlatMemory {
    pub bytes: Vec<u8>,
    pub ticks: u64,
    pub free_bytes: u64,
    /// Start and size of each mapping.
    pub mapped: Vec<(u32, u32, Mapping)>,
}

impl FlatMemory {
    fn part(&mut self, ea: u32, count: usize) -> Result<&mut [u8], BadAddress> {
        let start = ea as usize;
        self.bytes.get_mut(start..start + count).ok_or(BadAddress::Unmapped(ea.into()))
    }
}

impl Hardware for FlatMemory {
    fn spes(&mut self) -> Option<&mut dyn Supervisor> {
        None
    }

    fn time_base(&self) -> u64 {
        self.ticks
    }
    fn free_bytes(&mut self) -> u64 {
        self.free_bytes
    }
    fn read(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress> {
        out.copy_from_slice(self.part(ea, out.len())?);
        Ok(())
    }
    fn write(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress> {
        self.part(ea, bytes.len())?.copy_from_slice(bytes);
        Ok(())
    }
    fn look(&mut self, ea: u32, out: &mut [u8]) -> Result<(), BadAddress> {
        self.read(ea, out)
    }
    fn fill(&mut self, ea: u32, bytes: &[u8]) -> Result<(), BadAddress> {
        self.write(ea, bytes)
    }
    fn set_away(&mut self, _: u32, _: u32, _: bool) {}

    fn map(&mut self, ea: u32, bytes: u32, to: Mapping, _: Access) {
        self.mapped.push((ea, bytes, to));
    }
    fn take_frames(&mut self, _: u32) -> Option<Vec<u32>> {
        None
    }
    fn map_frames(&mut self, _: u32, _: &[u32], _: bool, _: Access) {}
    fn drop_frames(&mut self, _: &[u32]) {}
    fn unmap(&mut self, _: u32, _: u32) {}
    fn protect(&mut self, _: u32, _: u32, _: Access) {}
    fn move_pages(&mut self, _: u32, _: u32, _: u32) {}
    fn wake_ppe(&mut self, _: usize) {}
}

/// The outcome of a system call.
#[derive(Debug, PartialEq)]
pub enum Outcome {
    Done(u32),
    Failed(Errno),
    Waits(Wait),
}

pub struct Program {
    pub kernel: Kernel,
    pub memory: FlatMemory,
    base: TempDir,
}

impl Program {
    /// Creates a program whose current directory is `work`. `secret` is a sibling of `work`, and `root` is the sysroot.
    pub fn new() -> Program {
        Program::reaching(Reach::Cwd, "ps3")
    }

    pub fn reaching(reach: Reach, machine: &str) -> Program {
        let base = TempDir::new().unwrap();
        for directory in ["work", "root/lib", "root/etc"] {
            std::fs::create_dir_all(base.path().join(directory)).unwrap();
        }
        std::fs::write(base.path().join("secret"), "secret").unwrap();
        std::fs::write(base.path().join("root/lib/libc.so"), "libc").unwrap();
        let view = files::Files::new(reach, &base.path().join("work"), &[&base.path().join("root")]).unwrap();
        let machine = load(machine);
        let mut files = Files::new(view, 1000);
        let process = Process { number: 1000, user: 1000, program: b"/work/program".to_vec(), ..Process::default() };
        files.mount_machine(&Facts::new(&machine, process));
        let memory =
            FlatMemory { bytes: vec![0; MEMORY_BYTES], ticks: 0, free_bytes: MEMORY_BYTES as u64, mapped: Vec::new() };
        Program { kernel: Kernel::new(&machine, files), memory, base }
    }

    pub fn host(&self, below: &str) -> PathBuf {
        std::fs::canonicalize(self.base.path()).unwrap().join(below)
    }

    /// Attempts a system call, for the first time or again.
    pub fn attempt(&mut self, request: &mut Request) -> Outcome {
        let call = table::row(request.number).unwrap();
        let tid = Tid(1000);
        let mut caller = Caller { kernel: &mut self.kernel, hardware: &mut self.memory, tid, request: request.clone() };
        let answer = (call.attempt)(&mut caller);
        *request = caller.request;
        request.attempts += 1;
        match answer {
            Ok(value) => Outcome::Done(value),
            Err(NotDone::Failed(errno)) => Outcome::Failed(errno),
            Err(NotDone::Waits(wait)) => Outcome::Waits(wait),
            Err(other) => panic!("{other:?}"),
        }
    }

    pub fn call<const N: usize>(&mut self, number: u32, arguments: [u32; N]) -> Outcome {
        self.attempt(&mut request(number, arguments))
    }

    pub fn done<const N: usize>(&mut self, number: u32, arguments: [u32; N]) -> u32 {
        match self.call(number, arguments) {
            Outcome::Done(value) => value,
            other => panic!("call {number}: {other:?}"),
        }
    }

    pub fn fails<const N: usize>(&mut self, number: u32, arguments: [u32; N]) -> Errno {
        match self.call(number, arguments) {
            Outcome::Failed(errno) => errno,
            other => panic!("call {number}: {other:?}"),
        }
    }

    pub fn put(&mut self, ea: u32, bytes: &[u8]) -> u32 {
        self.memory.write(ea, bytes).unwrap();
        ea
    }

    pub fn words(&mut self, ea: u32, words: &[u32]) -> u32 {
        let bytes: Vec<u8> = words.iter().flat_map(|word| word.to_be_bytes()).collect();
        self.put(ea, &bytes)
    }

    pub fn text(&mut self, text: &str) -> u32 {
        self.put(HERE, &[text.as_bytes(), &[0]].concat())
    }

    pub fn bytes(&mut self, ea: u32, count: usize) -> Vec<u8> {
        let mut out = vec![0; count];
        self.memory.read(ea, &mut out).unwrap();
        out
    }

    pub fn word(&mut self, ea: u32) -> u32 {
        u32::from_be_bytes(self.bytes(ea, 4).try_into().unwrap())
    }

    pub fn open(&mut self, path: &str, flags: u32) -> Outcome {
        let path = self.text(path);
        self.call(286, [at::CURRENT, path, flags, 0o644])
    }

    pub fn opened(&mut self, path: &str, flags: u32) -> u32 {
        match self.open(path, flags) {
            Outcome::Done(number) => number,
            other => panic!("open {path}: {other:?}"),
        }
    }

    pub fn read(&mut self, descriptor: u32, count: u32) -> Vec<u8> {
        let count = self.done(3, [descriptor, THERE, count]);
        self.bytes(THERE, count as usize)
    }

    pub fn write(&mut self, descriptor: u32, bytes: &[u8]) -> Outcome {
        let at = self.put(THERE, bytes);
        self.call(4, [descriptor, at, bytes.len() as u32])
    }

    /// Returns the whole contents of a file.
    pub fn contents(&mut self, path: &str) -> String {
        let file = self.opened(path, 0);
        let bytes = self.read(file, 100_000);
        self.done(6, [file]);
        String::from_utf8(bytes).unwrap()
    }

    /// Returns the names of the files in a directory.
    pub fn names(&mut self, path: &str) -> Vec<String> {
        let directory = self.opened(path, 0o40000);
        let mut names = Vec::new();
        loop {
            let count = self.done(202, [directory, THERE, 512]) as usize;
            let bytes = self.bytes(THERE, count);
            let mut at = 0;
            while at < bytes.len() {
                let length = usize::from(u16::from_be_bytes([bytes[at + 16], bytes[at + 17]]));
                let name = bytes[at + 19..at + length].split(|byte| *byte == 0).next().unwrap();
                names.push(String::from_utf8(name.to_vec()).unwrap());
                at += length;
            }
            if count == 0 {
                self.done(6, [directory]);
                return names;
            }
        }
    }

    /// Creates a pipe with these flags. Returns its two descriptors.
    pub fn pipe(&mut self, flags: u32) -> (u32, u32) {
        self.done(317, [HERE, flags]);
        (self.word(HERE), self.word(HERE + 4))
    }
}

pub fn request<const N: usize>(number: u32, arguments: [u32; N]) -> Request {
    let mut all = [0; 8];
    all[..N].copy_from_slice(&arguments);
    Request::new(number, all)
}

fn load(name: &str) -> Machine {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../machines");
    let read = |name: &str| std::fs::read_to_string(folder.join(format!("{name}.toml"))).unwrap();
    Machine::parse(&read(name), name).unwrap()
}
