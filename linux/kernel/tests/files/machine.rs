//! Tests the files in which the simulated machine describes itself.

use super::harness::{Outcome, Program};
use files::Reach;
use linux::errno::Errno;
use linux::vfs::flags::open;

fn count(names: &[String], start: &str) -> usize {
    let number = |name: &&String| name.strip_prefix(start).is_some_and(|rest| rest.parse::<u32>().is_ok());
    names.iter().filter(number).count()
}

#[test]
fn processors_spes_and_nodes_are_counted_in_directories() {
    for (machine, chips, spes, platform) in [("ps3", 1, 6, "PS3"), ("qs20", 2, 16, "Cell")] {
        let mut program = Program::reaching(Reach::Cwd, machine);
        let system = "/sys/devices/system";
        assert_eq!(count(&program.names(&format!("{system}/spu")), "spu"), spes);
        assert_eq!(count(&program.names(&format!("{system}/cpu")), "cpu"), 2 * chips);
        assert_eq!(count(&program.names(&format!("{system}/node")), "node"), chips);
        for chip in 0..chips {
            let names = program.names(&format!("{system}/node/node{chip}"));
            assert_eq!((count(&names, "spu"), count(&names, "cpu")), (spes / chips, 2));
        }
        assert_eq!(program.contents(&format!("{system}/cpu/online")), format!("0-{}\n", 2 * chips - 1));
        let text = program.contents("/proc/cpuinfo");
        assert_eq!(text.matches("Cell Broadband Engine, altivec supported").count(), 2 * chips);
        assert!(text.contains(&format!("platform\t: {platform}\n")), "{text}");
    }
}

#[test]
fn links_of_nodes_lead_to_their_processors() {
    let mut program = Program::reaching(Reach::Cwd, "qs20");
    assert_eq!(program.contents("/sys/devices/system/node/node1/cpu3/topology/core_id"), "1\n");
    assert_eq!(program.contents("/sys/devices/system/node/node1/spu15/phys_id"), "0xf\n");
}

#[test]
fn the_timebase_is_the_machines() {
    assert!(Program::new().contents("/proc/cpuinfo").contains("timebase\t: 79800000\n"));
    assert!(Program::new().contents("/proc/meminfo").starts_with("MemTotal:         204800 kB\n"));
}

#[test]
fn what_the_machine_says_cannot_be_changed() {
    let mut program = Program::new();
    let failed = Outcome::Failed;
    assert_eq!(program.open("/proc/cpuinfo", open::READ_WRITE), failed(Errno::EACCES));
    assert_eq!(program.open("/proc/new", open::CREATE), failed(Errno::EACCES));
    assert_eq!(program.open("/sys/devices", open::READ_WRITE), failed(Errno::EISDIR));
    assert_eq!(program.open("/spu/new", open::CREATE), failed(Errno::EACCES));
    assert_eq!(program.open("/dev/tty", 0), failed(Errno::ENXIO));
}

#[test]
fn random_numbers_are_the_same_in_every_run() {
    let numbers = || {
        let mut program = Program::new();
        let file = program.opened("/dev/urandom", 0);
        program.read(file, 16)
    };
    assert_eq!(numbers(), numbers());
    assert_ne!(numbers(), [0; 16]);
}
