//! The instruction set as one table, from which decoding, disassembly, classes and register use are derived.
//!
//! The columns of a row are: variant, mnemonic, leftmost bits (as an 11-bit number, padded with zeros on the right),
//! format, operands in assembler order, registers read and written, class, full name.
//!
//! Each operand is written as a letter. The letters `t`, `a`, `b` and `c` stand for registers, `s` for a special
//! register, `h` for a channel, `i` for a signed immediate, `u` for an unsigned immediate, `d` for a displacement in
//! quadwords, `r` for an address relative to the instruction, `x` for an absolute address, `o` for the address of the
//! hinted branch, `f` and `g` for the scale of a conversion from and to floating point. The register column lists the
//! registers read, then `>`, then the register written.
//!
//! Sources: Synergistic Processor Unit Instruction Set Architecture 1.2, for names, formats and register use. The
//! encodings agree with the GNU assembler. Classes: Cell Broadband Engine Programming Handbook 1.12, appendix B.
//! As in the GNU tools, the decoder ignores reserved bits.

use crate::class::{Class, Format};

/// One row of the table.
#[derive(Clone, Copy, Debug)]
pub struct Definition {
    /// The instruction.
    pub opcode: Opcode,
    /// The assembler's name.
    pub mnemonic: &'static str,
    /// The leftmost bits of the instruction word, as an 11-bit number padded with zeros on the right.
    pub bits: u16,
    /// The encoding of the operands.
    pub format: Format,
    /// The operands, written with the letters that the module documentation lists.
    pub operands: &'static str,
    /// The registers read, then `>`, then the register written.
    pub uses: &'static str,
    /// The class, which determines pipeline and latency.
    pub class: Class,
    /// The architecture's name.
    pub name: &'static str,
}

macro_rules! instructions {
    ($($variant:ident $mnemonic:literal $bits:literal $format:ident $operands:literal $uses:literal $class:ident $name:literal;)*) => {
        /// An instruction of the SPU, named by its mnemonic.
        #[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
        #[repr(u8)]
        pub enum Opcode { $(#[doc = $name] $variant,)* }

        /// All instructions, in the order of [`Opcode`].
        pub static DEFINITIONS: &[Definition] = &[$(Definition {
            opcode: Opcode::$variant,
            mnemonic: $mnemonic,
            bits: $bits,
            format: Format::$format,
            operands: $operands,
            uses: $uses,
            class: Class::$class,
            name: $name,
        },)*];
    };
}

impl Opcode {
    /// The table row of this opcode.
    pub fn definition(self) -> &'static Definition {
        &DEFINITIONS[self as usize]
    }

    /// The assembler's name.
    pub fn mnemonic(self) -> &'static str {
        self.definition().mnemonic
    }

    /// The encoding of the operands.
    pub fn format(self) -> Format {
        self.definition().format
    }

    /// The class, which determines pipeline and latency.
    pub fn class(self) -> Class {
        self.definition().class
    }
}

instructions! {
    // Memory.
    Lqd       "lqd"       0x1a0 Ri10 "t,d(a)"  "a>t"   LoadStore       "Load Quadword (d-form)";
    Lqx       "lqx"       0x1c4 Rr   "t,a,b"   "ab>t"  LoadStore       "Load Quadword (x-form)";
    Lqa       "lqa"       0x184 Ri16 "t,x"     ">t"    LoadStore       "Load Quadword (a-form)";
    Lqr       "lqr"       0x19c Ri16 "t,r"     ">t"    LoadStore       "Load Quadword Instruction Relative (a-form)";
    Stqd      "stqd"      0x120 Ri10 "t,d(a)"  "ta>"   LoadStore       "Store Quadword (d-form)";
    Stqx      "stqx"      0x144 Rr   "t,a,b"   "tab>"  LoadStore       "Store Quadword (x-form)";
    Stqa      "stqa"      0x104 Ri16 "t,x"     "t>"    LoadStore       "Store Quadword (a-form)";
    Stqr      "stqr"      0x11c Ri16 "t,r"     "t>"    LoadStore       "Store Quadword Instruction Relative (a-form)";
    Cbd       "cbd"       0x1f4 Ri7  "t,i(a)"  "a>t"   Shuffle         "Generate Controls for Byte Insertion (d-form)";
    Cbx       "cbx"       0x1d4 Rr   "t,a,b"   "ab>t"  Shuffle         "Generate Controls for Byte Insertion (x-form)";
    Chd       "chd"       0x1f5 Ri7  "t,i(a)"  "a>t"   Shuffle         "Generate Controls for Halfword Insertion (d-form)";
    Chx       "chx"       0x1d5 Rr   "t,a,b"   "ab>t"  Shuffle         "Generate Controls for Halfword Insertion (x-form)";
    Cwd       "cwd"       0x1f6 Ri7  "t,i(a)"  "a>t"   Shuffle         "Generate Controls for Word Insertion (d-form)";
    Cwx       "cwx"       0x1d6 Rr   "t,a,b"   "ab>t"  Shuffle         "Generate Controls for Word Insertion (x-form)";
    Cdd       "cdd"       0x1f7 Ri7  "t,i(a)"  "a>t"   Shuffle         "Generate Controls for Doubleword Insertion (d-form)";
    Cdx       "cdx"       0x1d7 Rr   "t,a,b"   "ab>t"  Shuffle         "Generate Controls for Doubleword Insertion (x-form)";
    // Constants.
    Ilh       "ilh"       0x20c Ri16 "t,u"     ">t"    SimpleFixed     "Immediate Load Halfword";
    Ilhu      "ilhu"      0x208 Ri16 "t,u"     ">t"    SimpleFixed     "Immediate Load Halfword Upper";
    Il        "il"        0x204 Ri16 "t,i"     ">t"    SimpleFixed     "Immediate Load Word";
    Ila       "ila"       0x210 Ri18 "t,u"     ">t"    SimpleFixed     "Immediate Load Address";
    Iohl      "iohl"      0x304 Ri16 "t,u"     "t>t"   SimpleFixed     "Immediate Or Halfword Lower";
    Fsmbi     "fsmbi"     0x194 Ri16 "t,u"     ">t"    Shuffle         "Form Select Mask for Bytes Immediate";
    // Integer and logical.
    Ah        "ah"        0x0c8 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Add Halfword";
    Ahi       "ahi"       0x0e8 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Add Halfword Immediate";
    A         "a"         0x0c0 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Add Word";
    Ai        "ai"        0x0e0 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Add Word Immediate";
    Sfh       "sfh"       0x048 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Subtract from Halfword";
    Sfhi      "sfhi"      0x068 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Subtract from Halfword Immediate";
    Sf        "sf"        0x040 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Subtract from Word";
    Sfi       "sfi"       0x060 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Subtract from Word Immediate";
    Addx      "addx"      0x340 Rr   "t,a,b"   "tab>t" SimpleFixed     "Add Extended";
    Cg        "cg"        0x0c2 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Carry Generate";
    Cgx       "cgx"       0x342 Rr   "t,a,b"   "tab>t" SimpleFixed     "Carry Generate Extended";
    Sfx       "sfx"       0x341 Rr   "t,a,b"   "tab>t" SimpleFixed     "Subtract from Extended";
    Bg        "bg"        0x042 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Borrow Generate";
    Bgx       "bgx"       0x343 Rr   "t,a,b"   "tab>t" SimpleFixed     "Borrow Generate Extended";
    Mpy       "mpy"       0x3c4 Rr   "t,a,b"   "ab>t"  IntegerMultiply "Multiply";
    Mpyu      "mpyu"      0x3cc Rr   "t,a,b"   "ab>t"  IntegerMultiply "Multiply Unsigned";
    Mpyi      "mpyi"      0x3a0 Ri10 "t,a,i"   "a>t"   IntegerMultiply "Multiply Immediate";
    Mpyui     "mpyui"     0x3a8 Ri10 "t,a,i"   "a>t"   IntegerMultiply "Multiply Unsigned Immediate";
    Mpya      "mpya"      0x600 Rrr  "t,a,b,c" "abc>t" IntegerMultiply "Multiply and Add";
    Mpyh      "mpyh"      0x3c5 Rr   "t,a,b"   "ab>t"  IntegerMultiply "Multiply High";
    Mpys      "mpys"      0x3c7 Rr   "t,a,b"   "ab>t"  IntegerMultiply "Multiply and Shift Right";
    Mpyhh     "mpyhh"     0x3c6 Rr   "t,a,b"   "ab>t"  IntegerMultiply "Multiply High High";
    Mpyhha    "mpyhha"    0x346 Rr   "t,a,b"   "tab>t" IntegerMultiply "Multiply High High and Add";
    Mpyhhu    "mpyhhu"    0x3ce Rr   "t,a,b"   "ab>t"  IntegerMultiply "Multiply High High Unsigned";
    Mpyhhau   "mpyhhau"   0x34e Rr   "t,a,b"   "tab>t" IntegerMultiply "Multiply High High Unsigned and Add";
    Clz       "clz"       0x2a5 Rr   "t,a"     "a>t"   SimpleFixed     "Count Leading Zeros";
    Cntb      "cntb"      0x2b4 Rr   "t,a"     "a>t"   Byte            "Count Ones in Bytes";
    Fsmb      "fsmb"      0x1b6 Rr   "t,a"     "a>t"   Shuffle         "Form Select Mask for Bytes";
    Fsmh      "fsmh"      0x1b5 Rr   "t,a"     "a>t"   Shuffle         "Form Select Mask for Halfwords";
    Fsm       "fsm"       0x1b4 Rr   "t,a"     "a>t"   Shuffle         "Form Select Mask for Words";
    Gbb       "gbb"       0x1b2 Rr   "t,a"     "a>t"   Shuffle         "Gather Bits from Bytes";
    Gbh       "gbh"       0x1b1 Rr   "t,a"     "a>t"   Shuffle         "Gather Bits from Halfwords";
    Gb        "gb"        0x1b0 Rr   "t,a"     "a>t"   Shuffle         "Gather Bits from Words";
    Avgb      "avgb"      0x0d3 Rr   "t,a,b"   "ab>t"  Byte            "Average Bytes";
    Absdb     "absdb"     0x053 Rr   "t,a,b"   "ab>t"  Byte            "Absolute Differences of Bytes";
    Sumb      "sumb"      0x253 Rr   "t,a,b"   "ab>t"  Byte            "Sum Bytes into Halfwords";
    Xsbh      "xsbh"      0x2b6 Rr   "t,a"     "a>t"   SimpleFixed     "Extend Sign Byte to Halfword";
    Xshw      "xshw"      0x2ae Rr   "t,a"     "a>t"   SimpleFixed     "Extend Sign Halfword to Word";
    Xswd      "xswd"      0x2a6 Rr   "t,a"     "a>t"   SimpleFixed     "Extend Sign Word to Doubleword";
    And       "and"       0x0c1 Rr   "t,a,b"   "ab>t"  SimpleFixed     "And";
    Andc      "andc"      0x2c1 Rr   "t,a,b"   "ab>t"  SimpleFixed     "And with Complement";
    Andbi     "andbi"     0x0b0 Ri10 "t,a,i"   "a>t"   SimpleFixed     "And Byte Immediate";
    Andhi     "andhi"     0x0a8 Ri10 "t,a,i"   "a>t"   SimpleFixed     "And Halfword Immediate";
    Andi      "andi"      0x0a0 Ri10 "t,a,i"   "a>t"   SimpleFixed     "And Word Immediate";
    Or        "or"        0x041 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Or";
    Orc       "orc"       0x2c9 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Or with Complement";
    Orbi      "orbi"      0x030 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Or Byte Immediate";
    Orhi      "orhi"      0x028 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Or Halfword Immediate";
    Ori       "ori"       0x020 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Or Word Immediate";
    Orx       "orx"       0x1f0 Rr   "t,a"     "a>t"   Shuffle         "Or Across";
    Xor       "xor"       0x241 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Exclusive Or";
    Xorbi     "xorbi"     0x230 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Exclusive Or Byte Immediate";
    Xorhi     "xorhi"     0x228 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Exclusive Or Halfword Immediate";
    Xori      "xori"      0x220 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Exclusive Or Word Immediate";
    Nand      "nand"      0x0c9 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Nand";
    Nor       "nor"       0x049 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Nor";
    Eqv       "eqv"       0x249 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Equivalent";
    Selb      "selb"      0x400 Rrr  "t,a,b,c" "abc>t" SimpleFixed     "Select Bits";
    Shufb     "shufb"     0x580 Rrr  "t,a,b,c" "abc>t" Shuffle         "Shuffle Bytes";
    // Shift and rotate.
    Shlh      "shlh"      0x05f Rr   "t,a,b"   "ab>t"  Shift           "Shift Left Halfword";
    Shlhi     "shlhi"     0x07f Ri7  "t,a,i"   "a>t"   Shift           "Shift Left Halfword Immediate";
    Shl       "shl"       0x05b Rr   "t,a,b"   "ab>t"  Shift           "Shift Left Word";
    Shli      "shli"      0x07b Ri7  "t,a,i"   "a>t"   Shift           "Shift Left Word Immediate";
    Shlqbi    "shlqbi"    0x1db Rr   "t,a,b"   "ab>t"  Shuffle         "Shift Left Quadword by Bits";
    Shlqbii   "shlqbii"   0x1fb Ri7  "t,a,i"   "a>t"   Shuffle         "Shift Left Quadword by Bits Immediate";
    Shlqby    "shlqby"    0x1df Rr   "t,a,b"   "ab>t"  Shuffle         "Shift Left Quadword by Bytes";
    Shlqbyi   "shlqbyi"   0x1ff Ri7  "t,a,i"   "a>t"   Shuffle         "Shift Left Quadword by Bytes Immediate";
    Shlqbybi  "shlqbybi"  0x1cf Rr   "t,a,b"   "ab>t"  Shuffle         "Shift Left Quadword by Bytes from Bit Shift Count";
    Roth      "roth"      0x05c Rr   "t,a,b"   "ab>t"  Shift           "Rotate Halfword";
    Rothi     "rothi"     0x07c Ri7  "t,a,i"   "a>t"   Shift           "Rotate Halfword Immediate";
    Rot       "rot"       0x058 Rr   "t,a,b"   "ab>t"  Shift           "Rotate Word";
    Roti      "roti"      0x078 Ri7  "t,a,i"   "a>t"   Shift           "Rotate Word Immediate";
    Rotqby    "rotqby"    0x1dc Rr   "t,a,b"   "ab>t"  Shuffle         "Rotate Quadword by Bytes";
    Rotqbyi   "rotqbyi"   0x1fc Ri7  "t,a,i"   "a>t"   Shuffle         "Rotate Quadword by Bytes Immediate";
    Rotqbybi  "rotqbybi"  0x1cc Rr   "t,a,b"   "ab>t"  Shuffle         "Rotate Quadword by Bytes from Bit Shift Count";
    Rotqbi    "rotqbi"    0x1d8 Rr   "t,a,b"   "ab>t"  Shuffle         "Rotate Quadword by Bits";
    Rotqbii   "rotqbii"   0x1f8 Ri7  "t,a,i"   "a>t"   Shuffle         "Rotate Quadword by Bits Immediate";
    Rothm     "rothm"     0x05d Rr   "t,a,b"   "ab>t"  Shift           "Rotate and Mask Halfword";
    Rothmi    "rothmi"    0x07d Ri7  "t,a,i"   "a>t"   Shift           "Rotate and Mask Halfword Immediate";
    Rotm      "rotm"      0x059 Rr   "t,a,b"   "ab>t"  Shift           "Rotate and Mask Word";
    Rotmi     "rotmi"     0x079 Ri7  "t,a,i"   "a>t"   Shift           "Rotate and Mask Word Immediate";
    Rotqmby   "rotqmby"   0x1dd Rr   "t,a,b"   "ab>t"  Shuffle         "Rotate and Mask Quadword by Bytes";
    Rotqmbyi  "rotqmbyi"  0x1fd Ri7  "t,a,i"   "a>t"   Shuffle         "Rotate and Mask Quadword by Bytes Immediate";
    Rotqmbybi "rotqmbybi" 0x1cd Rr   "t,a,b"   "ab>t"  Shuffle         "Rotate and Mask Quadword by Bytes from Bit Shift Count";
    Rotqmbi   "rotqmbi"   0x1d9 Rr   "t,a,b"   "ab>t"  Shuffle         "Rotate and Mask Quadword by Bits";
    Rotqmbii  "rotqmbii"  0x1f9 Ri7  "t,a,i"   "a>t"   Shuffle         "Rotate and Mask Quadword by Bits Immediate";
    Rotmah    "rotmah"    0x05e Rr   "t,a,b"   "ab>t"  Shift           "Rotate and Mask Algebraic Halfword";
    Rotmahi   "rotmahi"   0x07e Ri7  "t,a,i"   "a>t"   Shift           "Rotate and Mask Algebraic Halfword Immediate";
    Rotma     "rotma"     0x05a Rr   "t,a,b"   "ab>t"  Shift           "Rotate and Mask Algebraic Word";
    Rotmai    "rotmai"    0x07a Ri7  "t,a,i"   "a>t"   Shift           "Rotate and Mask Algebraic Word Immediate";
    // Compare and halt.
    Heq       "heq"       0x3d8 Rr   "t,a,b"   "ab>"   SimpleFixed     "Halt If Equal";
    Heqi      "heqi"      0x3f8 Ri10 "t,a,i"   "a>"    SimpleFixed     "Halt If Equal Immediate";
    Hgt       "hgt"       0x258 Rr   "t,a,b"   "ab>"   SimpleFixed     "Halt If Greater Than";
    Hgti      "hgti"      0x278 Ri10 "t,a,i"   "a>"    SimpleFixed     "Halt If Greater Than Immediate";
    Hlgt      "hlgt"      0x2d8 Rr   "t,a,b"   "ab>"   SimpleFixed     "Halt If Logically Greater Than";
    Hlgti     "hlgti"     0x2f8 Ri10 "t,a,i"   "a>"    SimpleFixed     "Halt If Logically Greater Than Immediate";
    Ceqb      "ceqb"      0x3d0 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Equal Byte";
    Ceqbi     "ceqbi"     0x3f0 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Equal Byte Immediate";
    Ceqh      "ceqh"      0x3c8 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Equal Halfword";
    Ceqhi     "ceqhi"     0x3e8 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Equal Halfword Immediate";
    Ceq       "ceq"       0x3c0 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Equal Word";
    Ceqi      "ceqi"      0x3e0 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Equal Word Immediate";
    Cgtb      "cgtb"      0x250 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Greater Than Byte";
    Cgtbi     "cgtbi"     0x270 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Greater Than Byte Immediate";
    Cgth      "cgth"      0x248 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Greater Than Halfword";
    Cgthi     "cgthi"     0x268 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Greater Than Halfword Immediate";
    Cgt       "cgt"       0x240 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Greater Than Word";
    Cgti      "cgti"      0x260 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Greater Than Word Immediate";
    Clgtb     "clgtb"     0x2d0 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Logical Greater Than Byte";
    Clgtbi    "clgtbi"    0x2f0 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Logical Greater Than Byte Immediate";
    Clgth     "clgth"     0x2c8 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Logical Greater Than Halfword";
    Clgthi    "clgthi"    0x2e8 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Logical Greater Than Halfword Immediate";
    Clgt      "clgt"      0x2c0 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Compare Logical Greater Than Word";
    Clgti     "clgti"     0x2e0 Ri10 "t,a,i"   "a>t"   SimpleFixed     "Compare Logical Greater Than Word Immediate";
    // Branch.
    Br        "br"        0x190 Ri16 "r"       ">"     Branch          "Branch Relative";
    Bra       "bra"       0x180 Ri16 "x"       ">"     Branch          "Branch Absolute";
    Brsl      "brsl"      0x198 Ri16 "t,r"     ">t"    Branch          "Branch Relative and Set Link";
    Brasl     "brasl"     0x188 Ri16 "t,x"     ">t"    Branch          "Branch Absolute and Set Link";
    Bi        "bi"        0x1a8 Rr   "a"       "a>"    Branch          "Branch Indirect";
    Iret      "iret"      0x1aa Rr   "a"       "a>"    Branch          "Interrupt Return";
    Bisled    "bisled"    0x1ab Rr   "t,a"     "a>t"   Branch          "Branch Indirect and Set Link if External Data";
    Bisl      "bisl"      0x1a9 Rr   "t,a"     "a>t"   Branch          "Branch Indirect and Set Link";
    Brnz      "brnz"      0x108 Ri16 "t,r"     "t>"    Branch          "Branch If Not Zero Word";
    Brz       "brz"       0x100 Ri16 "t,r"     "t>"    Branch          "Branch If Zero Word";
    Brhnz     "brhnz"     0x118 Ri16 "t,r"     "t>"    Branch          "Branch If Not Zero Halfword";
    Brhz      "brhz"      0x110 Ri16 "t,r"     "t>"    Branch          "Branch If Zero Halfword";
    Biz       "biz"       0x128 Rr   "t,a"     "ta>"   Branch          "Branch Indirect If Zero";
    Binz      "binz"      0x129 Rr   "t,a"     "ta>"   Branch          "Branch Indirect If Not Zero";
    Bihz      "bihz"      0x12a Rr   "t,a"     "ta>"   Branch          "Branch Indirect If Zero Halfword";
    Bihnz     "bihnz"     0x12b Rr   "t,a"     "ta>"   Branch          "Branch Indirect If Not Zero Halfword";
    Hbr       "hbr"       0x1ac Lbti "o,a"     "a>"    Hint            "Hint for Branch (r-form)";
    Hbra      "hbra"      0x080 Lbt  "o,x"     ">"     Hint            "Hint for Branch (a-form)";
    Hbrr      "hbrr"      0x090 Lbt  "o,r"     ">"     Hint            "Hint for Branch Relative";
    // Single precision.
    Fa        "fa"        0x2c4 Rr   "t,a,b"   "ab>t"  Single          "Floating Add";
    Fs        "fs"        0x2c5 Rr   "t,a,b"   "ab>t"  Single          "Floating Subtract";
    Fm        "fm"        0x2c6 Rr   "t,a,b"   "ab>t"  Single          "Floating Multiply";
    Fma       "fma"       0x700 Rrr  "t,a,b,c" "abc>t" Single          "Floating Multiply and Add";
    Fnms      "fnms"      0x680 Rrr  "t,a,b,c" "abc>t" Single          "Floating Negative Multiply and Subtract";
    Fms       "fms"       0x780 Rrr  "t,a,b,c" "abc>t" Single          "Floating Multiply and Subtract";
    Frest     "frest"     0x1b8 Rr   "t,a"     "a>t"   Shuffle         "Floating Reciprocal Estimate";
    Frsqest   "frsqest"   0x1b9 Rr   "t,a"     "a>t"   Shuffle         "Floating Reciprocal Absolute Square Root Estimate";
    Fi        "fi"        0x3d4 Rr   "t,a,b"   "ab>t"  IntegerMultiply "Floating Interpolate";
    Csflt     "csflt"     0x3b4 Ri8  "t,a,g"   "a>t"   IntegerMultiply "Convert Signed Integer to Floating";
    Cflts     "cflts"     0x3b0 Ri8  "t,a,f"   "a>t"   IntegerMultiply "Convert Floating to Signed Integer";
    Cuflt     "cuflt"     0x3b6 Ri8  "t,a,g"   "a>t"   IntegerMultiply "Convert Unsigned Integer to Floating";
    Cfltu     "cfltu"     0x3b2 Ri8  "t,a,f"   "a>t"   IntegerMultiply "Convert Floating to Unsigned Integer";
    Fceq      "fceq"      0x3c2 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Floating Compare Equal";
    Fcmeq     "fcmeq"     0x3ca Rr   "t,a,b"   "ab>t"  SimpleFixed     "Floating Compare Magnitude Equal";
    Fcgt      "fcgt"      0x2c2 Rr   "t,a,b"   "ab>t"  SimpleFixed     "Floating Compare Greater Than";
    Fcmgt     "fcmgt"     0x2ca Rr   "t,a,b"   "ab>t"  SimpleFixed     "Floating Compare Magnitude Greater Than";
    // Double precision.
    Dfa       "dfa"       0x2cc Rr   "t,a,b"   "ab>t"  Double          "Double Floating Add";
    Dfs       "dfs"       0x2cd Rr   "t,a,b"   "ab>t"  Double          "Double Floating Subtract";
    Dfm       "dfm"       0x2ce Rr   "t,a,b"   "ab>t"  Double          "Double Floating Multiply";
    Dfma      "dfma"      0x35c Rr   "t,a,b"   "tab>t" Double          "Double Floating Multiply and Add";
    Dfnms     "dfnms"     0x35e Rr   "t,a,b"   "tab>t" Double          "Double Floating Negative Multiply and Subtract";
    Dfms      "dfms"      0x35d Rr   "t,a,b"   "tab>t" Double          "Double Floating Multiply and Subtract";
    Dfnma     "dfnma"     0x35f Rr   "t,a,b"   "tab>t" Double          "Double Floating Negative Multiply and Add";
    Frds      "frds"      0x3b9 Rr   "t,a"     "a>t"   Double          "Floating Round Double to Single";
    Fesd      "fesd"      0x3b8 Rr   "t,a"     "a>t"   Double          "Floating Extend Single to Double";
    Dfceq     "dfceq"     0x3c3 Rr   "t,a,b"   "ab>t"  Double          "Double Floating Compare Equal";
    Dfcmeq    "dfcmeq"    0x3cb Rr   "t,a,b"   "ab>t"  Double          "Double Floating Compare Magnitude Equal";
    Dfcgt     "dfcgt"     0x2c3 Rr   "t,a,b"   "ab>t"  Double          "Double Floating Compare Greater Than";
    Dfcmgt    "dfcmgt"    0x2cb Rr   "t,a,b"   "ab>t"  Double          "Double Floating Compare Magnitude Greater Than";
    Dftsv     "dftsv"     0x3bf Ri7  "t,a,i"   "a>t"   Double          "Double Floating Test Special Value";
    Fscrwr    "fscrwr"    0x3ba Rr   "t,a"     "a>"    IntegerMultiply "Floating-Point Status and Control Register Write";
    Fscrrd    "fscrrd"    0x398 Rr   "t"       ">t"    Double          "Floating-Point Status and Control Register Read";
    // Control.
    Stop      "stop"      0x000 Stop ""        ">"     Control         "Stop and Signal";
    Stopd     "stopd"     0x140 Rr   "t,a,b"   "tab>"  Control         "Stop and Signal with Dependencies";
    Lnop      "lnop"      0x001 Rr   ""        ">"     Lnop            "No Operation (Load)";
    Nop       "nop"       0x201 Rr   "t"       ">"     Nop             "No Operation (Execute)";
    Sync      "sync"      0x002 Rr   ""        ">"     Control         "Synchronize";
    Dsync     "dsync"     0x003 Rr   ""        ">"     Control         "Synchronize Data";
    Mfspr     "mfspr"     0x00c Rr   "t,s"     ">t"    Channel         "Move from Special-Purpose Register";
    Mtspr     "mtspr"     0x10c Rr   "s,t"     "t>"    Channel         "Move to Special-Purpose Register";
    // Channel.
    Rdch      "rdch"      0x00d Rr   "t,h"     ">t"    Channel         "Read Channel";
    Rchcnt    "rchcnt"    0x00f Rr   "t,h"     ">t"    Channel         "Read Channel Count";
    Wrch      "wrch"      0x10d Rr   "h,t"     "t>"    Channel         "Write Channel";
}
