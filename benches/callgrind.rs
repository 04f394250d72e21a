//! How many instructions of the host something takes, where valgrind is installed.

use std::process::Command;

/// What this program is called with when it runs under callgrind.
const UNDER_CALLGRIND: &str = "--under-callgrind";

/// The loads that this program is asked to run, under callgrind; none if it is to measure.
pub fn asked() -> Option<Vec<String>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != UNDER_CALLGRIND);
    arguments.next().map(|_| arguments.collect())
}

/// Instructions of a whole run of this program, called with these arguments under callgrind.
pub fn instructions(arguments: &[String]) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .arg(UNDER_CALLGRIND)
        .args(arguments)
        .output()
        .ok()?;
    // The last words of callgrind: "==1234== Collected : 567890".
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}
