//! The last `get` command into each line of a local store, for reports of overwritten programs.

use crate::command::Command;
use crate::units::{BusCycle, LINE_BYTES};
use std::fmt;

/// Number of commands that are remembered.
const COMMANDS: usize = 1024;

/// A `get` command that was enqueued.
#[derive(Clone, Copy, Debug)]
pub struct LastGet {
    /// The command.
    pub command: Command,
    /// Number of bytes that the command moves; for a list, by the elements that it had when it was enqueued.
    pub bytes: u32,
    /// When the command was enqueued.
    pub enqueued_at: BusCycle,
}

impl fmt::Display for LastGet {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let LastGet { command, bytes, enqueued_at } = self;
        write!(f, "the last DMA into this line was {command} ({bytes} bytes), given in bus cycle {enqueued_at}")
    }
}

/// The last `get` commands of an MFC.
#[derive(Clone, Debug, Default)]
pub struct LastGets {
    /// The last commands; command number `n` is at `n % COMMANDS`.
    commands: Vec<LastGet>,
    given: u32,
    /// For each line of the local store, 1 more than the number of the last command into it; 0 if there was none.
    lines: Vec<u32>,
}

impl LastGets {
    /// Remembers a command for a local store of `store_bytes` bytes.
    pub fn remember(&mut self, get: LastGet, store_bytes: u32) {
        self.lines.resize(line_of(store_bytes), 0);
        match self.commands.get_mut(self.given as usize % COMMANDS) {
            Some(place) => *place = get,
            None => self.commands.push(get),
        }
        self.given = self.given.wrapping_add(1);
        let from = get.command.lsa % store_bytes;
        let to = (from + get.bytes.min(store_bytes)).next_multiple_of(LINE_BYTES as u32);
        for line in line_of(from)..line_of(to) {
            // Addresses continue with 0 behind the end.
            let count = self.lines.len();
            self.lines[line % count] = self.given;
        }
    }

    /// The last command into the line of `address`, if it is still remembered.
    pub fn into_line(&self, address: u32) -> Option<&LastGet> {
        let number = *self.lines.get(line_of(address))?;
        let age = self.given.wrapping_sub(number);
        (number != 0 && (age as usize) < COMMANDS).then(|| &self.commands[number.wrapping_sub(1) as usize % COMMANDS])
    }
}

fn line_of(address: u32) -> usize {
    (u64::from(address) / LINE_BYTES) as usize
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(lsa: u32, bytes: u32) -> LastGet {
        let command = Command { opcode: 0x40, lsa, ea: 0, size: bytes, tag: 0 };
        LastGet { command, bytes, enqueued_at: 0 }
    }

    #[test]
    fn a_line_has_the_last_command_into_it() {
        let mut gets = LastGets::default();
        assert!(gets.into_line(0).is_none());
        gets.remember(get(0x100, 0x200), 0x40000);
        gets.remember(get(0x180, 16), 0x40000);
        let starts: Vec<_> = [0x80, 0x100, 0x180, 0x200, 0x280, 0x300]
            .map(|at| gets.into_line(at).map(|get| get.command.lsa))
            .into_iter()
            .collect();
        assert_eq!(starts, [None, Some(0x100), Some(0x180), Some(0x100), Some(0x100), None]);
    }

    #[test]
    fn a_command_beyond_the_end_continues_at_the_start() {
        let mut gets = LastGets::default();
        gets.remember(get(0x3ff80, 0x100), 0x40000);
        assert!(gets.into_line(0x7f).is_some() && gets.into_line(0x80).is_none());
    }

    #[test]
    fn old_commands_are_forgotten() {
        let mut gets = LastGets::default();
        gets.remember(get(0, 16), 0x40000);
        for _ in 0..COMMANDS - 1 {
            gets.remember(get(0x1000, 16), 0x40000);
        }
        assert!(gets.into_line(0).is_some());
        gets.remember(get(0x1000, 16), 0x40000);
        assert!(gets.into_line(0).is_none());
    }
}
