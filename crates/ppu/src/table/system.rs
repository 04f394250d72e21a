//! Instructions for special registers and the condition register.

use super::encoding::{spr, x};
use super::group::rows;
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, condition, special};
use crate::memory::Memory;

rows! {
    /// Moves to and from special registers.
    Moves;
    "mflr", spr(339, 8), "t", Special, special::mflr;
    "mtlr", spr(467, 8), "s", Special, special::mtlr;
    "mfctr", spr(339, 9), "t", Special, special::mfctr;
    "mtctr", spr(467, 9), "s", Special, special::mtctr;
    "mfxer", spr(339, 1), "t", Special, special::mfxer;
    "mtxer", spr(467, 1), "s", Special, special::mtxer;
    "mfvrsave", spr(339, 256), "t", Special, special::mfvrsave;
    "mtvrsave", spr(467, 256), "s", Special, special::mtvrsave;
    "mfpvr", spr(339, 287), "t", Special, special::mfpvr;
    "mftb", spr(371, 268), "t", Special, special::mftb;
    "mftbu", spr(371, 269), "t", Special, special::mftb;
    "mftb", spr(339, 268), "t", Special, special::mftb;
    "mftbu", spr(339, 269), "t", Special, special::mftb;
}

rows! {
    /// The condition register.
    ConditionRegister;
    "crand", x(19, 257), "x,y,w", Condition, condition::crand;
    "crandc", x(19, 129), "x,y,w", Condition, condition::crandc;
    "creqv", x(19, 289), "x,y,w", Condition, condition::creqv;
    "crnand", x(19, 225), "x,y,w", Condition, condition::crnand;
    "crnor", x(19, 33), "x,y,w", Condition, condition::crnor;
    "cror", x(19, 449), "x,y,w", Condition, condition::cror;
    "crorc", x(19, 417), "x,y,w", Condition, condition::crorc;
    "crxor", x(19, 193), "x,y,w", Condition, condition::crxor;
    "mcrf", x(19, 0), "f,k", Condition, condition::mcrf;
    "mcrxr", x(31, 512), "f", Condition, condition::mcrxr;
    "mfcr", x(31, 19).field(11, 11, 0), "t", ConditionRead, condition::mfcr;
    "mfocrf", x(31, 19).field(11, 11, 1), "t,F", ConditionRead, condition::mfocrf;
    "mtcrf", x(31, 144).field(11, 11, 0), "F,s", ConditionWrite, condition::mtcrf;
    "mtocrf", x(31, 144).field(11, 11, 1), "F,s", ConditionWrite, condition::mtcrf;
}
