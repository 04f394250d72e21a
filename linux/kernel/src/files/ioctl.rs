//! Requests of `ioctl`, and the behaviour of a terminal.
//!
//! Source: Linux, `asm/ioctls.h` and `asm/termbits.h` of PowerPC.

use crate::errno::Errno;
use crate::vfs::object::{Context, Refusal};

/// `FIONREAD`: number of bytes that can be read.
pub const FIONREAD: u32 = 0x4004_667f;
/// Set or clear `O_NONBLOCK`.
pub const FIONBIO: u32 = 0x8004_667e;
/// Set close-on-exec.
pub const FIOCLEX: u32 = 0x2000_6601;
/// Clear close-on-exec.
pub const FIONCLEX: u32 = 0x2000_6602;
const TCGETS: u32 = 0x402c_7413;
const TCSETS: u32 = 0x802c_7414;
const TCSETSW: u32 = 0x802c_7415;
const TCSETSF: u32 = 0x802c_7416;
const TIOCGWINSZ: u32 = 0x4008_7468;
const TIOCGPGRP: u32 = 0x4004_7477;
const TIOCSPGRP: u32 = 0x8004_7476;

/// Size of a terminal.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Window {
    /// Rows.
    pub rows: u16,
    /// Columns.
    pub columns: u16,
}

/// Size of `struct termios`.
const TERMIOS_BYTES: usize = 44;

/// Performs an `ioctl` request on a terminal.
///
/// MODEL: a terminal reads whole lines and echoes them, like the terminal in which the simulator runs. Changes to the
/// terminal's settings are accepted without effect.
pub fn terminal(context: &mut Context<'_>, window: Window, request: u32, argument: u32) -> Result<u32, Refusal> {
    /// Foreground process group, which is the group of the process.
    const GROUP: u32 = 1000;
    match request {
        TCGETS => context.hardware.write(argument, &termios())?,
        TCSETS | TCSETSW | TCSETSF | TIOCSPGRP => (),
        TIOCGWINSZ => {
            let halves = [window.rows, window.columns, 0, 0];
            let bytes: Vec<u8> = halves.into_iter().flat_map(u16::to_be_bytes).collect();
            context.hardware.write(argument, &bytes)?;
        }
        TIOCGPGRP => context.hardware.put_word(argument, GROUP)?,
        _ => return Err(Errno::ENOTTY.into()),
    }
    Ok(0)
}

/// Terminal settings of a new terminal.
fn termios() -> [u8; TERMIOS_BYTES] {
    /// ICRNL, IXON
    const INPUT: u32 = 0o400 | 0o1000;
    /// OPOST, ONLCR
    const OUTPUT: u32 = 0o1 | 0o2;
    /// B38400, CS8, CREAD
    const CONTROL: u32 = 0o17 | 0o1400 | 0o4000;
    /// ISIG, ICANON, ECHO, ECHOE, ECHOK, IEXTEN
    const LOCAL: u32 = 0x80 | 0x100 | 0x8 | 0x2 | 0x4 | 0x400;
    /// Control characters for interrupt, quit, erase, kill and end of file, then the minimum of one byte per read.
    const CHARACTERS: [u8; 6] = [3, 28, 127, 21, 4, 1];
    const SPEED: u32 = 0o17;
    let mut bytes = [0; TERMIOS_BYTES];
    let words = [(0, INPUT), (4, OUTPUT), (8, CONTROL), (12, LOCAL), (36, SPEED), (40, SPEED)];
    for (at, word) in words {
        put(&mut bytes, at, &word.to_be_bytes());
    }
    put(&mut bytes, 16, &CHARACTERS);
    bytes
}

fn put(bytes: &mut [u8], at: usize, part: &[u8]) {
    for (to, from) in bytes.iter_mut().skip(at).zip(part) {
        *to = *from;
    }
}
