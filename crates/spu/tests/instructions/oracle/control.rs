//! Channel instructions, stops, synchronisation, special-purpose registers, and no-operations.

use super::case::{Case, Model, Outcome, w};
use spu::execute::Effect;

pub const MODELS: &[(&str, Model)] = &[
    ("stop", |c| c.leaves(Effect::Stop { code: c.field(18, 14) as u32 })),
    ("stopd", |c| c.leaves(Effect::Stop { code: 0x3fff })),
    ("lnop", |c| c.leaves(Effect::Next)),
    ("nop", |c| c.leaves(Effect::Next)),
    ("sync", |c| c.leaves(Effect::Next)),
    ("dsync", |c| c.leaves(Effect::Next)),
    // An undefined special-purpose register reads as zero, and writes to it have no effect.
    ("mfspr", |c| c.preferred(0)),
    ("mtspr", |c| c.leaves(Effect::Next)),
    // The channel's answer arrives later, so RT does not change yet.
    ("rdch", |c| unanswered(c, Effect::Read { channel: channel(c) })),
    ("rchcnt", |c| unanswered(c, Effect::Count { channel: channel(c) })),
    ("wrch", |c| c.leaves(Effect::Write { channel: channel(c), value: w(&c.rt, 0) as u32 })),
];

fn channel(c: &Case) -> u8 {
    c.field(18, 7) as u8
}

fn unanswered(c: &Case, effect: Effect) -> Outcome {
    Outcome { effect, ..c.gives(c.rt) }
}
