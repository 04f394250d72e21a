//! `/sys`: processors, SPEs and memory nodes.

use super::facts::{Facts, threads_of};
use crate::files::fixed::Maker;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::Object;
use cell::units::THREADS_PER_PPE;
use std::ops::Range;
use std::rc::Rc;

type Entries = Vec<(String, Rc<dyn Object>)>;

/// Creates `/sys` for a machine, with the files that programs for Cell read.
pub fn sys(facts: &Facts) -> Rc<dyn Object> {
    let make = Maker::new(device::SYS, file_system::SYSFS);
    let system = make.directory(vec![
        ("cpu".to_string(), processors(&make, facts)),
        ("node".into(), nodes(&make, facts)),
        ("spu".into(), spes(&make, facts)),
    ]);
    make.directory(vec![("devices".to_string(), make.directory(vec![("system".to_string(), system)]))])
}

fn processors(make: &Maker, facts: &Facts) -> Rc<dyn Object> {
    let mut entries: Entries = Vec::new();
    for name in ["online", "possible", "present"] {
        entries.push((name.to_string(), make.constant(list(&(0..facts.processors())))));
    }
    entries.push(("kernel_max".into(), make.constant("31\n")));
    for processor in 0..facts.processors() {
        let chip = processor / THREADS_PER_PPE as u32;
        let siblings = list(&threads_of(chip));
        let topology = make.directory(vec![
            ("core_id".to_string(), make.constant(format!("{chip}\n"))),
            ("physical_package_id".into(), make.constant(format!("{chip}\n"))),
            ("thread_siblings_list".into(), make.constant(siblings)),
        ]);
        let online = make.constant("1\n");
        let entries_of = vec![("online".to_string(), online), ("topology".into(), topology)];
        entries.push((format!("cpu{processor}"), make.directory(entries_of)));
    }
    make.directory(entries)
}

/// Directory of the SPEs, by logical number.
fn spes(make: &Maker, facts: &Facts) -> Rc<dyn Object> {
    let spe = |n: usize| {
        let times = make.constant("idle 0 0 0 0 0 0 0 0 0 0 0 0\n");
        make.directory(vec![("phys_id".to_string(), make.constant(format!("0x{n:x}\n"))), ("stat".into(), times)])
    };
    make.directory((0..facts.spes.len()).map(|n| (format!("spu{n}"), spe(n))).collect())
}

/// Directory of the memory nodes: one node for each chip, with the chip's processors.
fn nodes(make: &Maker, facts: &Facts) -> Rc<dyn Object> {
    let last = facts.chips - 1;
    let range = if last == 0 { "0\n".to_string() } else { format!("0-{last}\n") };
    let mut entries: Entries = vec![("online".to_string(), make.constant(range.clone()))];
    entries.push(("possible".into(), make.constant(range)));
    for chip in 0..facts.chips {
        let threads = threads_of(chip);
        let mut node: Entries = vec![("cpulist".to_string(), make.constant(list(&threads)))];
        node.extend(threads.map(|n| (format!("cpu{n}"), make.link(format!("../../cpu/cpu{n}")))));
        let own = (0..).zip(&facts.spes).filter(|(_, of)| **of == chip).map(|(n, _): (usize, _)| n);
        node.extend(own.map(|n| (format!("spu{n}"), make.link(format!("../../spu/spu{n}")))));
        entries.push((format!("node{chip}"), make.directory(node)));
    }
    make.directory(entries)
}

/// A range in the kernel's notation, such as `0-1`.
fn list(numbers: &Range<u32>) -> String {
    format!("{}-{}\n", numbers.start, numbers.end - 1)
}
