//! Comparisons and conditional halts.

use super::case::{Case, Model, Outcome, b, h, sb, sh, signed, sw, w};
use spu::execute::Effect;

pub const MODELS: &[(&str, Model)] = &[
    ("ceqb", |c| c.bytes(|i| mask(b(&c.ra, i) == b(&c.rb, i)))),
    ("ceqbi", |c| c.bytes(|i| mask(b(&c.ra, i) == c.i10() & 0xff))),
    ("ceqh", |c| c.halfwords(|i| mask(h(&c.ra, i) == h(&c.rb, i)))),
    ("ceqhi", |c| c.halfwords(|i| mask(sh(&c.ra, i) == c.i10()))),
    ("ceq", |c| c.words(|i| mask(w(&c.ra, i) == w(&c.rb, i)))),
    ("ceqi", |c| c.words(|i| mask(sw(&c.ra, i) == c.i10()))),
    ("cgtb", |c| c.bytes(|i| mask(sb(&c.ra, i) > sb(&c.rb, i)))),
    ("cgtbi", |c| c.bytes(|i| mask(sb(&c.ra, i) > signed(c.i10(), 8)))),
    ("cgth", |c| c.halfwords(|i| mask(sh(&c.ra, i) > sh(&c.rb, i)))),
    ("cgthi", |c| c.halfwords(|i| mask(sh(&c.ra, i) > c.i10()))),
    ("cgt", |c| c.words(|i| mask(sw(&c.ra, i) > sw(&c.rb, i)))),
    ("cgti", |c| c.words(|i| mask(sw(&c.ra, i) > c.i10()))),
    ("clgtb", |c| c.bytes(|i| mask(b(&c.ra, i) > b(&c.rb, i)))),
    ("clgtbi", |c| c.bytes(|i| mask(b(&c.ra, i) > c.i10() & 0xff))),
    ("clgth", |c| c.halfwords(|i| mask(h(&c.ra, i) > h(&c.rb, i)))),
    ("clgthi", |c| c.halfwords(|i| mask(h(&c.ra, i) > c.i10() & 0xffff))),
    ("clgt", |c| c.words(|i| mask(w(&c.ra, i) > w(&c.rb, i)))),
    ("clgti", |c| c.words(|i| mask(w(&c.ra, i) > c.i10() & 0xffff_ffff))),
    ("heq", |c| halt(c, w(&c.ra, 0) == w(&c.rb, 0))),
    ("heqi", |c| halt(c, sw(&c.ra, 0) == c.i10())),
    ("hgt", |c| halt(c, sw(&c.ra, 0) > sw(&c.rb, 0))),
    ("hgti", |c| halt(c, sw(&c.ra, 0) > c.i10())),
    ("hlgt", |c| halt(c, w(&c.ra, 0) > w(&c.rb, 0))),
    ("hlgti", |c| halt(c, w(&c.ra, 0) > c.i10() & 0xffff_ffff)),
];

fn mask(holds: bool) -> i64 {
    if holds { -1 } else { 0 }
}

fn halt(c: &Case, condition: bool) -> Outcome {
    c.leaves(if condition { Effect::Halt } else { Effect::Next })
}
