//! One instruction with its inputs and outcome.

use spu::Format;
use spu::execute::Effect;
use spu::float::Fpscr;

/// The contents of a register, leftmost byte first.
pub type Bytes = [u8; 16];

/// The model of an instruction.
pub type Model = fn(&Case) -> Outcome;

/// The size of the local store.
pub const STORE_BYTES: usize = 256 * 1024;

/// The mask that wraps an address.
pub const STORE_MASK: u32 = STORE_BYTES as u32 - 1;

/// The initial contents of the local store. No two quadwords are equal.
pub fn memory() -> Vec<u8> {
    (0..STORE_BYTES as u32).map(|at| (at.wrapping_mul(0x9e37_79b9) >> 20) as u8).collect()
}

/// The inputs of an instruction: instruction word, address, registers and status register.
#[derive(Clone, Debug)]
pub struct Case {
    pub word: u32,
    pub pc: u32,
    pub fpscr: Fpscr,
    pub rt: Bytes,
    pub ra: Bytes,
    pub rb: Bytes,
    pub rc: Bytes,
    pool: Vec<Bytes>,
}

/// The outcome of an instruction: the target register, the stored quadword, the status register, and the effect.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Outcome {
    pub register: Option<Bytes>,
    pub memory: Option<(u32, Bytes)>,
    pub fpscr: Fpscr,
    pub effect: Effect,
}

impl Case {
    /// A case in which the values of the pool are assigned to the registers cyclically. The four bits of `modes` encode
    /// two rounding modes.
    pub fn new(word: u32, format: Format, pool: &[Bytes], pc: u32, modes: u32) -> Case {
        let register = |first: u32| pool[(field(word, first, 7) as usize) % pool.len()];
        let four = format == Format::Rrr;
        Case {
            word,
            pc,
            fpscr: Fpscr::write(u128::from(modes) << 104),
            rt: register(if four { 4 } else { 25 }),
            ra: register(18),
            rb: register(11),
            rc: register(25),
            pool: pool.to_vec(),
        }
    }

    /// The value of a register before the instruction.
    pub fn register(&self, number: u32) -> Bytes {
        self.pool[number as usize % self.pool.len()]
    }

    /// A field of the instruction word. Bits are numbered from the left, as in the architecture.
    pub fn field(&self, first: u32, bits: u32) -> i64 {
        i64::from(field(self.word, first, bits))
    }

    /// The 7-bit immediate, signed.
    pub fn i7(&self) -> i64 {
        signed(self.field(11, 7), 7)
    }

    /// The 10-bit immediate, signed.
    pub fn i10(&self) -> i64 {
        signed(self.field(8, 10), 10)
    }

    /// The 16-bit immediate, signed.
    pub fn i16(&self) -> i64 {
        signed(self.field(9, 16), 16)
    }

    /// Whether the instruction is a load or a store.
    pub fn touches_memory(&self) -> bool {
        let opcode = self.field(0, 11);
        [0x1c4, 0x144].contains(&opcode)
            || [0x34, 0x24].contains(&(opcode >> 3))
            || [0x61, 0x67, 0x41, 0x47].contains(&(opcode >> 2))
    }

    /// An outcome that sets RT to these bytes.
    pub fn gives(&self, register: Bytes) -> Outcome {
        Outcome { register: Some(register), ..self.leaves(Effect::Next) }
    }

    /// An outcome that changes no state and has this effect.
    pub fn leaves(&self, effect: Effect) -> Outcome {
        Outcome { register: None, memory: None, fpscr: self.fpscr, effect }
    }

    /// An outcome that sets RT to the bytes that `f` returns modulo 256, leftmost byte first.
    pub fn bytes(&self, f: impl Fn(usize) -> i64) -> Outcome {
        self.gives(std::array::from_fn(|i| f(i) as u8))
    }

    /// An outcome that sets RT to the halfwords that `f` returns modulo 65536.
    pub fn halfwords(&self, f: impl Fn(usize) -> i64) -> Outcome {
        self.gives(std::array::from_fn(|i| (f(i / 2) >> (8 * (1 - i % 2))) as u8))
    }

    /// An outcome that sets RT to the words that `f` returns modulo 2^32.
    pub fn words(&self, f: impl Fn(usize) -> i64) -> Outcome {
        self.gives(std::array::from_fn(|i| (f(i / 4) >> (8 * (3 - i % 4))) as u8))
    }

    /// An outcome that sets RT to the doublewords that `f` returns.
    pub fn doublewords(&self, f: impl Fn(usize) -> i64) -> Outcome {
        self.gives(std::array::from_fn(|i| (f(i / 8) >> (8 * (7 - i % 8))) as u8))
    }

    /// An outcome that sets RT to the 128 bits that `f` returns, leftmost bit first.
    pub fn bits(&self, f: impl Fn(i64) -> bool) -> Outcome {
        let byte = |i: usize| (0..8).fold(0, |byte, k| byte << 1 | u8::from(f((8 * i + k) as i64)));
        self.gives(std::array::from_fn(byte))
    }

    /// An outcome that sets RT's preferred word to this value, and the other words of RT to zero.
    pub fn preferred(&self, value: i64) -> Outcome {
        self.words(|i| if i == 0 { value } else { 0 })
    }
}

fn field(word: u32, first: u32, bits: u32) -> u32 {
    word >> (32 - first - bits) & ((1 << bits) - 1)
}

/// The value of the rightmost `bits` bits, interpreted in two's complement.
pub fn signed(value: i64, bits: u32) -> i64 {
    let modulus = 1 << bits;
    let value = value.rem_euclid(modulus);
    if value >= modulus / 2 { value - modulus } else { value }
}

/// Byte i, unsigned.
pub fn b(register: &Bytes, i: usize) -> i64 {
    i64::from(register[i])
}

/// Halfword i, unsigned.
pub fn h(register: &Bytes, i: usize) -> i64 {
    b(register, 2 * i) * 256 + b(register, 2 * i + 1)
}

/// Word i, unsigned.
pub fn w(register: &Bytes, i: usize) -> i64 {
    h(register, 2 * i) * 65536 + h(register, 2 * i + 1)
}

/// Byte i, signed.
pub fn sb(register: &Bytes, i: usize) -> i64 {
    signed(b(register, i), 8)
}

/// Halfword i, signed.
pub fn sh(register: &Bytes, i: usize) -> i64 {
    signed(h(register, i), 16)
}

/// Word i, signed.
pub fn sw(register: &Bytes, i: usize) -> i64 {
    signed(w(register, i), 32)
}

/// Bit n of the 128 bits of a register, counted from the left; false if n is out of range.
pub fn bit(register: &Bytes, n: i64) -> bool {
    (0..128).contains(&n) && register[n as usize / 8] >> (7 - n % 8) & 1 == 1
}
