//! Logic, shifts and rotates.

use super::encoding::{RC, d, m, md, mds, x, xs};
use super::group::{recording, rows};
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, logical};
use crate::memory::Memory;

rows! {
    /// Logic with an immediate.
    Immediate;
    "nop", d(24).field(6, 31, 0), "", Integer, logical::nop;
    "andi.", d(28), "a,s,u", Integer, logical::andi;
    "andis.", d(29), "a,s,g", Integer, logical::andi;
    "ori", d(24), "a,s,u", Integer, logical::ori;
    "oris", d(25), "a,s,g", Integer, logical::ori;
    "xori", d(26), "a,s,u", Integer, logical::xori;
    "xoris", d(27), "a,s,g", Integer, logical::xori;
    "popcntb", x(31, 122), "a,s", Shift, logical::popcntb;
}

recording! {
    /// Logic and shifts.
    Logic, RC;
    "and", x(31, 28), "a,s,b", Integer, logical::and;
    "andc", x(31, 60), "a,s,b", Integer, logical::andc;
    "or", x(31, 444), "a,s,b", Integer, logical::or;
    "orc", x(31, 412), "a,s,b", Integer, logical::orc;
    "xor", x(31, 316), "a,s,b", Integer, logical::xor;
    "nand", x(31, 476), "a,s,b", Integer, logical::nand;
    "nor", x(31, 124), "a,s,b", Integer, logical::nor;
    "eqv", x(31, 284), "a,s,b", Integer, logical::eqv;
    "extsb", x(31, 954), "a,s", Rotate, logical::extsb;
    "extsh", x(31, 922), "a,s", Rotate, logical::extsh;
    "extsw", x(31, 986), "a,s", Rotate, logical::extsw;
    "cntlzw", x(31, 26), "a,s", Integer, logical::cntlzw;
    "cntlzd", x(31, 58), "a,s", Integer, logical::cntlzd;
    "slw", x(31, 24), "a,s,b", Shift, logical::slw;
    "srw", x(31, 536), "a,s,b", Shift, logical::srw;
    "sraw", x(31, 792), "a,s,b", Shift, logical::sraw;
    "srawi", x(31, 824), "a,s,h", Rotate, logical::srawi;
    "sld", x(31, 27), "a,s,b", Shift, logical::sld;
    "srd", x(31, 539), "a,s,b", Shift, logical::srd;
    "srad", x(31, 794), "a,s,b", Shift, logical::srad;
    "sradi", xs(31, 413), "a,s,H", Rotate, logical::sradi;
}

recording! {
    Rotates, RC;
    "rlwinm", m(21), "a,s,h,m,n", Rotate, logical::rlwinm;
    "rlwimi", m(20), "a,s,h,m,n", Integer, logical::rlwimi;
    "rlwnm", m(23), "a,s,b,m,n", Shift, logical::rlwnm;
    "rldicl", md(30, 0), "a,s,H,M", Rotate, logical::rldicl;
    "rldicr", md(30, 1), "a,s,H,M", Rotate, logical::rldicr;
    "rldic", md(30, 2), "a,s,H,M", Rotate, logical::rldic;
    "rldimi", md(30, 3), "a,s,H,M", Integer, logical::rldimi;
    "rldcl", mds(30, 8), "a,s,b,M", Shift, logical::rldcl;
    "rldcr", mds(30, 9), "a,s,b,M", Shift, logical::rldcr;
}
