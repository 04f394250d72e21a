//! The functions of C's standard library: the `printf` and `scanf` families, streams, `remove` and `rename`.

use super::arguments::Arguments;
use super::call::{Call, Calls, Done};
use super::error_text::error_text;
use super::format::{Formatted, format};
use super::host::{Refusal, Whence, errno};
use super::scan::scan;
use super::streams::{EOF, Stream};

/// The numbers of the standard streams.
const STDIN: u32 = 1;
const STDOUT: u32 = 2;
const STDERR: u32 = 3;

impl Calls<'_> {
    /// Carries out one function; `None` if no function has this number.
    pub(super) fn c99(&mut self, function: u32, call: &mut Call<'_>) -> Option<Done> {
        let null = 0;
        Some(match function {
            1 => (EOF, self.on(call, 0).map(|stream| (stream.at_end, stream.failed) = (false, false)).map(|()| 0)),
            2 => (EOF, self.streams.close(self.host.as_mut(), call.word(0)).map(|()| 0)),
            3 => (0, self.on(call, 0).map(|stream| stream.at_end.into())),
            4 => (0, self.on(call, 0).map(|stream| stream.failed.into())),
            // Streams are unbuffered, so the host already has all of their output.
            5 => (EOF, if call.word(0) == 0 { Ok(0) } else { self.on(call, 0).map(|_| 0) }),
            6 | 19 => (EOF, self.read_byte(call.word(0))),
            7 => (EOF, self.position(call)),
            8 => (null, self.read_line(call, call.word(2), Some(call.word(1)))),
            9 => (EOF, self.on(call, 0).map(|stream| stream.file)),
            10 => (null, self.streams.open(self.host.as_mut(), &call.text(0), &call.text(1))),
            11 | 23 => (EOF, self.write_byte(call.word(1), call.word(0))),
            12 => (EOF, self.write(call.word(1), &call.text(0)).map(|()| 0)),
            13 => (0, self.read(call)),
            14 => (null, self.streams.reopen(self.host.as_mut(), call.word(2), &call.text(0), &call.text(1))),
            15 => (EOF, self.seek(call)),
            16 => (EOF, self.set_position(call)),
            17 => (EOF, self.tell(call.word(0))),
            18 => (0, self.write_elements(call)),
            20 => (EOF, self.read_byte(STDIN)),
            21 => (null, self.read_line(call, STDIN, None)),
            22 => (0, self.print_error(call)),
            24 => (EOF, self.write_byte(STDOUT, call.word(0))),
            25 => (EOF, self.write(STDOUT, &[call.text(0), b"\n".to_vec()].concat()).map(|()| 0)),
            26 => (EOF, self.host.remove(&call.text(0)).map(|()| 0)),
            27 => (EOF, self.host.rename(&call.text(0), &call.text(1)).map(|()| 0)),
            28 => (EOF, self.rewind(call.word(0))),
            // Streams are unbuffered, so there is no buffer to set.
            29 | 30 => (EOF, self.on(call, 0).map(|_| 0)),
            31 => (EOF, Err(Refusal::Errno(errno::NOSYS))),
            32 | 33 => (null, Err(Refusal::Errno(errno::NOSYS))),
            34 => (EOF, self.push_back(call)),
            35 => (EOF, self.print(call, call.word(0), 1)),
            36 => (EOF, self.scan_stream(call, call.word(0), 1)),
            37 => (EOF, self.print(call, STDOUT, 0)),
            38 => (EOF, self.scan_stream(call, STDIN, 0)),
            39 => (EOF, print_into(call, call.word(1), 2)),
            40 => (EOF, print_into(call, u32::MAX, 1)),
            41 => (EOF, scan_text(call)),
            _ => return None,
        })
    }

    /// The stream in argument `nth`.
    fn on(&mut self, call: &Call<'_>, nth: u32) -> Result<&mut Stream, Refusal> {
        self.streams.get(call.word(nth))
    }

    fn write(&mut self, stream: u32, bytes: &[u8]) -> Result<(), Refusal> {
        self.streams.get(stream)?.write(self.host.as_mut(), bytes)
    }

    fn write_byte(&mut self, stream: u32, byte: u32) -> Result<u32, Refusal> {
        self.write(stream, &[byte as u8]).map(|()| byte & 0xff)
    }

    fn write_elements(&mut self, call: &Call<'_>) -> Result<u32, Refusal> {
        let (bytes, count) = (call.word(1), call.word(2));
        let size = call.size(count, bytes)?;
        self.write(call.word(3), &call.bytes(0, size))?;
        Ok(if bytes == 0 { 0 } else { count })
    }

    fn read_byte(&mut self, stream: u32) -> Result<u32, Refusal> {
        let byte = self.streams.get(stream)?.byte(self.host.as_mut())?;
        Ok(byte.map_or(EOF, u32::from))
    }

    fn read(&mut self, call: &mut Call<'_>) -> Result<u32, Refusal> {
        let bytes = call.word(1);
        let size = call.size(call.word(2), bytes)?;
        let read = self.streams.get(call.word(3))?.read(self.host.as_mut(), size)?;
        call.put(0, &read);
        Ok((read.len() as u32).checked_div(bytes).unwrap_or(0))
    }

    /// `fgets` and `gets`. `gets` has no size argument, and does not store the newline.
    fn read_line(&mut self, call: &mut Call<'_>, stream: u32, size: Option<u32>) -> Result<u32, Refusal> {
        let room = size.map_or(u64::MAX, u64::from).min(call.ls.size_bytes());
        let most = (room as usize).saturating_sub(1);
        let mut line = self.streams.get(stream)?.line(self.host.as_mut(), most)?;
        if line.is_empty() {
            return Ok(0);
        }
        if size.is_none() && line.last() == Some(&b'\n') {
            line.pop();
        }
        line.push(0);
        let address = call.word(0);
        call.put(0, &line);
        Ok(address)
    }

    fn push_back(&mut self, call: &Call<'_>) -> Result<u32, Refusal> {
        let byte = call.word(0);
        if byte != EOF {
            self.on(call, 1)?.push_back(byte as u8);
        }
        Ok(byte)
    }

    fn seek(&mut self, call: &Call<'_>) -> Result<u32, Refusal> {
        let offset = i64::from(call.word(1) as i32);
        let whence = whence(call.word(2))?;
        self.streams.get(call.word(0))?.seek(self.host.as_mut(), offset, whence).map(|_| 0)
    }

    fn tell(&mut self, stream: u32) -> Result<u32, Refusal> {
        self.streams.get(stream)?.tell(self.host.as_mut()).map(|position| position as u32)
    }

    fn rewind(&mut self, stream: u32) -> Result<u32, Refusal> {
        let stream = self.streams.get(stream)?;
        stream.failed = false;
        stream.seek(self.host.as_mut(), 0, Whence::Start).map(|_| 0)
    }

    /// `fgetpos`. The stored value is read only by `fsetpos`.
    fn position(&mut self, call: &mut Call<'_>) -> Result<u32, Refusal> {
        let position = self.tell(call.word(0))?;
        call.put(1, &position.to_be_bytes());
        Ok(0)
    }

    fn set_position(&mut self, call: &Call<'_>) -> Result<u32, Refusal> {
        let position = call.ls.read_u32(call.word(1).into());
        self.streams.get(call.word(0))?.seek(self.host.as_mut(), position.into(), Whence::Start).map(|_| 0)
    }

    fn print_error(&mut self, call: &Call<'_>) -> Result<u32, Refusal> {
        let mut line = if call.word(0) == 0 { Vec::new() } else { call.text(0) };
        if !line.is_empty() {
            line.extend_from_slice(b": ");
        }
        line.extend_from_slice(error_text(call.word(1)).as_bytes());
        line.push(b'\n');
        self.write(STDERR, &line).map(|()| 0)
    }

    /// `vfprintf` and `vprintf`. Formats the arguments of a call. The format is argument `nth`.
    fn print(&mut self, call: &mut Call<'_>, stream: u32, nth: u32) -> Result<u32, Refusal> {
        let Formatted { text, ended } = formatted(call, nth);
        self.write(stream, &text)?;
        ended.map(|()| text.len() as u32).map_err(Refusal::Errno)
    }

    fn scan_stream(&mut self, call: &mut Call<'_>, stream: u32, nth: u32) -> Result<u32, Refusal> {
        let pattern = call.text(nth);
        let mut arguments = Arguments::at(call.ls, call.address(nth + 1) as u32);
        let (stream, host) = (self.streams.get(stream)?, self.host.as_mut());
        let (next, rest) = {
            let mut next = || stream.byte(host);
            scan(&pattern, &mut arguments, call.ls, &mut next)?
        };
        if let Some(rest) = rest {
            stream.push_back(rest);
        }
        Ok(next)
    }
}

/// The origin of a seek, converted from the number that is passed to `fseek` or `lseek`.
pub(super) fn whence(number: u32) -> Result<Whence, Refusal> {
    Ok(match number {
        0 => Whence::Start,
        1 => Whence::Current,
        2 => Whence::End,
        _ => return Err(Refusal::Errno(errno::INVAL)),
    })
}

fn formatted(call: &mut Call<'_>, nth: u32) -> Formatted {
    let pattern = call.text(nth);
    let mut arguments = Arguments::at(call.ls, call.address(nth + 1) as u32);
    format(&pattern, &mut arguments, call.ls)
}

/// Implements `vsnprintf` and `vsprintf`: stores as much of the text as fits. Returns the length of the complete text.
fn print_into(call: &mut Call<'_>, room: u32, nth: u32) -> Result<u32, Refusal> {
    let Formatted { mut text, ended } = formatted(call, nth);
    let length = text.len();
    if room > 0 {
        text.truncate(room as usize - 1);
        text.push(0);
        call.put(0, &text);
    }
    ended.map(|()| length as u32).map_err(Refusal::Errno)
}

fn scan_text(call: &mut Call<'_>) -> Result<u32, Refusal> {
    let mut text = call.text(0).into_iter();
    let pattern = call.text(1);
    let mut arguments = Arguments::at(call.ls, call.address(2) as u32);
    scan(&pattern, &mut arguments, call.ls, &mut || Ok(text.next())).map(|(count, _)| count)
}
