//! Branches, and branch hints, which affect only timing.

use super::case::{Case, Model, Outcome, STORE_MASK, h, w};
use spu::execute::Effect;

pub const MODELS: &[(&str, Model)] = &[
    ("br", |c| c.leaves(go(relative(c)))),
    ("bra", |c| c.leaves(go(c.i16() * 4))),
    ("brsl", |c| Outcome { effect: go(relative(c)), ..link(c) }),
    ("brasl", |c| Outcome { effect: go(c.i16() * 4), ..link(c) }),
    ("bi", |c| c.leaves(indirect(c))),
    ("iret", |c| c.leaves(Effect::ReturnFromInterrupt { interrupts: interrupts(c) })),
    ("bisl", |c| Outcome { effect: indirect(c), ..link(c) }),
    ("bisled", |c| {
        let effect = Effect::BranchIfEvent { target: instruction_address(w(&c.ra, 0)), interrupts: interrupts(c) };
        Outcome { effect, ..link(c) }
    }),
    ("brnz", |c| when(c, w(&c.rt, 0) != 0, go(relative(c)))),
    ("brz", |c| when(c, w(&c.rt, 0) == 0, go(relative(c)))),
    ("brhnz", |c| when(c, h(&c.rt, 1) != 0, go(relative(c)))),
    ("brhz", |c| when(c, h(&c.rt, 1) == 0, go(relative(c)))),
    ("binz", |c| when(c, w(&c.rt, 0) != 0, indirect(c))),
    ("biz", |c| when(c, w(&c.rt, 0) == 0, indirect(c))),
    ("bihnz", |c| when(c, h(&c.rt, 1) != 0, indirect(c))),
    ("bihz", |c| when(c, h(&c.rt, 1) == 0, indirect(c))),
    ("hbr", |c| c.leaves(Effect::Next)),
    ("hbra", |c| c.leaves(Effect::Next)),
    ("hbrr", |c| c.leaves(Effect::Next)),
];

fn relative(c: &Case) -> i64 {
    i64::from(c.pc) + c.i16() * 4
}

/// Converts an address to an instruction address: aligned to a word, and wrapped at the size of the local store.
fn instruction_address(address: i64) -> u32 {
    address as u32 & STORE_MASK & !3
}

fn go(address: i64) -> Effect {
    Effect::Branch { target: instruction_address(address), interrupts: None }
}

fn indirect(c: &Case) -> Effect {
    Effect::Branch { target: instruction_address(w(&c.ra, 0)), interrupts: interrupts(c) }
}

/// Bit 12 disables interrupts and bit 13 enables them. Both bits together have no effect.
fn interrupts(c: &Case) -> Option<bool> {
    match (c.field(12, 1), c.field(13, 1)) {
        (1, 0) => Some(false),
        (0, 1) => Some(true),
        _ => None,
    }
}

/// Sets RT's preferred word to the address of the next instruction.
fn link(c: &Case) -> Outcome {
    c.preferred(i64::from((c.pc + 4) & STORE_MASK))
}

fn when(c: &Case, condition: bool, effect: Effect) -> Outcome {
    c.leaves(if condition { effect } else { Effect::Next })
}
