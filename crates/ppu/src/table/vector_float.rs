//! VMX rows: floating point, loads and stores.

use super::encoding::{OE as DOT, va, vx, x};
use super::group::{recording, rows};
use super::row::Row;
use crate::class::Class;
use crate::execute::{Computation, vector, vector_storage};
use crate::memory::Memory;

rows! {
    /// Floating point.
    Float;
    "vaddfp", vx(10), "V,X,Y", VectorFloat, vector::vaddfp;
    "vsubfp", vx(74), "V,X,Y", VectorFloat, vector::vsubfp;
    "vmaxfp", vx(1034), "V,X,Y", VectorFloat, vector::vmaxfp;
    "vminfp", vx(1098), "V,X,Y", VectorFloat, vector::vminfp;
    "vmaddfp", va(46), "V,X,Z,Y", VectorFloat, vector::vmaddfp;
    "vnmsubfp", va(47), "V,X,Z,Y", VectorFloat, vector::vnmsubfp;
    "vrfin", vx(522), "V,Y", VectorFloat, vector::vrfin;
    "vrfiz", vx(586), "V,Y", VectorFloat, vector::vrfiz;
    "vrfip", vx(650), "V,Y", VectorFloat, vector::vrfip;
    "vrfim", vx(714), "V,Y", VectorFloat, vector::vrfim;
    "vrefp", vx(266), "V,Y", VectorEstimate, vector::vrefp;
    "vrsqrtefp", vx(330), "V,Y", VectorEstimate, vector::vrsqrtefp;
    "vlogefp", vx(458), "V,Y", VectorEstimate, vector::vlogefp;
    "vexptefp", vx(394), "V,Y", VectorEstimate, vector::vexptefp;
    "vcfux", vx(778), "V,Y,J", VectorFloat, vector::vcfux;
    "vcfsx", vx(842), "V,Y,J", VectorFloat, vector::vcfsx;
    "vctuxs", vx(906), "V,Y,J", VectorFloat, vector::vctuxs;
    "vctsxs", vx(970), "V,Y,J", VectorFloat, vector::vctsxs;
}

recording! {
    /// Vector floating-point comparisons. Forms with a dot record in condition field 6.
    Comparisons, DOT;
    "vcmpeqfp", vx(198), "V,X,Y", VectorFloat, vector::vcmpeqfp;
    "vcmpgefp", vx(454), "V,X,Y", VectorFloat, vector::vcmpgefp;
    "vcmpgtfp", vx(710), "V,X,Y", VectorFloat, vector::vcmpgtfp;
    "vcmpbfp", vx(966), "V,X,Y", VectorFloat, vector::vcmpbfp;
}

rows! {
    /// Moves to and from the vector status and control register.
    Status;
    "mfvscr", vx(1540), "V", VectorStatus, vector::mfvscr;
    "mtvscr", vx(1604), "Y", VectorStatus, vector::mtvscr;
}

rows! {
    /// Loads and stores.
    Storage;
    "lvebx", x(31, 7), "V,z,b", VectorLoad, vector_storage::lvebx;
    "lvehx", x(31, 39), "V,z,b", VectorLoad, vector_storage::lvehx;
    "lvewx", x(31, 71), "V,z,b", VectorLoad, vector_storage::lvewx;
    "lvx", x(31, 103), "V,z,b", VectorLoad, vector_storage::lvx;
    "lvxl", x(31, 359), "V,z,b", VectorLoad, vector_storage::lvx;
    "lvsl", x(31, 6), "V,z,b", VectorPermute, vector_storage::lvsl;
    "lvsr", x(31, 38), "V,z,b", VectorPermute, vector_storage::lvsr;
    "lvlx", x(31, 519), "V,z,b", VectorLoad, vector_storage::lvlx;
    "lvlxl", x(31, 775), "V,z,b", VectorLoad, vector_storage::lvlx;
    "lvrx", x(31, 551), "V,z,b", VectorLoad, vector_storage::lvrx;
    "lvrxl", x(31, 807), "V,z,b", VectorLoad, vector_storage::lvrx;
    "stvebx", x(31, 135), "V,z,b", VectorStore, vector_storage::stvebx;
    "stvehx", x(31, 167), "V,z,b", VectorStore, vector_storage::stvehx;
    "stvewx", x(31, 199), "V,z,b", VectorStore, vector_storage::stvewx;
    "stvx", x(31, 231), "V,z,b", VectorStore, vector_storage::stvx;
    "stvxl", x(31, 487), "V,z,b", VectorStore, vector_storage::stvx;
    "stvlx", x(31, 647), "V,z,b", VectorStore, vector_storage::stvlx;
    "stvlxl", x(31, 903), "V,z,b", VectorStore, vector_storage::stvlx;
    "stvrx", x(31, 679), "V,z,b", VectorStore, vector_storage::stvrx;
    "stvrxl", x(31, 935), "V,z,b", VectorStore, vector_storage::stvrx;
}

rows! {
    /// Data stream hints.
    Streams;
    "dst", x(31, 342).field(6, 6, 0), "a,b,q", Cache, vector_storage::nothing;
    "dstt", x(31, 342).field(6, 6, 1), "a,b,q", Cache, vector_storage::nothing;
    "dstst", x(31, 374).field(6, 6, 0), "a,b,q", Cache, vector_storage::nothing;
    "dststt", x(31, 374).field(6, 6, 1), "a,b,q", Cache, vector_storage::nothing;
    "dss", x(31, 822).field(6, 6, 0), "q", Cache, vector_storage::nothing;
    "dssall", x(31, 822).field(6, 6, 1), "", Cache, vector_storage::nothing;
}
