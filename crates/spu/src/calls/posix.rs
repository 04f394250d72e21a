//! The functions of POSIX.1 that newlib's SPU port leaves to the PPE. These functions access files by file descriptor,
//! and read the time.

use super::c99::whence;
use super::call::{Call, Calls, Done};
use super::host::{Refusal, Stat, errno};
use super::streams::EOF;

/// The highest function number that is defined.
const LAST: u32 = 68;

impl Calls<'_> {
    /// Carries out one function; `None` if no function has this number.
    pub(super) fn posix(&mut self, function: u32, call: &mut Call<'_>) -> Option<Done> {
        let done = match function {
            2 => self.host.close(call.word(0)).map(|()| 0),
            4 => self.host.stat(call.word(0)).map(|stat| store_stat(call, stat)),
            6 => Ok(4096),
            7 => Ok(store_time(call)),
            9 => self.seek_file(call),
            10 | 23 => self.stat_path(call),
            15 => self.host.open(&call.text(0), call.word(1), call.word(2)),
            16 => self.read_file(call),
            24 => self.host.remove(&call.text(0)).map(|()| 0),
            27 => self.write_file(call),
            61 => Ok(0),
            1..=LAST => Err(Refusal::Errno(errno::NOSYS)),
            _ => return None,
        };
        Some((EOF, done))
    }

    fn seek_file(&mut self, call: &Call<'_>) -> Result<u32, Refusal> {
        let offset = i64::from(call.word(1) as i32);
        self.host.seek(call.word(0), offset, whence(call.word(2))?).map(|position| position as u32)
    }

    fn read_file(&mut self, call: &mut Call<'_>) -> Result<u32, Refusal> {
        let size = call.size(call.word(2), 1)?;
        let bytes = self.host.read(call.word(0), size)?;
        call.put(1, &bytes);
        Ok(bytes.len() as u32)
    }

    fn write_file(&mut self, call: &Call<'_>) -> Result<u32, Refusal> {
        let size = call.size(call.word(2), 1)?;
        self.host.write(call.word(0), &call.bytes(1, size)).map(|()| size as u32)
    }

    fn stat_path(&mut self, call: &mut Call<'_>) -> Result<u32, Refusal> {
        let file = self.host.open(&call.text(0), 0, 0)?;
        let stat = self.host.stat(file);
        self.host.close(file)?;
        Ok(store_stat(call, stat?))
    }
}

/// Stores a `struct stat` as 13 words, in the format that libspe2 uses.
fn store_stat(call: &mut Call<'_>, stat: Stat) -> u32 {
    const BLOCK_BYTES: u64 = 512;
    let (size, blocks) = (stat.size_bytes as u32, stat.size_bytes.div_ceil(BLOCK_BYTES) as u32);
    let words = [0, 0, stat.mode, 1, 0, 0, 0, size, 4096, blocks, 0, 0, 0];
    let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_be_bytes).collect();
    call.put(1, &bytes);
    0
}

/// `gettimeofday`: the time of day is 0 at the start of the run.
///
/// The result has two words (seconds and microseconds), as in libspe2. A C library with a 64-bit `time_t` (newlib from
/// version 3 on) interprets the two words together as the seconds. This misinterpretation also happens on a real Cell.
fn store_time(call: &mut Call<'_>) -> u32 {
    let micros = call.now_ns / 1000;
    let words = [(micros / 1_000_000) as u32, (micros % 1_000_000) as u32];
    if call.word(0) != 0 {
        let bytes: Vec<u8> = words.into_iter().flat_map(u32::to_be_bytes).collect();
        call.put(0, &bytes);
    }
    0
}
