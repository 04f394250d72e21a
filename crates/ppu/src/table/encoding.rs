//! Encodings, which define the words that an instruction matches.

/// The pattern of an instruction's words. A word matches if it has `bits` in the positions of `mask`.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Encoding {
    /// The fixed bits.
    pub bits: u32,
    /// The positions of the fixed bits.
    pub mask: u32,
}

/// The mask of the primary opcode.
const PRIMARY: u32 = 0x3f << 26;
/// Bit Rc, which selects recording in instructions that have this bit.
pub const RC: u32 = 1;
/// Bit OE of arithmetic instructions, which enables the overflow bit.
pub const OE: u32 = 1 << 10;

impl Encoding {
    /// An encoding that matches no word.
    pub const NEVER: Encoding = Encoding { bits: 1, mask: 0 };

    /// Whether `word` matches.
    pub const fn includes(self, word: u32) -> bool {
        word & self.mask == self.bits
    }

    /// Requires further bits to be set.
    pub const fn with(self, bits: u32) -> Encoding {
        Encoding { bits: self.bits | bits, mask: self.mask | bits }
    }

    /// Requires `number` in the field from bit `first` to bit `last`, numbered as in the architecture.
    pub const fn field(self, first: u32, last: u32, number: u32) -> Encoding {
        let ones = (1 << (last - first + 1)) - 1;
        Encoding { bits: self.bits | number << (31 - last), mask: self.mask | ones << (31 - last) }
    }
}

/// The D-form, in which only the primary opcode is fixed.
pub const fn d(primary: u32) -> Encoding {
    Encoding { bits: primary << 26, mask: PRIMARY }
}

/// The DS-form, in which the primary opcode and the last two bits are fixed.
pub const fn ds(primary: u32, extended: u32) -> Encoding {
    d(primary).field(30, 31, extended)
}

/// The X-form, in which the primary opcode and the ten bits starting at bit 21 are fixed. Rc, the last bit, is 0.
pub const fn x(primary: u32, extended: u32) -> Encoding {
    d(primary).field(21, 31, extended << 1)
}

/// The X-form with Rc set.
pub const fn x_record(primary: u32, extended: u32) -> Encoding {
    d(primary).field(21, 31, extended << 1 | 1)
}

/// The X-form of `mfspr` or `mtspr` for one special register, whose number is fixed too.
pub const fn spr(extended: u32, register: u32) -> Encoding {
    x(31, extended).field(11, 20, (register & 31) << 5 | register >> 5)
}

/// The A-form, in which the primary opcode and the five bits starting at bit 26 are fixed. Rc is 0.
pub const fn a(primary: u32, extended: u32) -> Encoding {
    d(primary).field(26, 31, extended << 1)
}

/// The M-form, in which only the primary opcode and Rc are fixed. Rc is 0.
pub const fn m(primary: u32) -> Encoding {
    d(primary).field(31, 31, 0)
}

/// The MD-form, in which the primary opcode and the three bits starting at bit 27 are fixed. Rc is 0.
pub const fn md(primary: u32, extended: u32) -> Encoding {
    d(primary).field(27, 29, extended).field(31, 31, 0)
}

/// The MDS-form, in which the primary opcode and the four bits starting at bit 27 are fixed. Rc is 0.
pub const fn mds(primary: u32, extended: u32) -> Encoding {
    d(primary).field(27, 31, extended << 1)
}

/// The XS-form, in which the primary opcode and the nine bits starting at bit 21 are fixed. Rc is 0.
pub const fn xs(primary: u32, extended: u32) -> Encoding {
    d(primary).field(21, 29, extended).field(31, 31, 0)
}

/// The VX-form, in which primary opcode 4 and the eleven bits starting at bit 21 are fixed.
pub const fn vx(extended: u32) -> Encoding {
    d(4).field(21, 31, extended)
}

/// The VA-form, in which primary opcode 4 and the six bits starting at bit 26 are fixed.
pub const fn va(extended: u32) -> Encoding {
    d(4).field(26, 31, extended)
}
