//! What does a program learn of the path of its own file?

use super::toolchain::{Bits, Linked, Written, compile};
use crate::parts;
use cell::machine::Machine;
use cell::placement::Placement;
use files::Reach;
use linux::simulation::{Options, run};
use std::cell::RefCell;
use std::fs;
use std::path::Path;
use std::rc::Rc;

fn told(program: &Path, directory: &Path, roots: &[&Path], reach: Reach) -> String {
    let machine = Machine::builtin("ps3").expect("a machine");
    let written = Rc::new(RefCell::new(Written::default()));
    let options = Options {
        machine: &machine,
        placement: Placement::default_of(&machine),
        limit_bus_cycles: 1 << 34,
        program: program.to_path_buf(),
        arguments: vec![b"program".to_vec()],
        environment: Vec::new(),
        system_roots: roots.iter().map(|root| root.to_path_buf()).collect(),
        reach,
        directory: directory.to_path_buf(),
        window: None,
        profile: false,
        low_addresses: false,
    };
    let outcome = run(options, Rc::clone(&written) as _, || true).expect("a program");
    assert_eq!((outcome.status, outcome.line), (Some(0), None));
    String::from_utf8_lossy(&written.borrow().0).into_owned()
}

#[test]
fn a_program_learns_the_path_under_which_it_can_reach_itself() {
    if !parts::is_there("powerpc") {
        return;
    }
    let base = tempfile::TempDir::new().unwrap();
    let place = fs::canonicalize(base.path()).unwrap();
    let path = |name: &str| place.join(name);
    for name in ["root/usr/bin", "work/inner", "other"] {
        fs::create_dir_all(path(name)).unwrap();
    }
    let compiled = compile("own_path", Bits::B32, Linked::Statically);
    for name in ["root/usr/bin/tool", "work/inner/tool", "other/tool"] {
        fs::copy(&compiled, path(name)).unwrap();
    }
    let root = path("root");
    let told = |name: &str, reach| told(&path(name), &path("work"), &[&root], reach);
    let seen = format!("{} 1\n", path("work/inner/tool").display());
    assert_eq!(told("work/inner/tool", Reach::Cwd), seen);
    assert_eq!(told("work/../work/inner/tool", Reach::Cwd), seen);
    // In the root, the program sees its file elsewhere than this computer does.
    assert_eq!(told("root/usr/bin/tool", Reach::Cwd), "/usr/bin/tool 1\n");
    assert_eq!(told("root/usr/bin/tool", Reach::None), "/usr/bin/tool 1\n");
    // Out of reach, only the file's name is known.
    assert_eq!(told("other/tool", Reach::Cwd), "/tool 0\n");
    assert_eq!(told("work/inner/tool", Reach::None), "/tool 0\n");
    assert_eq!(told("other/tool", Reach::All), format!("{} 1\n", path("other/tool").display()));
    std::os::unix::fs::symlink(path("other/tool"), path("work/link")).unwrap();
    assert_eq!(told("work/link", Reach::Cwd), "/link 0\n");
}
