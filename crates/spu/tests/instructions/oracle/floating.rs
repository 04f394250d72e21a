//! Tests which elements and FPSCR slices a floating-point instruction uses, and which operand has which role.

use super::case::{Bytes, Case, Model, Outcome, w};
use spu::float::{DoubleSlice, Fpscr, SingleFlags, convert, double, estimate, single};

pub const MODELS: &[(&str, Model)] = &[
    ("fa", |c| singles(c, |[a, b, _], f| single::add(a, b, f))),
    ("fs", |c| singles(c, |[a, b, _], f| single::subtract(a, b, f))),
    ("fm", |c| singles(c, |[a, b, _], f| single::multiply(a, b, f))),
    ("fma", |c| singles(c, |[a, b, c], f| single::multiply_add(a, b, c, f))),
    ("fms", |c| singles(c, |[a, b, c], f| single::multiply_subtract(a, b, c, f))),
    ("fnms", |c| singles(c, |[a, b, c], f| single::negative_multiply_subtract(a, b, c, f))),
    ("frest", |c| singles(c, |[a, ..], f| estimate::reciprocal(a, f))),
    ("frsqest", |c| singles(c, |[a, ..], f| estimate::reciprocal_root(a, f))),
    ("fi", |c| singles(c, |[a, b, _], f| estimate::interpolate(a, b, f))),
    ("csflt", |c| singles(c, |[a, ..], f| convert::signed_to_single(a, 155 - scale_field(c), f))),
    ("cuflt", |c| singles(c, |[a, ..], f| convert::unsigned_to_single(a, 155 - scale_field(c), f))),
    ("cflts", |c| singles(c, |[a, ..], _| convert::single_to_signed(a, 173 - scale_field(c)))),
    ("cfltu", |c| singles(c, |[a, ..], _| convert::single_to_unsigned(a, 173 - scale_field(c)))),
    ("fceq", |c| singles(c, |[a, b, _], _| mask(single::compare_equal(a, b)) as u32)),
    ("fcmeq", |c| singles(c, |[a, b, _], _| mask(single::compare_magnitude_equal(a, b)) as u32)),
    ("fcgt", |c| singles(c, |[a, b, _], _| mask(single::compare_greater(a, b)) as u32)),
    ("fcmgt", |c| singles(c, |[a, b, _], _| mask(single::compare_magnitude_greater(a, b)) as u32)),
    ("dfa", |c| doubles(c, |[_, a, b], s| double::add(a, b, s))),
    ("dfs", |c| doubles(c, |[_, a, b], s| double::subtract(a, b, s))),
    ("dfm", |c| doubles(c, |[_, a, b], s| double::multiply(a, b, s))),
    ("dfma", |c| doubles(c, |[t, a, b], s| double::multiply_add(a, b, t, s))),
    ("dfms", |c| doubles(c, |[t, a, b], s| double::multiply_subtract(a, b, t, s))),
    ("dfnma", |c| doubles(c, |[t, a, b], s| double::negative_multiply_add(a, b, t, s))),
    ("dfnms", |c| doubles(c, |[t, a, b], s| double::negative_multiply_subtract(a, b, t, s))),
    // For both conversions, the single is the left word of its doubleword.
    ("fesd", |c| doubles(c, |[_, a, _], s| convert::single_to_double((a >> 32) as u32, s))),
    ("frds", |c| doubles(c, |[_, a, _], s| u64::from(convert::double_to_single(a, s)) << 32)),
    ("dfceq", |c| doubles(c, |[_, a, b], _| mask(double::compare_equal(a, b)))),
    ("dfcmeq", |c| doubles(c, |[_, a, b], _| mask(double::compare_magnitude_equal(a, b)))),
    ("dfcgt", |c| doubles(c, |[_, a, b], _| mask(double::compare_greater(a, b)))),
    ("dfcmgt", |c| doubles(c, |[_, a, b], _| mask(double::compare_magnitude_greater(a, b)))),
    ("dftsv", |c| doubles(c, |[_, a, _], _| mask(double::test_special_value(a, c.field(11, 7) as u32)))),
    ("fscrrd", |c| c.gives(c.fpscr.read().to_be_bytes())),
    ("fscrwr", |c| Outcome { fpscr: Fpscr::write(u128::from_be_bytes(c.ra)), ..c.leaves(spu::execute::Effect::Next) }),
];

/// Applies `f` to each group of corresponding words of RA, RB and RC, and to the flags of the group's slice.
fn singles(c: &Case, f: impl Fn([u32; 3], &mut SingleFlags) -> u32) -> Outcome {
    let mut fpscr = c.fpscr;
    let results: [u32; 4] = std::array::from_fn(|i| {
        let operands = [&c.ra, &c.rb, &c.rc].map(|register| w(register, i) as u32);
        f(operands, &mut fpscr.single[i])
    });
    Outcome { fpscr, ..c.words(|i| i64::from(results[i])) }
}

/// Applies `f` to each group of corresponding doublewords of RT, RA and RB, and to the group's slice.
fn doubles(c: &Case, f: impl Fn([u64; 3], &mut DoubleSlice) -> u64) -> Outcome {
    let mut fpscr = c.fpscr;
    let results: [u64; 2] = std::array::from_fn(|i| {
        let operands = [&c.rt, &c.ra, &c.rb].map(|register| doubleword(register, i));
        f(operands, &mut fpscr.double[i])
    });
    Outcome { fpscr, ..c.doublewords(|i| results[i] as i64) }
}

fn doubleword(register: &Bytes, i: usize) -> u64 {
    (w(register, 2 * i) as u64) << 32 | w(register, 2 * i + 1) as u64
}

/// The 8-bit immediate of a conversion.
fn scale_field(c: &Case) -> i32 {
    c.field(10, 8) as i32
}

fn mask(holds: bool) -> u64 {
    if holds { u64::MAX } else { 0 }
}
