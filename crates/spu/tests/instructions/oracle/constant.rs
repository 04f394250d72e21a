//! Immediate loads.

use super::case::{Model, w};

pub const MODELS: &[(&str, Model)] = &[
    ("ilh", |c| c.halfwords(|_| c.i16())),
    ("ilhu", |c| c.words(|_| c.i16() * 65536)),
    ("il", |c| c.words(|_| c.i16())),
    ("ila", |c| c.words(|_| c.field(7, 18))),
    ("iohl", |c| c.words(|i| w(&c.rt, i) | c.field(9, 16))),
    ("fsmbi", |c| c.bytes(|i| -c.field(9 + i as u32, 1))),
];
