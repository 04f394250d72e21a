//! The instruction set as one table. Decoding, disassembly, costs and execution are derived from the table.
//!
//! A row has the assembler's mnemonic, the words that it matches (see [`Encoding`]), its operands in assembler order,
//! its class, and the function that executes it. If two rows match a word, the earlier row applies. Rows for simplified
//! mnemonics (`li`, `blr`), which have simpler functions, therefore precede the general rows.
//!
//! The letters of operands, with their positions in a word:
//!
//! | letter | operand | bits |
//! |---|---|---|
//! | `t` `s` | general register RT, RS | 6-10 |
//! | `a` `z` `b` | general register RA; RA, where 0 means the value 0; RB | 11-15, 11-15, 16-20 |
//! | `T` `S` `A` `B` `C` | floating-point register | 6-10, 6-10, 11-15, 16-20, 21-25 |
//! | `V` `X` `Y` `Z` | vector register VRT, VRA, VRB, VRC | 6-10, 11-15, 16-20, 21-25 |
//! | `d` `e` | displacement; displacement in whole words (DS) | 16-31, 16-29 |
//! | `i` `u` `g` | immediate: signed, unsigned, signed for the left half of a word | 16-31 |
//! | `h` `m` `n` | shift or rotation; mask begin; mask end, of a word | 16-20, 21-25, 26-30 |
//! | `H` `M` | shift or rotation; mask begin or end, of a doubleword | 16-20 with 30, 21-25 with 26 |
//! | `f` `k` | condition field: result, source | 6-8, 11-13 |
//! | `x` `y` `w` | condition bit: result, sources | 6-10, 11-15, 16-20 |
//! | `o` `c` | condition of a branch; condition bit of a branch | 6-10, 11-15 |
//! | `l` `r` | target: relative, far and near | 6-29, 16-29 |
//! | `L` `R` | target: absolute, far and near | 6-29, 16-29 |
//! | `O` | conditions of a trap | 6-10 |
//! | `F` | mask of condition fields | 12-19 |
//! | `p` | special register, with its halves swapped | 11-20 |
//! | `N` | number of bytes | 16-20 |
//! | `W` `U` | mask of FPSCR fields; value of one | 7-14, 16-19 |
//! | `j` `J` `Q` `q` | vector immediate: signed, unsigned; shift in bytes; hint of a data stream | 11-15, 11-15, 22-25, 9-10 |
//!
//! # How to add an instruction
//!
//! 1. Add a row to a group in this folder. A row of `rows!` defines one form. A row of `recording!` also defines the
//!    form with a dot (Rc, bit 31). A row of `overflowing!` also defines the forms with `o` (OE, bit 21). Add a new
//!    group to the list in `groups!` at the end of this file.
//! 2. Write the row's function in a file of `crate::execute`: a `Computation` that is generic over the [`Memory`]. In
//!    a group with several forms, the function is also generic over its form:
//!    `pub fn add<M: Memory, const OE: bool, const RC: bool>(i, cpu, memory) -> Done`. Immediates, displacements,
//!    targets and masks are in `i.immediate`.
//! 3. A function must change nothing before its last storage access, so that the instruction can be executed again.
//! 4. A new operand letter needs a line in `disassembly`. The letter also needs a line in `decode::immediate`, unless
//!    the operand is exactly one five-bit field.
//! 5. Tests: add a case to the list in `tests/qemu/`.
//!
//! Sources: PowerPC User Instruction Set Architecture 2.02, Book I and II; PowerPC Microprocessor Family: AltiVec
//! Technology Programming Environments Manual; Cell Broadband Engine Programming Handbook, PPE chapters.

mod branch;
mod encoding;
mod fixed;
mod floating;
mod group;
mod logical;
mod row;
mod storage;
mod system;
mod vector;
mod vector_float;

pub use encoding::Encoding;
pub use row::Row;

use crate::class::Class;
use crate::execute::{Computation, illegal, undecoded};
use crate::memory::Memory;
use std::marker::PhantomData;

/// Number of the row for words that have not been decoded yet.
pub const UNDECODED: u16 = 0;
/// Number of the row for words that are not instructions.
pub const ILLEGAL: u16 = 1;

/// The content of rows `UNDECODED` and `ILLEGAL`, which no word matches.
const NONE: Row = Row { mnemonic: ".long", encoding: Encoding::NEVER, operands: "", class: Class::System };

/// Joins the groups into one table.
macro_rules! groups {
    ($($file:ident :: $group:ident,)*) => {
        /// The number of rows.
        pub const COUNT: usize = 2 $(+ $file::$group::ROWS.len())*;

        const fn rows() -> [Row; COUNT] {
            let mut rows = [NONE; COUNT];
            let mut end = 2;
            $(
                let mut row = 0;
                while row < $file::$group::ROWS.len() {
                    rows[end] = $file::$group::ROWS[row];
                    (row, end) = (row + 1, end + 1);
                }
            )*
            assert!(end == COUNT);
            rows
        }

        const fn functions<M: Memory>() -> [Computation<M>; SLOTS] {
            let mut functions = [undecoded::<M> as Computation<M>; SLOTS];
            functions[ILLEGAL as usize] = illegal::<M>;
            let mut end = 2;
            $(
                let group = $file::$group::functions::<M>();
                let mut row = 0;
                while row < group.len() {
                    functions[end] = group[row];
                    (row, end) = (row + 1, end + 1);
                }
            )*
            functions
        }
    };
}

groups! {
    branch::Simplified, branch::General,
    fixed::Simplified, fixed::Immediate, fixed::ArithmeticForms, fixed::Products, fixed::Comparisons,
    logical::Immediate, logical::Logic, logical::Rotates,
    storage::Loads, storage::Stores, storage::CacheAndSync,
    system::Moves, system::ConditionRegister,
    floating::Arithmetic, floating::Moves, floating::Status, floating::Comparisons, floating::Storage,
    vector::Integer, vector::Multiply, vector::Logic, vector::Permute, vector::Comparisons,
    vector_float::Float, vector_float::Comparisons, vector_float::Status, vector_float::Storage, vector_float::Streams,
}

/// All rows. The number of a row is its position.
pub static ROWS: [Row; COUNT] = rows();

/// Size of the function table: a power of two, so that taking a row number modulo the size is cheap.
pub const SLOTS: usize = COUNT.next_power_of_two();

/// The functions of all rows, for storage of type `M`.
pub struct Functions<M>(PhantomData<M>);

impl<M: Memory> Functions<M> {
    /// The functions, indexed by row number.
    pub const ALL: [Computation<M>; SLOTS] = functions::<M>();
}
