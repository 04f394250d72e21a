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
/// Bit Rc, which selects recording in instructions that have it.
pub const RC: u32 = 1;
/// Bit OE, which enables the overflow bit in arithmetic instructions that have it.
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

/// D-form: fixes only the primary opcode.
pub const fn d(primary: u32) -> Encoding {
    Encoding { bits: primary << 26, mask: PRIMARY }
}

/// DS-form: fixes the primary opcode and the last two bits.
pub const fn ds(primary: u32, extended: u32) -> Encoding {
    d(primary).field(30, 31, extended)
}

/// X-form: fixes the primary opcode and ten bits from bit 21 on. Rc, the last bit, is 0.
pub const fn x(primary: u32, extended: u32) -> Encoding {
    d(primary).field(21, 31, extended << 1)
}

/// X-form with Rc set.
pub const fn x_record(primary: u32, extended: u32) -> Encoding {
    d(primary).field(21, 31, extended << 1 | 1)
}

/// X-form of `mfspr` and `mtspr`: also fixes the number of the special register.
pub const fn spr(extended: u32, register: u32) -> Encoding {
    x(31, extended).field(11, 20, (register & 31) << 5 | register >> 5)
}

/// A-form: fixes the primary opcode and five bits from bit 26 on. Rc is 0.
pub const fn a(primary: u32, extended: u32) -> Encoding {
    d(primary).field(26, 31, extended << 1)
}

/// M-form: fixes only the primary opcode and Rc. Rc is 0.
pub const fn m(primary: u32) -> Encoding {
    d(primary).field(31, 31, 0)
}

/// MD-form: fixes the primary opcode and three bits from bit 27 on. Rc is 0.
pub const fn md(primary: u32, extended: u32) -> Encoding {
    d(primary).field(27, 29, extended).field(31, 31, 0)
}

/// MDS-form: fixes the primary opcode and four bits from bit 27 on. Rc is 0.
pub const fn mds(primary: u32, extended: u32) -> Encoding {
    d(primary).field(27, 31, extended << 1)
}

/// XS-form: fixes the primary opcode and nine bits from bit 21 on. Rc is 0.
pub const fn xs(primary: u32, extended: u32) -> Encoding {
    d(primary).field(21, 29, extended).field(31, 31, 0)
}

/// VX-form: fixes primary opcode 4 and eleven bits from bit 21 on.
pub const fn vx(extended: u32) -> Encoding {
    d(4).field(21, 31, extended)
}

/// VA-form: fixes primary opcode 4 and six bits from bit 26 on.
pub const fn va(extended: u32) -> Encoding {
    d(4).field(26, 31, extended)
}
