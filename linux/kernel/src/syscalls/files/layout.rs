//! Memory layout of the structures that the file system calls use on PowerPC. Structures named `wide` are those of
//! 64-bit processes.
//!
//! Source: Linux, `asm/stat.h` and `asm/statfs.h` of PowerPC, and `linux/dirent.h`. The expected offsets and sizes in
//! the tests come from powerpc-linux-gnu-gcc and powerpc64-linux-gnu-gcc.

use crate::vfs::object::{Entry, Stat};
use crate::width::Width;
use files::{Kind, Stamp};

/// Unit of `st_blocks`.
const BLOCK_BYTES: u64 = 512;
/// Preferred size of a read request.
const BEST_BYTES: u32 = 4096;
/// Padding.
const PAD: u32 = 0;

/// Consecutive big-endian fields.
#[derive(Default)]
struct Fields(Vec<u8>);

impl Fields {
    fn word(mut self, value: u32) -> Fields {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn doubleword(mut self, value: u64) -> Fields {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn halfword(mut self, value: u16) -> Fields {
        self.0.extend(value.to_be_bytes());
        self
    }

    fn bytes(mut self, bytes: &[u8]) -> Fields {
        self.0.extend(bytes);
        self
    }

    /// Adds a timestamp with 32 bits of seconds. Only the lower 32 bits of the seconds are stored, as in kernels of
    /// the Cell's era.
    fn stamp(self, stamp: Stamp) -> Fields {
        self.word(stamp.seconds as u32).word(stamp.ns)
    }

    fn padded(mut self, to: usize) -> Vec<u8> {
        self.0.resize(to, 0);
        self.0
    }
}

/// Encodes a `struct stat`. Returns `None` if a size or number does not fit into its field.
pub fn stat(stat: &Stat) -> Option<Vec<u8>> {
    let size = i32::try_from(stat.size_bytes).ok()?;
    let links = u16::try_from(stat.links).ok()?;
    let fields = Fields::default()
        .word(stat.device)
        .word(u32::try_from(stat.inode).ok()?)
        .word(stat.mode)
        .halfword(links)
        .halfword(0)
        .word(stat.user)
        .word(stat.user)
        .word(stat.special)
        .word(size as u32)
        .word(BEST_BYTES)
        .word(stat.size_bytes.div_ceil(BLOCK_BYTES) as u32);
    Some(fields.stamp(stat.accessed).stamp(stat.modified).stamp(stat.changed).padded(72))
}

/// `struct stat64`
pub fn stat64(stat: &Stat) -> Vec<u8> {
    let fields = Fields::default()
        .doubleword(stat.device.into())
        .doubleword(stat.inode)
        .word(stat.mode)
        .word(stat.links)
        .word(stat.user)
        .word(stat.user)
        .doubleword(stat.special.into())
        .doubleword(0)
        .doubleword(stat.size_bytes)
        .word(BEST_BYTES)
        .word(PAD)
        .doubleword(stat.size_bytes.div_ceil(BLOCK_BYTES));
    fields.stamp(stat.accessed).stamp(stat.modified).stamp(stat.changed).padded(104)
}

/// `struct stat` of a 64-bit process.
pub fn wide_stat(stat: &Stat) -> Vec<u8> {
    let fields = Fields::default()
        .doubleword(stat.device.into())
        .doubleword(stat.inode)
        .doubleword(stat.links.into())
        .word(stat.mode)
        .word(stat.user)
        .word(stat.user)
        .word(PAD)
        .doubleword(stat.special.into())
        .doubleword(stat.size_bytes)
        .doubleword(BEST_BYTES.into())
        .doubleword(stat.size_bytes.div_ceil(BLOCK_BYTES));
    let stamps = [stat.accessed, stat.modified, stat.changed];
    let stamp = |fields: Fields, stamp: Stamp| fields.doubleword(stamp.seconds as u64).doubleword(stamp.ns.into());
    stamps.into_iter().fold(fields, stamp).padded(144)
}

/// Number of blocks that `statfs` reports for every file system.
///
/// MODEL: each file system has 16 GiB, half of it free.
const BLOCKS: u32 = 4 << 20;
const NODES: u32 = 1 << 20;
const NAME_BYTES: u32 = 255;

/// `struct statfs`
pub fn statfs(file_system: u32) -> Vec<u8> {
    let half = BLOCKS / 2;
    let words = [file_system, BEST_BYTES, BLOCKS, half, half, NODES, NODES / 2, 0, 0, NAME_BYTES, BEST_BYTES];
    words.into_iter().fold(Fields::default(), Fields::word).padded(64)
}

/// `struct statfs64`
pub fn statfs64(file_system: u32) -> Vec<u8> {
    let half = BLOCKS / 2;
    let counts = [BLOCKS, half, half, NODES, NODES / 2];
    let head = Fields::default().word(file_system).word(BEST_BYTES);
    let fields = counts.into_iter().fold(head, |fields, count| fields.doubleword(count.into()));
    fields.doubleword(0).word(NAME_BYTES).word(BEST_BYTES).padded(88)
}

/// `struct statfs` and `struct statfs64` of a 64-bit process.
pub fn wide_statfs(file_system: u32) -> Vec<u8> {
    let half = BLOCKS / 2;
    let numbers = [file_system, BEST_BYTES, BLOCKS, half, half, NODES, NODES / 2, 0, NAME_BYTES, BEST_BYTES];
    numbers.into_iter().fold(Fields::default(), |fields, number| fields.doubleword(number.into())).padded(120)
}

/// Type of a directory entry.
fn entry_kind(kind: Kind) -> u8 {
    // The upper bits of a file mode are the file type.
    (kind.mode() >> 12) as u8
}

/// Encodes a directory entry as a `struct linux_dirent` with name and type.
pub fn entry(entry: &Entry, next: u64, width: Width) -> Vec<u8> {
    let number = width.bytes() as usize;
    let head_bytes = 2 * number + 2;
    // The name ends with a NUL, and the last byte of the entry is the file type.
    let bytes = (head_bytes + entry.name.len() + 2).next_multiple_of(number);
    let numbers = [width.encode(entry.inode), width.encode(next)].concat();
    let fields = Fields::default().bytes(&numbers).halfword(bytes as u16);
    let mut record = fields.bytes(&entry.name).padded(bytes);
    if let Some(last) = record.last_mut() {
        *last = entry_kind(entry.kind);
    }
    record
}

/// Encodes a directory entry as a `struct linux_dirent64` with its name.
pub fn entry64(entry: &Entry, next: u64, _: Width) -> Vec<u8> {
    const HEAD_BYTES: usize = 19;
    let bytes = (HEAD_BYTES + entry.name.len() + 1).next_multiple_of(8);
    let fields = Fields::default().doubleword(entry.inode).doubleword(next).halfword(bytes as u16);
    fields.bytes(&[entry_kind(entry.kind)]).bytes(&entry.name).padded(bytes)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn example() -> Stat {
        let stamp = |seconds| Stamp { seconds, ns: 7 };
        Stat {
            links: 3,
            user: 1000,
            special: 0x103,
            size_bytes: 0x1_2345,
            accessed: stamp(1),
            modified: stamp(2),
            changed: stamp(3),
            ..Stat::new(0x803, 99, Kind::File, 0o644)
        }
    }

    fn word(bytes: &[u8], at: usize) -> u32 {
        u32::from_be_bytes(*bytes[at..].first_chunk().unwrap())
    }

    fn doubleword(bytes: &[u8], at: usize) -> u64 {
        u64::from_be_bytes(*bytes[at..].first_chunk().unwrap())
    }

    /// Field offsets of `struct stat`, from the compiler.
    #[test]
    fn stat_is_where_the_compiler_looks() {
        let bytes = stat(&example()).unwrap();
        assert_eq!(bytes.len(), 72);
        let words = [(0, 0x803), (4, 99), (8, 0o100_644), (16, 1000), (20, 1000), (24, 0x103), (28, 0x1_2345)];
        for (at, value) in words.into_iter().chain([(32, 4096), (36, 0x92), (40, 1), (48, 2), (56, 3), (60, 7)]) {
            assert_eq!(word(&bytes, at), value, "at {at}");
        }
        assert_eq!(bytes[12..14], [0, 3]);
        assert_eq!(stat(&Stat { size_bytes: 1 << 31, ..example() }), None);
        assert!(stat(&Stat { size_bytes: (1 << 31) - 1, ..example() }).is_some());
    }

    #[test]
    fn stat64_is_where_the_compiler_looks() {
        let bytes = stat64(&Stat { size_bytes: 0x1_2345_6789, ..example() });
        assert_eq!(bytes.len(), 104);
        for (at, value) in [(0, 0x803), (8, 99), (32, 0x103), (48, 0x1_2345_6789), (64, 0x91_a2b4)] {
            assert_eq!(doubleword(&bytes, at), value, "at {at}");
        }
        for (at, value) in [(16, 0o100_644), (20, 3), (24, 1000), (28, 1000), (56, 4096), (72, 1), (80, 2), (92, 7)] {
            assert_eq!(word(&bytes, at), value, "at {at}");
        }
    }

    #[test]
    fn the_structures_of_64_bit_processes_are_where_the_compiler_looks() {
        let bytes = wide_stat(&Stat { size_bytes: 0x1_2345_6789, ..example() });
        assert_eq!(bytes.len(), 144);
        for (at, value) in [(0, 0x803), (8, 99), (16, 3), (40, 0x103), (48, 0x1_2345_6789), (56, 4096), (64, 0x91_a2b4)]
        {
            assert_eq!(doubleword(&bytes, at), value, "at {at}");
        }
        for (at, value) in [(24, 0o100_644), (28, 1000), (32, 1000)] {
            assert_eq!(word(&bytes, at), value, "at {at}");
        }
        for (at, value) in [(72, 1), (80, 7), (88, 2), (104, 3)] {
            assert_eq!(doubleword(&bytes, at), value, "at {at}");
        }
        let bytes = wide_statfs(0xef53);
        assert_eq!((bytes.len(), doubleword(&bytes, 0), doubleword(&bytes, 64)), (120, 0xef53, 255));
        let entry = entry(&Entry { name: b"abc".as_slice().into(), kind: Kind::Directory, inode: 5 }, 9, Width::Wide);
        assert_eq!((entry.len(), doubleword(&entry, 0), doubleword(&entry, 8)), (24, 5, 9));
        assert_eq!((&entry[16..22], entry[23]), ([0, 24, b'a', b'b', b'c', 0].as_slice(), 4));
    }

    #[test]
    fn statfs_is_where_the_compiler_looks() {
        let (small, large) = (statfs(0xef53), statfs64(0xef53));
        assert_eq!((small.len(), large.len()), (64, 88));
        assert_eq!((word(&small, 0), word(&small, 36), word(&small, 40)), (0xef53, 255, 4096));
        assert_eq!((word(&large, 0), word(&large, 56), word(&large, 60)), (0xef53, 255, 4096));
        assert_eq!((doubleword(&large, 8), doubleword(&large, 40)), (BLOCKS.into(), u64::from(NODES / 2)));
    }

    #[test]
    fn entries_end_at_their_length() {
        let of = |name: &str| Entry { name: name.into(), kind: Kind::Directory, inode: 5 };
        for name in ["a", "ab", "abc", "abcd", "abcde"] {
            let (old, new) = (entry(&of(name), 9, Width::Narrow), entry64(&of(name), 9, Width::Wide));
            assert_eq!(usize::from(u16::from_be_bytes([old[8], old[9]])), old.len());
            assert_eq!(usize::from(u16::from_be_bytes([new[16], new[17]])), new.len());
            assert!(old.len().is_multiple_of(4) && new.len().is_multiple_of(8));
            assert_eq!((word(&old, 0), word(&old, 4), doubleword(&new, 0), doubleword(&new, 8)), (5, 9, 5, 9));
            let end = [name.as_bytes(), &[0]].concat();
            assert!(old[10..].starts_with(&end) && new[19..].starts_with(&end));
            // `DT_DIR`
            assert_eq!((*old.last().unwrap(), new[18]), (4, 4));
        }
    }
}
