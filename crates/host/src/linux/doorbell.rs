//! Doorbells, which notify another thread that a message has arrived.

use super::abort::Abort;
use super::os::{eventfd, futex_wait, futex_wake};
use crate::error::Error;
use crate::request::Path;
use std::fs::File;
use std::io::{PipeReader, PipeWriter, Read, Write, pipe};
use std::sync::atomic::{AtomicU32, Ordering};

/// The notification mechanism for one direction between two threads.
pub enum Doorbell {
    /// No doorbell: the receiver polls the word.
    Memory,
    /// The receiver sleeps in a futex wait on the word.
    Futex,
    /// The receiver sleeps in a `read` of an eventfd counter.
    Eventfd(File),
    /// The receiver sleeps in a `read` of a pipe.
    Pipe(PipeReader, PipeWriter),
}

impl Doorbell {
    /// A doorbell for this path.
    pub fn new(path: Path) -> Result<Doorbell, Error> {
        Ok(match path {
            Path::Memory | Path::Lines | Path::OneWay => Doorbell::Memory,
            Path::Futex => Doorbell::Futex,
            Path::Eventfd => Doorbell::Eventfd(eventfd()?),
            Path::Pipe => {
                let ends = pipe().map_err(|error| Error::Run(format!("a pipe cannot be created: {error}")))?;
                Doorbell::Pipe(ends.0, ends.1)
            }
        })
    }

    /// Wakes the waiting thread. The sender has already written the word, if the path uses a word. Ringing never
    /// blocks, because a sender is at most one message ahead of its receiver.
    pub fn ring(&self, word: &AtomicU32) {
        // Errors are ignored when ringing, because the waiting thread reports a failed doorbell.
        let _ = match self {
            Doorbell::Memory => Ok(()),
            Doorbell::Futex => {
                futex_wake(word);
                Ok(())
            }
            Doorbell::Eventfd(counter) => (&*counter).write_all(&1_u64.to_ne_bytes()),
            Doorbell::Pipe(_, writer) => (&*writer).write_all(&1_u32.to_ne_bytes()),
        };
    }

    /// Waits until the word is not 0. On a path that uses no word, waits until the doorbell rings.
    pub fn wait(&self, word: &AtomicU32, abort: &Abort) -> Result<(), Error> {
        let rung = match self {
            Doorbell::Memory => return abort.spin_until(|| word.load(Ordering::Acquire) != 0),
            Doorbell::Futex => {
                while word.load(Ordering::Acquire) == 0 {
                    futex_wait(word, 0);
                    abort.check()?;
                }
                Ok(())
            }
            Doorbell::Eventfd(counter) => (&*counter).read_exact(&mut [0; 8]),
            Doorbell::Pipe(reader, _) => (&*reader).read_exact(&mut [0; 4]),
        };
        rung.map_err(|error| Error::Run(format!("a message is lost: {error}")))?;
        abort.check()
    }
}
