//! `/proc`: texts about the machine and the process.

use super::descriptor_links::DescriptorLinks;
use super::facts::Facts;
use super::process;
use crate::files::fixed::Maker;
use crate::identity::{RELEASE, VERSION};
use crate::vfs::description::Descriptors;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::Object;
use std::cell::RefCell;
use std::fmt::Write;
use std::rc::{Rc, Weak};

const KIB: u64 = 1024;

/// `/proc` of a machine.
pub fn proc(facts: &Facts, descriptors: &Weak<RefCell<Descriptors>>) -> Rc<dyn Object> {
    let make = Maker::new(device::PROC, file_system::PROC);
    let process = &facts.process;
    let number = process.number.to_string();
    let mut entries = vec![
        ("cpuinfo".to_string(), make.constant(cpuinfo(facts))),
        ("filesystems".into(), make.constant(FILE_SYSTEMS)),
        ("loadavg".into(), make.constant(format!("0.00 0.00 0.00 1/1 {number}\n"))),
        ("meminfo".into(), meminfo(&make, facts.main_memory_bytes, facts.huge_page_bytes.into())),
        ("mounts".into(), make.link("self/mounts")),
        ("self".into(), make.link(&number)),
        ("spu_loadavg".into(), make.constant(format!("0.00 0.00 0.00 0/0 {number}\n"))),
        ("stat".into(), make.constant(stat(facts.processors()))),
        ("sys".into(), settings(&make)),
        ("uptime".into(), make.text(|context| uptime(context.now))),
        ("version".into(), make.constant(format!("Linux version {RELEASE} (cellstats) {VERSION}\n"))),
    ];
    let open = Rc::new(DescriptorLinks::new(descriptors.clone(), process.user));
    entries.push((number, process::directory(&make, process, open)));
    make.directory(entries)
}

const FILE_SYSTEMS: &str = "nodev\tproc\nnodev\tsysfs\nnodev\ttmpfs\nnodev\tpipefs\nnodev\tspufs\n\text2\n";

/// `/proc/cpuinfo`
///
/// MODEL: a machine of one chip with fewer than eight SPEs is a PlayStation 3. Any other machine is a blade, with a
/// model number that IBM did not use.
fn cpuinfo(facts: &Facts) -> String {
    let (version, register) = if facts.is_console() { ("5.1", "0501") } else { ("48.0", "3000") };
    let megahertz = facts.clock_hz as f64 / 1e6;
    let mut text = String::new();
    for processor in 0..facts.processors() {
        // An error is impossible, because writing to a string never fails.
        let _ = write!(
            text,
            "processor\t: {processor}\ncpu\t\t: Cell Broadband Engine, altivec supported\n\
             clock\t\t: {megahertz:.6}MHz\nrevision\t: {version} (pvr 0070 {register})\n\n"
        );
    }
    let platform = match facts.is_console() {
        true => "platform\t: PS3\nmodel\t\t: SonyPS3\n",
        false => "platform\t: Cell\nmachine\t\t: CHRP IBM,CBEA\n",
    };
    text + &format!("timebase\t: {}\n{platform}", facts.timebase_hz)
}

fn meminfo(make: &Maker, total_bytes: u64, huge_bytes: u64) -> Rc<dyn Object> {
    make.text(move |context| {
        let (total, free) = (total_bytes / KIB, context.hardware.free_bytes() / KIB);
        let lines = [
            ("MemTotal", total),
            ("MemFree", free),
            ("MemAvailable", free),
            ("Buffers", 0),
            ("Cached", 0),
            ("SwapCached", 0),
            ("SwapTotal", 0),
            ("SwapFree", 0),
            ("Committed_AS", total.saturating_sub(free)),
        ];
        let mut text: String =
            lines.iter().map(|(name, kib)| format!("{:<16}{kib:>8} kB\n", format!("{name}:"))).collect();
        // All free memory is available to huge pages.
        let huge = |bytes: u64| bytes * KIB / huge_bytes;
        let pages = [("HugePages_Total", huge(total)), ("HugePages_Free", huge(free))];
        text.extend(pages.map(|(name, count)| format!("{:<16}{count:>8}\n", format!("{name}:"))));
        text.push_str(&format!("Hugepagesize:   {:>8} kB\n", huge_bytes / KIB));
        text.into_bytes()
    })
}

/// `/proc/stat`. Libraries count the text lines of this file.
fn stat(processors: u32) -> String {
    let times = " 0 0 0 0 0 0 0 0 0 0\n";
    let lines: String = (0..processors).map(|n| format!("cpu{n}{times}")).collect();
    format!("cpu {times}{lines}intr 0\nctxt 0\nbtime {}\nprocesses 1\n", crate::clock::START_SECONDS)
}

fn uptime(now_ns: u64) -> Vec<u8> {
    let hundredths = now_ns / 10_000_000;
    format!("{}.{:02} 0.00\n", hundredths / 100, hundredths % 100).into_bytes()
}

/// `/proc/sys`: the kernel settings that programs read.
fn settings(make: &Maker) -> Rc<dyn Object> {
    let texts = |texts: &[(&str, &str)]| {
        let entry = |(name, text): &(&str, &str)| (name.to_string(), make.constant(format!("{text}\n")));
        make.directory(texts.iter().map(entry).collect())
    };
    let kernel = [
        ("hostname", "cell"),
        ("ngroups_max", "65536"),
        ("osrelease", RELEASE),
        ("ostype", "Linux"),
        ("pid_max", "32768"),
        ("threads-max", "3000"),
        ("version", VERSION),
    ];
    make.directory(vec![
        ("fs".to_string(), texts(&[("pipe-max-size", "65536")])),
        ("kernel".into(), texts(&kernel)),
        ("vm".into(), texts(&[("max_map_count", "65530"), ("overcommit_memory", "0")])),
    ])
}
