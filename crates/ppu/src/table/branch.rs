//! Branches, and the system call instruction.

use super::encoding::{d, x, x_record};
use super::group::rows;
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, branch};
use crate::memory::Memory;

/// Bit LK: the link register receives the address after the branch.
const LINK: u32 = 1;
/// Bit AA: the branch target is absolute.
const ABSOLUTE: u32 = 2;

rows! {
    /// The most frequent branches.
    Simplified;
    "blr", x(19, 16).field(6, 15, 20 << 5), "", Branch, branch::blr;
    "bctr", x(19, 528).field(6, 15, 20 << 5), "", Branch, branch::bctr;
    "bctrl", x_record(19, 528).field(6, 15, 20 << 5), "", Branch, branch::bctrl;
    "bt", d(16).field(6, 8, 0b011).field(30, 31, 0), "c,r", Branch, branch::if_set;
    "bf", d(16).field(6, 8, 0b001).field(30, 31, 0), "c,r", Branch, branch::if_clear;
    "bdnz", d(16).field(6, 6, 1).field(8, 9, 0b00).field(30, 31, 0), "r", Branch, branch::if_not_zero;
    "bdz", d(16).field(6, 6, 1).field(8, 9, 0b01).field(30, 31, 0), "r", Branch, branch::if_zero;
}

rows! {
    /// All branches.
    General;
    "b", d(18).field(30, 31, 0), "l", Branch, branch::b;
    "ba", d(18).field(30, 31, ABSOLUTE), "L", Branch, branch::ba;
    "bl", d(18).field(30, 31, LINK), "l", Branch, branch::bl;
    "bla", d(18).field(30, 31, ABSOLUTE | LINK), "L", Branch, branch::bla;
    "bc", d(16).field(30, 31, 0), "o,c,r", Branch, branch::bc;
    "bca", d(16).field(30, 31, ABSOLUTE), "o,c,R", Branch, branch::bca;
    "bcl", d(16).field(30, 31, LINK), "o,c,r", Branch, branch::bcl;
    "bcla", d(16).field(30, 31, ABSOLUTE | LINK), "o,c,R", Branch, branch::bcla;
    "bclr", x(19, 16), "o,c", Branch, branch::bclr;
    "bclrl", x_record(19, 16), "o,c", Branch, branch::bclrl;
    "bcctr", x(19, 528), "o,c", Branch, branch::bcctr;
    "bcctrl", x_record(19, 528), "o,c", Branch, branch::bcctrl;
    "sc", d(17).field(30, 30, 1), "", System, branch::sc;
}
