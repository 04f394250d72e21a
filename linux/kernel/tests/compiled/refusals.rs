//! Tests that a program that cannot run is refused with a one-line message that says what to do.

use super::toolchain::execute;
use std::path::{Path, PathBuf};

fn file(name: &str, bytes: &[u8]) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{name}-{}", std::process::id()));
    std::fs::write(&path, bytes).expect("a file");
    path
}

fn refusal(path: &Path) -> String {
    execute(path, &[]).err().map(|refusal| refusal.to_string()).expect("a refusal")
}

#[test]
fn a_program_of_another_kind_is_refused() {
    let script = refusal(&file("script", b"#!/bin/sh\n"));
    assert!(script.ends_with(": a script; give the program that it starts"), "{script}");
    let own = refusal(&std::env::current_exe().expect("this test"));
    assert!(own.contains(", not for PowerPC; compile it with powerpc-linux-gnu-gcc"), "{own}");
    let missing = Path::new(env!("CARGO_TARGET_TMPDIR")).join("missing");
    let none = refusal(&missing);
    assert!(none.contains("missing` cannot be read: No such file") && !none.contains('\n'), "{none}");
}
