//! `/proc/<number>`: texts about the process.

use super::facts::Process;
use crate::files::fixed::Maker;
use crate::layout::vdso;
use crate::vfs::object::{Context, Object};
use std::rc::Rc;

/// Text of `/proc/mounts`.
const MOUNTS: &str = "\
/dev/root / ext2 rw 0 0
proc /proc proc rw 0 0
sysfs /sys sysfs rw 0 0
devtmpfs /dev devtmpfs rw 0 0
tmpfs /dev/shm tmpfs rw 0 0
tmpfs /tmp tmpfs rw 0 0
none /huge hugetlbfs rw 0 0
spufs /spu spufs rw 0 0
";

/// Creates the directory of the process. `open` becomes the subdirectory `fd`.
pub fn directory(make: &Maker, process: &Process, open: Rc<dyn Object>) -> Rc<dyn Object> {
    let name = process.program.rsplit(|byte| *byte == b'/').next().unwrap_or_default();
    let name = String::from_utf8_lossy(name.get(..15).unwrap_or(name)).into_owned();
    let program = String::from_utf8_lossy(&process.program).into_owned();
    let lines = |texts: &[Vec<u8>]| texts.iter().flat_map(|text| text.iter().copied().chain([0])).collect::<Vec<u8>>();
    let (arguments, environment) = (lines(&process.arguments), lines(&process.environment));
    make.directory(vec![
        ("cmdline".to_string(), make.text(move |_| arguments.clone())),
        ("comm".into(), make.constant(format!("{name}\n"))),
        ("environ".into(), make.text(move |_| environment.clone())),
        ("exe".into(), make.link(program)),
        ("fd".into(), open),
        ("maps".into(), make.text(|context| maps(context))),
        ("mounts".into(), make.constant(MOUNTS)),
        ("root".into(), make.link("/")),
        ("status".into(), make.constant(status(process, &name))),
    ])
}

/// The address whose right half is `low` or, at the end of an area, whose predecessor's is.
fn end(context: &Context<'_>, low: u32) -> u64 {
    context.hardware.effective(low.wrapping_sub(1)) + 1
}

/// Text of `maps`: one text line for each memory area, with the area's addresses, permissions and contents.
fn maps(context: &Context<'_>) -> Vec<u8> {
    let heap = &context.space.heap;
    let mut text = Vec::new();
    for (start, area) in context.space.areas() {
        let bit = |is: bool, letter: char| if is { letter } else { '-' };
        let access = area.access;
        let (read, write, execute) = (bit(access.read, 'r'), bit(access.write, 'w'), bit(access.execute, 'x'));
        let shared = if area.is_private() { 'p' } else { 's' };
        let offset = area.origin.as_ref().map_or(0, |origin| origin.offset);
        let (first, end) = (context.hardware.effective(start), end(context, area.end));
        let line = format!("{first:08x}-{end:08x} {read}{write}{execute}{shared} {offset:08x} 00:00 0");
        text.extend(line.into_bytes());
        let name: &[u8] = match &area.origin {
            Some(origin) => &origin.path,
            None if area.end == context.space.layout.stack_end() => b"[stack]",
            None if (heap.start..heap.end).contains(&start) => b"[heap]",
            None if start == vdso::AT => b"[vdso]",
            None => b"",
        };
        if !name.is_empty() {
            text.extend([b' '; 26]);
            text.extend(name);
        }
        text.push(b'\n');
    }
    text
}

fn status(process: &Process, name: &str) -> String {
    let (number, user) = (process.number, process.user);
    format!(
        "Name:\t{name}\nState:\tR (running)\nTgid:\t{number}\nPid:\t{number}\nPPid:\t{}\n\
         Uid:\t{user}\t{user}\t{user}\t{user}\nGid:\t{user}\t{user}\t{user}\t{user}\n",
        process.parent
    )
}
