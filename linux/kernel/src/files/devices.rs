//! Devices without hardware: null, zero, full, random.

use crate::errno::Errno;
use crate::memory::backing::Backing;
use crate::random::Random;
use crate::vfs::flags::{device, file_system};
use crate::vfs::object::{Context, Object, Refusal, Region, Span, Stat};
use files::Kind;
use std::cell::RefCell;
use std::rc::Rc;

/// The kinds of devices.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Which {
    /// Null device: reads return no bytes, and written bytes are discarded.
    Null,
    /// Reads return zeros.
    Zero,
    /// Full device: reads return zeros, and writes fail because there is no space.
    Full,
    /// Random device: reads return random numbers, which are the same in every run.
    Random,
    /// The controlling terminal of the process, which does not exist.
    Terminal,
}

impl Which {
    /// Names in `/dev`, with the kinds and device numbers of the devices.
    pub const ALL: [(&'static str, Which, u32); 6] = [
        ("full", Which::Full, 0x107),
        ("null", Which::Null, 0x103),
        ("random", Which::Random, 0x108),
        ("tty", Which::Terminal, 0x500),
        ("urandom", Which::Random, 0x109),
        ("zero", Which::Zero, 0x105),
    ];
}

pub struct Device {
    which: Which,
    special: u32,
    random: RefCell<Random>,
}

/// Maximum number of bytes returned by one read from an endless device.
const READ_BYTES_MAX: u32 = 1 << 20;

impl Device {
    /// A device of this kind, with this device number.
    pub fn new(which: Which, special: u32) -> Device {
        Device { which, special, random: RefCell::default() }
    }
}

impl Object for Device {
    fn stat(&self, _: &mut Context<'_>) -> Result<Stat, Errno> {
        let stat = Stat::new(device::DEV, u64::from(self.special), Kind::CharacterDevice, 0o666);
        Ok(Stat { special: self.special, ..stat })
    }

    fn file_system(&self) -> u32 {
        file_system::TMPFS
    }

    fn opened(&self, _: &mut Context<'_>, _: u32) -> Result<Option<Rc<dyn Object>>, Refusal> {
        if self.which == Which::Terminal { Err(Errno::ENXIO.into()) } else { Ok(None) }
    }

    fn read(&self, _: &mut Context<'_>, span: Span) -> Result<Vec<u8>, Refusal> {
        let bytes = span.bytes.min(READ_BYTES_MAX) as usize;
        match self.which {
            Which::Null | Which::Terminal => Ok(Vec::new()),
            Which::Zero | Which::Full => Ok(vec![0; bytes]),
            Which::Random => Ok(self.random.borrow_mut().bytes(bytes)),
        }
    }

    fn write(&self, _: &mut Context<'_>, _: u64, bytes: &[u8]) -> Result<u32, Refusal> {
        match self.which {
            Which::Full => Err(Errno::ENOSPC.into()),
            _ => Ok(u32::try_from(bytes.len()).unwrap_or(u32::MAX)),
        }
    }

    fn backing(&self, _: &mut Context<'_>, _: Region) -> Result<Backing, Errno> {
        match self.which {
            Which::Zero => Ok(Backing::Contents { bytes: Vec::new(), write_back: None }),
            _ => Err(Errno::ENODEV),
        }
    }
}
