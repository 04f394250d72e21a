//! Loads, stores, and the shuffle controls that insert a scalar into a quadword.

use super::case::{Case, Model, Outcome, STORE_MASK, memory, w};
use spu::execute::Effect;

pub const MODELS: &[(&str, Model)] = &[
    ("lqd", |c| load(c, c.i10() * 16 + w(&c.ra, 0))),
    ("lqx", |c| load(c, w(&c.ra, 0) + w(&c.rb, 0))),
    ("lqa", |c| load(c, c.i16() * 4)),
    ("lqr", |c| load(c, c.i16() * 4 + i64::from(c.pc))),
    ("stqd", |c| store(c, c.i10() * 16 + w(&c.ra, 0))),
    ("stqx", |c| store(c, w(&c.ra, 0) + w(&c.rb, 0))),
    ("stqa", |c| store(c, c.i16() * 4)),
    ("stqr", |c| store(c, c.i16() * 4 + i64::from(c.pc))),
    ("cbd", |c| insertion(c, w(&c.ra, 0) + c.i7(), 1)),
    ("cbx", |c| insertion(c, w(&c.ra, 0) + w(&c.rb, 0), 1)),
    ("chd", |c| insertion(c, w(&c.ra, 0) + c.i7(), 2)),
    ("chx", |c| insertion(c, w(&c.ra, 0) + w(&c.rb, 0), 2)),
    ("cwd", |c| insertion(c, w(&c.ra, 0) + c.i7(), 4)),
    ("cwx", |c| insertion(c, w(&c.ra, 0) + w(&c.rb, 0), 4)),
    ("cdd", |c| insertion(c, w(&c.ra, 0) + c.i7(), 8)),
    ("cdx", |c| insertion(c, w(&c.ra, 0) + w(&c.rb, 0), 8)),
];

fn load(c: &Case, address: i64) -> Outcome {
    let at = quadword_address(address) as usize;
    c.gives(memory()[at..at + 16].try_into().unwrap())
}

fn store(c: &Case, address: i64) -> Outcome {
    let at = quadword_address(address);
    let before = &memory()[at as usize..at as usize + 16];
    let memory = (before != c.rt).then_some((at, c.rt));
    Outcome { memory, ..c.leaves(Effect::Next) }
}

/// The quadword's address: LSLR wraps addresses, and the last four bits are ignored.
fn quadword_address(address: i64) -> u32 {
    address as u32 & STORE_MASK & !15
}

/// Shuffle controls that select the bytes of the second operand, except for one element. For that element, the controls
/// select the preferred slot of the first operand.
fn insertion(c: &Case, address: i64, element_bytes: i64) -> Outcome {
    let offset = address.rem_euclid(16) / element_bytes * element_bytes;
    let scalar = if element_bytes < 4 { 4 - element_bytes } else { 0 };
    c.bytes(|i| {
        let within = i as i64 - offset;
        if (0..element_bytes).contains(&within) { scalar + within } else { 16 + i as i64 }
    })
}
