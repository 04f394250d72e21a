//! Fixed-point arithmetic, comparisons and traps.

use super::encoding::{OE, RC, d, x};
use super::group::{overflowing, recording, rows};
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, arithmetic, compare};
use crate::memory::Memory;

rows! {
    /// Special cases of general rows, with simpler functions.
    Simplified;
    "li", d(14).field(11, 15, 0), "t,i", Integer, arithmetic::li;
    "lis", d(15).field(11, 15, 0), "t,g", Integer, arithmetic::li;
}

rows! {
    /// Arithmetic with an immediate.
    Immediate;
    "addi", d(14), "t,a,i", Integer, arithmetic::addi;
    "addis", d(15), "t,a,g", Integer, arithmetic::addi;
    "addic", d(12), "t,a,i", Integer, arithmetic::addic;
    "addic.", d(13), "t,a,i", Integer, arithmetic::addic_record;
    "subfic", d(8), "t,a,i", Integer, arithmetic::subfic;
    "mulli", d(7), "t,a,i", MultiplyImmediate, arithmetic::mulli;
}

overflowing! {
    /// Arithmetic instructions that can set the overflow bit.
    ArithmeticForms;
    "add", x(31, 266), "t,a,b", Integer, arithmetic::add;
    "addc", x(31, 10), "t,a,b", Integer, arithmetic::addc;
    "adde", x(31, 138), "t,a,b", Integer, arithmetic::adde;
    "addme", x(31, 234), "t,a", Integer, arithmetic::addme;
    "addze", x(31, 202), "t,a", Integer, arithmetic::addze;
    "subf", x(31, 40), "t,a,b", Integer, arithmetic::subf;
    "subfc", x(31, 8), "t,a,b", Integer, arithmetic::subfc;
    "subfe", x(31, 136), "t,a,b", Integer, arithmetic::subfe;
    "subfme", x(31, 232), "t,a", Integer, arithmetic::subfme;
    "subfze", x(31, 200), "t,a", Integer, arithmetic::subfze;
    "neg", x(31, 104), "t,a", Integer, arithmetic::neg;
    "mullw", x(31, 235), "t,a,b", Multiply, arithmetic::mullw;
    "mulld", x(31, 233), "t,a,b", MultiplyDouble, arithmetic::mulld;
    "divw", x(31, 491), "t,a,b", Divide, arithmetic::divw;
    "divwu", x(31, 459), "t,a,b", Divide, arithmetic::divwu;
    "divd", x(31, 489), "t,a,b", Divide, arithmetic::divd;
    "divdu", x(31, 457), "t,a,b", Divide, arithmetic::divdu;
}

recording! {
    /// Instructions that return the left half of a product.
    Products, RC;
    "mulhw", x(31, 75), "t,a,b", Multiply, arithmetic::mulhw;
    "mulhwu", x(31, 11), "t,a,b", Multiply, arithmetic::mulhwu;
    "mulhd", x(31, 73), "t,a,b", MultiplyDouble, arithmetic::mulhd;
    "mulhdu", x(31, 9), "t,a,b", MultiplyDouble, arithmetic::mulhdu;
}

rows! {
    /// Comparisons and traps.
    Comparisons;
    "cmpwi", d(11).field(10, 10, 0), "f,a,i", Compare, compare::cmpwi;
    "cmpdi", d(11).field(10, 10, 1), "f,a,i", Compare, compare::cmpdi;
    "cmplwi", d(10).field(10, 10, 0), "f,a,u", Compare, compare::cmplwi;
    "cmpldi", d(10).field(10, 10, 1), "f,a,u", Compare, compare::cmpldi;
    "cmpw", x(31, 0).field(10, 10, 0), "f,a,b", Compare, compare::cmpw;
    "cmpd", x(31, 0).field(10, 10, 1), "f,a,b", Compare, compare::cmpd;
    "cmplw", x(31, 32).field(10, 10, 0), "f,a,b", Compare, compare::cmplw;
    "cmpld", x(31, 32).field(10, 10, 1), "f,a,b", Compare, compare::cmpld;
    "twi", d(3), "O,a,i", Integer, compare::twi;
    "tdi", d(2), "O,a,i", Integer, compare::tdi;
    "tw", x(31, 4), "O,a,b", Integer, compare::tw;
    "td", x(31, 68), "O,a,b", Integer, compare::td;
}
