//! Profile of the PPE, obtained by sampling the program's threads.
//!
//! The cycles since the last sample are attributed to the function at the sampled address. Waiting time and system
//! calls are not attributed to any function.

use crate::elf::symbols::function_at;
use crate::kernel::Kernel;
use files::Open;
use std::collections::BTreeMap;
use std::rc::Rc;

/// Processor cycles attributed to each sampled address.
pub type Samples = BTreeMap<u32, u64>;

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct FunctionTime {
    /// Name of the function, or `None` if it is unknown.
    pub function: Option<String>,
    /// Path of the function's file, if its code comes from a file.
    pub file: Option<String>,
    /// Processor cycles.
    pub cycles: u64,
}

/// Time in each function, longest first.
pub fn by_function(kernel: &Kernel, samples: &Samples) -> Vec<FunctionTime> {
    let mut library = Library { kernel, files: BTreeMap::new() };
    let mut times: BTreeMap<(Option<String>, Option<String>), u64> = BTreeMap::new();
    for (pc, cycles) in samples {
        *times.entry(library.locate(*pc)).or_default() += cycles;
    }
    let mut times: Vec<FunctionTime> =
        times.into_iter().map(|((file, function), cycles)| FunctionTime { function, file, cycles }).collect();
    times.sort_by_key(|time| std::cmp::Reverse(time.cycles));
    times
}

/// Files that contain the code of a process.
struct Library<'k> {
    kernel: &'k Kernel,
    files: BTreeMap<Rc<[u8]>, Rc<[u8]>>,
}

impl Library<'_> {
    /// Finds the file and the function at an address.
    fn locate(&mut self, ea: u32) -> (Option<String>, Option<String>) {
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

    /// Contents of a file, which is read only once. The contents are empty if the file cannot be read.
    fn file(&mut self, path: &Rc<[u8]>) -> Rc<[u8]> {
        if let Some(program) = self.kernel.program.as_ref().filter(|program| program.path == *path) {
            return Rc::clone(&program.file);
        }
        if let Some(file) = self.files.get(path) {
            return Rc::clone(file);
        }
        let opened = self.kernel.files.view.known().open(path, &Open { read: true, ..Open::default() });
        let content: Rc<[u8]> = opened.and_then(|file| super::image::whole(&file)).unwrap_or_default().into();
        self.files.insert(Rc::clone(path), Rc::clone(&content));
        content
    }
}
