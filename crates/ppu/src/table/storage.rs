//! Loads and stores of general registers, cache instructions, and synchronisation.

use super::encoding::{d, ds, x, x_record};
use super::group::rows;
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, cache, storage};
use crate::memory::Memory;

rows! {
    /// Loads.
    Loads;
    "lbz", d(34), "t,d(z)", Load, storage::lbz;
    "lbzu", d(35), "t,d(a)", Load, storage::lbzu;
    "lbzx", x(31, 87), "t,z,b", Load, storage::lbzx;
    "lbzux", x(31, 119), "t,a,b", Load, storage::lbzux;
    "lhz", d(40), "t,d(z)", Load, storage::lhz;
    "lhzu", d(41), "t,d(a)", Load, storage::lhzu;
    "lhzx", x(31, 279), "t,z,b", Load, storage::lhzx;
    "lhzux", x(31, 311), "t,a,b", Load, storage::lhzux;
    "lha", d(42), "t,d(z)", Algebraic, storage::lha;
    "lhau", d(43), "t,d(a)", Algebraic, storage::lhau;
    "lhax", x(31, 343), "t,z,b", Algebraic, storage::lhax;
    "lhaux", x(31, 375), "t,a,b", Algebraic, storage::lhaux;
    "lwz", d(32), "t,d(z)", Load, storage::lwz;
    "lwzu", d(33), "t,d(a)", Load, storage::lwzu;
    "lwzx", x(31, 23), "t,z,b", Load, storage::lwzx;
    "lwzux", x(31, 55), "t,a,b", Load, storage::lwzux;
    "lwa", ds(58, 2), "t,e(z)", Algebraic, storage::lwa;
    "lwax", x(31, 341), "t,z,b", Algebraic, storage::lwax;
    "lwaux", x(31, 373), "t,a,b", Algebraic, storage::lwaux;
    "ld", ds(58, 0), "t,e(z)", Load, storage::ld;
    "ldu", ds(58, 1), "t,e(a)", Load, storage::ldu;
    "ldx", x(31, 21), "t,z,b", Load, storage::ldx;
    "ldux", x(31, 53), "t,a,b", Load, storage::ldux;
    "lhbrx", x(31, 790), "t,z,b", Load, storage::lhbrx;
    "lwbrx", x(31, 534), "t,z,b", Load, storage::lwbrx;
    "ldbrx", x(31, 532), "t,z,b", Load, storage::ldbrx;
    "lmw", d(46), "t,d(z)", Multiple, storage::lmw;
    "lswi", x(31, 597), "t,z,N", Multiple, storage::lswi;
    "lswx", x(31, 533), "t,z,b", Multiple, storage::lswx;
    "lwarx", x(31, 20), "t,z,b", Sync, storage::lwarx;
    "ldarx", x(31, 84), "t,z,b", Sync, storage::ldarx;
}

rows! {
    /// Stores.
    Stores;
    "stb", d(38), "s,d(z)", Store, storage::stb;
    "stbu", d(39), "s,d(a)", Store, storage::stbu;
    "stbx", x(31, 215), "s,z,b", Store, storage::stbx;
    "stbux", x(31, 247), "s,a,b", Store, storage::stbux;
    "sth", d(44), "s,d(z)", Store, storage::sth;
    "sthu", d(45), "s,d(a)", Store, storage::sthu;
    "sthx", x(31, 407), "s,z,b", Store, storage::sthx;
    "sthux", x(31, 439), "s,a,b", Store, storage::sthux;
    "stw", d(36), "s,d(z)", Store, storage::stw;
    "stwu", d(37), "s,d(a)", Store, storage::stwu;
    "stwx", x(31, 151), "s,z,b", Store, storage::stwx;
    "stwux", x(31, 183), "s,a,b", Store, storage::stwux;
    "std", ds(62, 0), "s,e(z)", Store, storage::std;
    "stdu", ds(62, 1), "s,e(a)", Store, storage::stdu;
    "stdx", x(31, 149), "s,z,b", Store, storage::stdx;
    "stdux", x(31, 181), "s,a,b", Store, storage::stdux;
    "sthbrx", x(31, 918), "s,z,b", Store, storage::sthbrx;
    "stwbrx", x(31, 662), "s,z,b", Store, storage::stwbrx;
    "stdbrx", x(31, 660), "s,z,b", Store, storage::stdbrx;
    "stmw", d(47), "s,d(z)", Multiple, storage::stmw;
    "stswi", x(31, 725), "s,z,N", Multiple, storage::stswi;
    "stswx", x(31, 661), "s,z,b", Multiple, storage::stswx;
    "stwcx.", x_record(31, 150), "s,z,b", Sync, storage::stwcx;
    "stdcx.", x_record(31, 214), "s,z,b", Sync, storage::stdcx;
}

rows! {
    /// Caches and synchronisation.
    CacheAndSync;
    "dcbz", x(31, 1014), "z,b", Cache, cache::dcbz;
    "icbi", x(31, 982), "z,b", Cache, cache::icbi;
    "dcbt", x(31, 278), "z,b", Cache, cache::dcbt;
    "dcbtst", x(31, 246), "z,b", Cache, cache::dcbtst;
    "dcbst", x(31, 54), "z,b", Cache, cache::nothing;
    "dcbf", x(31, 86), "z,b", Cache, cache::nothing;
    "sync", x(31, 598).field(9, 10, 0), "", Sync, cache::sync;
    "lwsync", x(31, 598).field(9, 10, 1), "", Sync, cache::nothing;
    "eieio", x(31, 854), "", Sync, cache::nothing;
    "isync", x(19, 150), "", Context, cache::nothing;
}
