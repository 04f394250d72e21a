//! The commands of `monitor`: what a debugger for Linux does not know about a Cell.

mod spe;
mod time;
mod trace;

use linux::debug::Stopped;

const HELP: &str = "\
monitor spe      what every SPE does
monitor spe N    SPE N: registers, next instructions, MFC queues, mailboxes, why it stopped, callers
monitor trace    the last transfers over the rings
monitor time     simulated time
monitor help     this list
";

/// The answer to a command.
pub fn answer(command: &str, stopped: &mut Stopped<'_>) -> String {
    let words: Vec<&str> = command.split_whitespace().collect();
    match words.as_slice() {
        [] | ["help"] => HELP.to_string(),
        ["time"] => time::time(stopped),
        ["trace"] => trace::trace(stopped),
        ["spe"] => spe::list(stopped),
        ["spe", number] => match number.parse() {
            Ok(number) => spe::one(number, stopped),
            Err(_) => format!("{number:?} is no number of an SPE\n"),
        },
        _ => format!("there is no command {command:?}; these are the commands:\n{HELP}"),
    }
}
