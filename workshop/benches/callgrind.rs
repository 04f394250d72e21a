//! Counts host instructions, if valgrind is installed.

use std::process::Command;

/// The argument with which this program runs itself under callgrind.
const UNDER_CALLGRIND: &str = "--under-callgrind";

/// The loads to run under callgrind, from the arguments; none in a normal run.
pub fn asked() -> Option<Vec<String>> {
    let mut arguments = std::env::args().skip_while(|argument| argument != UNDER_CALLGRIND);
    arguments.next().map(|_| arguments.collect())
}

/// Host instructions for one unit of work: the difference between two runs, and of their units. A bench prints it.
pub fn each(short: Option<(u64, u64)>, long: Option<(u64, u64)>) -> String {
    match (short, long) {
        (Some(short), Some(long)) => format!("{:.1}", (long.0 - short.0) as f64 / (long.1 - short.1) as f64),
        _ => "no valgrind".to_string(),
    }
}

/// Host instructions of a whole run of this program under callgrind, with these arguments.
pub fn instructions(arguments: &[String]) -> Option<u64> {
    let program = std::env::current_exe().ok()?;
    let done = Command::new("valgrind")
        .args(["--tool=callgrind", "--callgrind-out-file=/dev/null"])
        .arg(program)
        .arg(UNDER_CALLGRIND)
        .args(arguments)
        .output()
        .ok()?;
    // The last line of callgrind: "==1234== Collected : 567890".
    let said = String::from_utf8_lossy(&done.stderr).into_owned();
    said.lines().find_map(|line| line.split_once("Collected :")?.1.trim().parse().ok())
}
