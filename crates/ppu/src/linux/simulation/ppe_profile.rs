//! Where the PPE's time went: its threads are looked at every so many of their cycles.
//!
//! What a thread has executed since the last look counts for the function in which it is found.  Waits, and the time
//! of system calls, count for nobody.

use crate::linux::elf::symbols::function_at;
use crate::linux::kernel::Kernel;
use files::Open;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Cycles by the address at which a thread was found.
pub type Samples = BTreeMap<u32, u64>;

/// The time in a function.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionTime {
    /// The function; none where no name is known.
    pub function: Option<String>,
    /// The file that it is from; none for code that is from none.
    pub file: Option<String>,
    /// Processor cycles.
    pub cycles: u64,
}

/// The time in each function, the longest first.
pub fn by_function(kernel: &Kernel, samples: &Samples) -> Vec<FunctionTime> {
    let mut library = Library { kernel, files: BTreeMap::new() };
    let mut times: BTreeMap<(Option<String>, Option<String>), u64> = BTreeMap::new();
    for (pc, cycles) in samples {
        *times.entry(library.place(*pc)).or_default() += cycles;
    }
    let mut times: Vec<FunctionTime> =
        times.into_iter().map(|((file, function), cycles)| FunctionTime { function, file, cycles }).collect();
    times.sort_by_key(|time| std::cmp::Reverse(time.cycles));
    times
}

/// The files of a process's code.
struct Library<'k> {
    kernel: &'k Kernel,
    files: BTreeMap<Rc<[u8]>, Rc<[u8]>>,
}

impl Library<'_> {
    /// The file and the function that an address is in.
    fn place(&mut self, ea: u32) -> (Option<String>, Option<String>) {
        let area = self.kernel.mm.space.at(ea);
        let Some((start, origin)) = area.and_then(|(start, area)| Some((start, area.origin.clone()?))) else {
            return (None, None);
        };
        let name = origin.path.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
        let name = String::from_utf8_lossy(name).into_owned();
        let file = self.file(&origin.path);
        let function = function_at(&file, origin.offset + u64::from(ea - start)).map(|(function, _)| function);
        (Some(name), function)
    }

    /// What a file holds, as far as it can be read; read once.
    fn file(&mut self, path: &Rc<[u8]>) -> Rc<[u8]> {
        if let Some(program) = self.kernel.program.as_ref().filter(|program| program.path == *path) {
            return Rc::clone(&program.file);
        }
        if let Some(file) = self.files.get(path) {
            return Rc::clone(file);
        }
        let opened = self.kernel.files.view.open(path, &Open { read: true, ..Open::default() });
        let content: Rc<[u8]> =
            opened.and_then(|file| crate::linux::simulation::image::whole(&file)).unwrap_or_default().into();
        self.files.insert(Rc::clone(path), Rc::clone(&content));
        content
    }
}
