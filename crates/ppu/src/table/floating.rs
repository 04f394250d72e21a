//! Floating point.

use super::encoding::{RC, a, d, x};
use super::group::{recording, rows};
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, floating, floating_status, floating_storage};
use crate::memory::Memory;

recording! {
    /// Floating-point arithmetic. Forms with a dot record in condition field 1.
    Arithmetic, RC;
    "fadd", a(63, 21), "T,A,B", Float, floating::fadd;
    "fsub", a(63, 20), "T,A,B", Float, floating::fsub;
    "fmul", a(63, 25), "T,A,C", Float, floating::fmul;
    "fdiv", a(63, 18), "T,A,B", FloatDivide, floating::fdiv;
    "fsqrt", a(63, 22), "T,B", FloatRoot, floating::fsqrt;
    "fadds", a(59, 21), "T,A,B", Float, floating::fadds;
    "fsubs", a(59, 20), "T,A,B", Float, floating::fsubs;
    "fmuls", a(59, 25), "T,A,C", Float, floating::fmuls;
    "fdivs", a(59, 18), "T,A,B", FloatDivide, floating::fdivs;
    "fsqrts", a(59, 22), "T,B", FloatRoot, floating::fsqrts;
    "fmadd", a(63, 29), "T,A,C,B", Float, floating::fmadd;
    "fmsub", a(63, 28), "T,A,C,B", Float, floating::fmsub;
    "fnmadd", a(63, 31), "T,A,C,B", Float, floating::fnmadd;
    "fnmsub", a(63, 30), "T,A,C,B", Float, floating::fnmsub;
    "fmadds", a(59, 29), "T,A,C,B", Float, floating::fmadds;
    "fmsubs", a(59, 28), "T,A,C,B", Float, floating::fmsubs;
    "fnmadds", a(59, 31), "T,A,C,B", Float, floating::fnmadds;
    "fnmsubs", a(59, 30), "T,A,C,B", Float, floating::fnmsubs;
    "fsel", a(63, 23), "T,A,C,B", Float, floating::fsel;
    "fres", a(59, 24), "T,B", Float, floating::fres;
    "frsqrte", a(63, 26), "T,B", Float, floating::frsqrte;
}

recording! {
    /// Moves and conversions.
    Moves, RC;
    "fmr", x(63, 72), "T,B", Float, floating::fmr;
    "fneg", x(63, 40), "T,B", Float, floating::fneg;
    "fabs", x(63, 264), "T,B", Float, floating::fabs;
    "fnabs", x(63, 136), "T,B", Float, floating::fnabs;
    "frsp", x(63, 12), "T,B", Float, floating::frsp;
    "fctiw", x(63, 14), "T,B", Float, floating::fctiw;
    "fctiwz", x(63, 15), "T,B", Float, floating::fctiwz;
    "fctid", x(63, 814), "T,B", Float, floating::fctid;
    "fctidz", x(63, 815), "T,B", Float, floating::fctidz;
    "fcfid", x(63, 846), "T,B", Float, floating::fcfid;
}

recording! {
    /// Moves to and from the floating-point status and control register.
    Status, RC;
    "mffs", x(63, 583), "T", FloatStatus, floating_status::mffs;
    "mtfsf", x(63, 711), "W,B", FloatStatus, floating_status::mtfsf;
    "mtfsfi", x(63, 134), "f,U", FloatStatus, floating_status::mtfsfi;
    "mtfsb0", x(63, 70), "x", FloatStatus, floating_status::mtfsb0;
    "mtfsb1", x(63, 38), "x", FloatStatus, floating_status::mtfsb1;
}

rows! {
    /// Floating-point comparisons, and moves from the FPSCR to the condition register.
    Comparisons;
    "fcmpu", x(63, 0), "f,A,B", FloatCompare, floating::fcmpu;
    "fcmpo", x(63, 32), "f,A,B", FloatCompare, floating::fcmpo;
    "mcrfs", x(63, 64), "f,k", FloatStatus, floating_status::mcrfs;
}

rows! {
    /// Loads and stores.
    Storage;
    "lfs", d(48), "T,d(z)", FloatLoad, floating_storage::lfs;
    "lfsu", d(49), "T,d(a)", FloatLoad, floating_storage::lfsu;
    "lfsx", x(31, 535), "T,z,b", FloatLoad, floating_storage::lfsx;
    "lfsux", x(31, 567), "T,a,b", FloatLoad, floating_storage::lfsux;
    "lfd", d(50), "T,d(z)", FloatLoad, floating_storage::lfd;
    "lfdu", d(51), "T,d(a)", FloatLoad, floating_storage::lfdu;
    "lfdx", x(31, 599), "T,z,b", FloatLoad, floating_storage::lfdx;
    "lfdux", x(31, 631), "T,a,b", FloatLoad, floating_storage::lfdux;
    "stfs", d(52), "S,d(z)", FloatStore, floating_storage::stfs;
    "stfsu", d(53), "S,d(a)", FloatStore, floating_storage::stfsu;
    "stfsx", x(31, 663), "S,z,b", FloatStore, floating_storage::stfsx;
    "stfsux", x(31, 695), "S,a,b", FloatStore, floating_storage::stfsux;
    "stfd", d(54), "S,d(z)", FloatStore, floating_storage::stfd;
    "stfdu", d(55), "S,d(a)", FloatStore, floating_storage::stfdu;
    "stfdx", x(31, 727), "S,z,b", FloatStore, floating_storage::stfdx;
    "stfdux", x(31, 759), "S,a,b", FloatStore, floating_storage::stfdux;
    "stfiwx", x(31, 983), "S,z,b", FloatStore, floating_storage::stfiwx;
}
