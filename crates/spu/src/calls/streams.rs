//! C's streams, shared by the programs of a run. Streams 1, 2 and 3 are the standard streams.
//!
//! Streams are unbuffered: the host has all of a program's output when the call ends.

use super::host::{Host, Refusal, Whence, errno, open};

/// The maximum number of open streams, including the standard streams (`FOPEN_MAX` on the PPE side of libspe2).
const STREAMS_MAX: usize = 16;

/// The value that a function returns at the end of a file or on failure, instead of a character or 0.
pub const EOF: u32 = u32::MAX;

/// An open stream.
#[derive(Clone, Default, Debug)]
pub struct Stream {
    /// The host's number for the file.
    pub file: u32,
    /// Whether a read has reached the end of the file.
    pub at_end: bool,
    /// Whether an operation has failed.
    pub failed: bool,
    pushed: Option<u8>,
}

/// The streams of a run, by number. Number 0 is the null pointer.
pub struct Streams(Vec<Option<Stream>>);

impl Default for Streams {
    fn default() -> Self {
        let standard = (0..3).map(|file| Some(Stream { file, ..Stream::default() }));
        Streams(std::iter::once(None).chain(standard).collect())
    }
}

impl Streams {
    /// The stream with this number.
    ///
    /// # Errors
    /// No open stream has this number.
    pub fn get(&mut self, number: u32) -> Result<&mut Stream, Refusal> {
        let stream = self.0.get_mut(number as usize).and_then(Option::as_mut);
        stream.ok_or(Refusal::Errno(errno::BADF))
    }

    /// Opens a file. Returns the stream's number.
    ///
    /// # Errors
    /// The file cannot be opened, or too many streams are open.
    pub fn open(&mut self, host: &mut dyn Host, path: &[u8], mode: &[u8]) -> Result<u32, Refusal> {
        let free = self.0.iter().skip(4).position(Option::is_none).map_or(self.0.len(), |n| n + 4);
        if free >= STREAMS_MAX {
            return Err(Refusal::Errno(errno::MFILE));
        }
        let stream = Stream { file: host.open(path, flags(mode)?, 0o666)?, ..Stream::default() };
        if free == self.0.len() {
            self.0.push(None);
        }
        self.0[free] = Some(stream);
        Ok(free as u32)
    }

    /// Reopens a stream with another file.
    ///
    /// # Errors
    /// The file cannot be opened. The stream is closed even if the file cannot be opened.
    pub fn reopen(&mut self, host: &mut dyn Host, number: u32, path: &[u8], mode: &[u8]) -> Result<u32, Refusal> {
        self.close(host, number)?;
        let file = host.open(path, flags(mode)?, 0o666)?;
        self.0[number as usize] = Some(Stream { file, ..Stream::default() });
        Ok(number)
    }

    /// Closes a stream.
    ///
    /// # Errors
    /// The stream is not open.
    pub fn close(&mut self, host: &mut dyn Host, number: u32) -> Result<(), Refusal> {
        let file = self.get(number)?.file;
        self.0[number as usize] = None;
        host.close(file)
    }
}

impl Stream {
    /// The next byte; `None` at the end of the file.
    ///
    /// # Errors
    /// The host cannot read.
    pub fn byte(&mut self, host: &mut dyn Host) -> Result<Option<u8>, Refusal> {
        Ok(self.read(host, 1)?.first().copied())
    }

    /// Reads `n` bytes, or fewer if the file ends before that.
    ///
    /// # Errors
    /// The host cannot read.
    pub fn read(&mut self, host: &mut dyn Host, n: usize) -> Result<Vec<u8>, Refusal> {
        let mut bytes = Vec::new();
        if n > 0 {
            bytes.extend(self.pushed.take());
        }
        while bytes.len() < n {
            let more = self.record_failure(host.read(self.file, n - bytes.len()))?;
            if more.is_empty() {
                self.at_end = true;
                break;
            }
            bytes.extend(more);
        }
        Ok(bytes)
    }

    /// Reads up to and including the next newline, but at most `n` bytes.
    ///
    /// # Errors
    /// The host cannot read.
    pub fn line(&mut self, host: &mut dyn Host, n: usize) -> Result<Vec<u8>, Refusal> {
        let mut line = Vec::new();
        while line.len() < n && line.last() != Some(&b'\n') {
            let Some(byte) = self.byte(host)? else { break };
            line.push(byte);
        }
        Ok(line)
    }

    /// Writes all of `bytes`.
    ///
    /// # Errors
    /// The host cannot write.
    pub fn write(&mut self, host: &mut dyn Host, bytes: &[u8]) -> Result<(), Refusal> {
        self.record_failure(host.write(self.file, bytes))
    }

    /// Pushes back a byte, which the next read returns.
    pub fn push_back(&mut self, byte: u8) {
        self.at_end = false;
        self.pushed = Some(byte);
    }

    /// Seeks to another position. Returns the new position.
    ///
    /// # Errors
    /// The host cannot seek.
    pub fn seek(&mut self, host: &mut dyn Host, offset: i64, whence: Whence) -> Result<u64, Refusal> {
        let back = i64::from(self.pushed.is_some() && whence == Whence::Current);
        let position = host.seek(self.file, offset - back, whence)?;
        self.pushed = None;
        self.at_end = false;
        Ok(position)
    }

    /// The current position.
    ///
    /// # Errors
    /// The host cannot report the position.
    pub fn tell(&mut self, host: &mut dyn Host) -> Result<u64, Refusal> {
        let position = host.seek(self.file, 0, Whence::Current)?;
        Ok(position.saturating_sub(u64::from(self.pushed.is_some())))
    }

    fn record_failure<T>(&mut self, done: Result<T, Refusal>) -> Result<T, Refusal> {
        self.failed |= done.is_err();
        done
    }
}

/// The open flags of an `fopen` mode.
fn flags(mode: &[u8]) -> Result<u32, Refusal> {
    let both = mode.contains(&b'+');
    let (access, rest) = match mode.first() {
        Some(b'r') => (0, 0),
        Some(b'w') => (open::WRITE_ONLY, open::CREATE | open::TRUNCATE),
        Some(b'a') => (open::WRITE_ONLY, open::CREATE | open::APPEND),
        _ => return Err(Refusal::Errno(errno::INVAL)),
    };
    let exclusive = if mode.contains(&b'x') { open::EXCLUSIVE } else { 0 };
    Ok(if both { open::READ_WRITE } else { access } | rest | exclusive)
}
