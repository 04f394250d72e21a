//! Integer addition, subtraction, multiplication, bit counts, averages and sign extension.

use super::case::{Bytes, Case, Model, b, h, sb, sh, sw, w};

pub const MODELS: &[(&str, Model)] = &[
    ("ah", |c| c.halfwords(|i| h(&c.ra, i) + h(&c.rb, i))),
    ("ahi", |c| c.halfwords(|i| h(&c.ra, i) + c.i10())),
    ("a", |c| c.words(|i| w(&c.ra, i) + w(&c.rb, i))),
    ("ai", |c| c.words(|i| w(&c.ra, i) + c.i10())),
    ("sfh", |c| c.halfwords(|i| h(&c.rb, i) - h(&c.ra, i))),
    ("sfhi", |c| c.halfwords(|i| c.i10() - h(&c.ra, i))),
    ("sf", |c| c.words(|i| w(&c.rb, i) - w(&c.ra, i))),
    ("sfi", |c| c.words(|i| c.i10() - w(&c.ra, i))),
    ("addx", |c| c.words(|i| w(&c.ra, i) + w(&c.rb, i) + carry_in(c, i))),
    ("cg", |c| c.words(|i| (w(&c.ra, i) + w(&c.rb, i)) >> 32)),
    ("cgx", |c| c.words(|i| (w(&c.ra, i) + w(&c.rb, i) + carry_in(c, i)) >> 32)),
    ("sfx", |c| c.words(|i| w(&c.rb, i) + complement(&c.ra, i) + carry_in(c, i))),
    ("bg", |c| c.words(|i| i64::from(w(&c.ra, i) <= w(&c.rb, i)))),
    ("bgx", |c| c.words(|i| (w(&c.rb, i) + complement(&c.ra, i) + carry_in(c, i)) >> 32)),
    ("mpy", |c| c.words(|i| sh(&c.ra, 2 * i + 1) * sh(&c.rb, 2 * i + 1))),
    ("mpyu", |c| c.words(|i| h(&c.ra, 2 * i + 1) * h(&c.rb, 2 * i + 1))),
    ("mpyi", |c| c.words(|i| sh(&c.ra, 2 * i + 1) * c.i10())),
    ("mpyui", |c| c.words(|i| h(&c.ra, 2 * i + 1) * (c.i10() & 0xffff))),
    ("mpya", |c| c.words(|i| sh(&c.ra, 2 * i + 1) * sh(&c.rb, 2 * i + 1) + w(&c.rc, i))),
    ("mpyh", |c| c.words(|i| (sh(&c.ra, 2 * i) * sh(&c.rb, 2 * i + 1)) << 16)),
    ("mpys", |c| c.words(|i| (sh(&c.ra, 2 * i + 1) * sh(&c.rb, 2 * i + 1)) >> 16)),
    ("mpyhh", |c| c.words(|i| sh(&c.ra, 2 * i) * sh(&c.rb, 2 * i))),
    ("mpyhha", |c| c.words(|i| sh(&c.ra, 2 * i) * sh(&c.rb, 2 * i) + w(&c.rt, i))),
    ("mpyhhu", |c| c.words(|i| h(&c.ra, 2 * i) * h(&c.rb, 2 * i))),
    ("mpyhhau", |c| c.words(|i| h(&c.ra, 2 * i) * h(&c.rb, 2 * i) + w(&c.rt, i))),
    ("clz", |c| c.words(|i| (0..32).find(|n| w(&c.ra, i) >> (31 - n) & 1 == 1).unwrap_or(32))),
    ("cntb", |c| c.bytes(|i| (0..8).map(|n| b(&c.ra, i) >> n & 1).sum())),
    ("avgb", |c| c.bytes(|i| (b(&c.ra, i) + b(&c.rb, i) + 1) / 2)),
    ("absdb", |c| c.bytes(|i| (b(&c.ra, i) - b(&c.rb, i)).abs())),
    ("sumb", |c| c.halfwords(|i| byte_sum(if i % 2 == 0 { &c.rb } else { &c.ra }, i / 2))),
    ("xsbh", |c| c.halfwords(|i| sb(&c.ra, 2 * i + 1))),
    ("xshw", |c| c.words(|i| sh(&c.ra, 2 * i + 1))),
    ("xswd", |c| c.doublewords(|i| sw(&c.ra, 2 * i + 1))),
];

/// The carry input, which is bit 31 of word i of RT.
fn carry_in(c: &Case, i: usize) -> i64 {
    w(&c.rt, i) % 2
}

fn complement(register: &Bytes, i: usize) -> i64 {
    0xffff_ffff - w(register, i)
}

/// The sum of the four bytes of word i.
fn byte_sum(register: &Bytes, i: usize) -> i64 {
    (0..4).map(|k| b(register, 4 * i + k)).sum()
}
