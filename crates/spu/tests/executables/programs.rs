//! Tests whether a compiled program computes the same results as the host.
//!
//! The test executes `programs/checks/arithmetic.c` instruction by instruction, without pipelines or a machine. The
//! host computes the same results: with IEEE arithmetic where the SPU follows IEEE, and with truncated doubles for
//! single precision.

use cell::store::LocalStore;
use spu::execute::{Effect, execute};
use spu::float::Fpscr;
use spu::{Quadword, Registers, decode};

const STORE_BYTES: u64 = 256 * 1024;
/// The address at which the linker places the program's results, and the number of results of each kind.
const RESULTS: u64 = 0x30000;
const COUNT: usize = 64;
/// The maximum number of instructions, which is far more than the program executes.
const INSTRUCTIONS_MAX: u64 = 100_000_000;

/// Runs an executable until a stop instruction. Returns the local store and the stop-and-signal type.
fn run(elf: &[u8]) -> (LocalStore, u32) {
    let mut store = LocalStore::new(STORE_BYTES, 1024);
    let half = |at: usize| usize::from(u16::from_be_bytes(elf[at..at + 2].try_into().unwrap()));
    let word = |at: usize| u32::from_be_bytes(elf[at..at + 4].try_into().unwrap()) as usize;
    let (table, size, count) = (word(28), half(42), half(44));
    for header in (0..count).map(|k| table + k * size).filter(|&header| word(header) == 1) {
        let (offset, address, bytes) = (word(header + 4), word(header + 8), word(header + 16));
        store.write(address as u64, &elf[offset..offset + bytes]);
    }
    let mut pc = word(24) as u32;
    let mut registers = Registers::default();
    registers.set(1, Quadword::splat(STORE_BYTES as u32 - 16));
    let mut fpscr = Fpscr::default();
    for _ in 0..INSTRUCTIONS_MAX {
        let code = store.read_u32(u64::from(pc));
        let instruction = decode(code).unwrap_or_else(|| panic!("{pc:05x}: {code:08x} is no instruction"));
        match execute(&instruction, pc, &mut registers, &mut fpscr, &mut store) {
            Effect::Next => pc += 4,
            Effect::Branch { target, .. } => pc = target,
            Effect::Stop { code } => return (store, code),
            other => panic!("{pc:05x}: {other:?}"),
        }
    }
    panic!("the program does not end");
}

/// The program's results: one column for each member of the program's `struct results`, in the order of the members.
struct Columns<'a> {
    store: &'a LocalStore,
    address: u64,
}

impl Columns<'_> {
    fn bytes<const N: usize>(&mut self) -> Vec<[u8; N]> {
        let column = self.store.bytes(self.address, N * COUNT);
        self.address += column.len() as u64;
        column.chunks(N).map(|bytes| bytes.try_into().unwrap()).collect()
    }

    fn doubles(&mut self) -> Vec<f64> {
        self.bytes().into_iter().map(f64::from_be_bytes).collect()
    }

    fn singles(&mut self) -> Vec<f32> {
        self.bytes().into_iter().map(f32::from_be_bytes).collect()
    }
}

/// A double truncated to the precision of a single.
fn cut(x: f64) -> f32 {
    f64::from_bits(x.to_bits() & !0 << 29) as f32
}

/// Whether `x` and `y` differ by at most `units` units in the last place of `y`.
fn close(x: f64, y: f64, units: f64) -> bool {
    (x - y).abs() <= units * (f64::from_bits(y.abs().to_bits() + 1) - y.abs())
}

fn close_single(x: f32, y: f32, units: u32) -> bool {
    x.to_bits().abs_diff(y.to_bits()) <= units
}

#[test]
fn arithmetic_in_c_is_that_of_the_host() {
    let (store, code) = run(include_bytes!("../../../../programs/checks/arithmetic.elf"));
    assert_eq!(code, 0x2000, "exit status 0");
    let mut columns = Columns { store: &store, address: RESULTS };
    let [sum, quotient, root, exponential, sine, logarithm, from_text] = std::array::from_fn(|_| columns.doubles());
    let integer_quotient: Vec<i64> = columns.bytes().into_iter().map(i64::from_be_bytes).collect();
    let [single_sum, single_product, single_quotient, single_root, narrowed] =
        std::array::from_fn(|_| columns.singles());
    let truncated: Vec<i32> = columns.bytes().into_iter().map(i32::from_be_bytes).collect();
    let unsigned: Vec<u32> = columns.bytes().into_iter().map(u32::from_be_bytes).collect();
    let text: Vec<[u8; 32]> = columns.bytes();

    let mut state = 1u32;
    let mut next = || {
        state = state.wrapping_mul(1_664_525).wrapping_add(1_013_904_223);
        state as i32
    };
    let mut running = 0.0;
    for i in 0..COUNT {
        let (n, m) = (next(), next() >> 8);
        let (x, y) = (f64::from(n) / 65536.0, f64::from(m) / 1024.0);
        let magnitude = x.abs() + 1.0;
        let (a, b) = (f64::from(n >> 8), f64::from(m));
        running = running * 0.75 + x * y;
        assert_eq!(sum[i], running, "sum {i}");
        assert_eq!(quotient[i], x / y, "quotient {i}");
        assert_eq!(root[i], magnitude.sqrt(), "root {i}");
        assert!(close(exponential[i], (y / 1024.0).exp(), 2.0), "exp {}: {:?}", y / 1024.0, exponential[i]);
        assert!(close(sine[i], x.sin(), 2.0), "sin {x}: {:?} {:?}", sine[i], x.sin());
        assert!(close(logarithm[i], magnitude.ln(), 2.0), "log {magnitude}: {:?}", logarithm[i]);
        assert_eq!(integer_quotient[i], (i64::from(n) << 20) / i64::from(m), "integer quotient {i}");

        assert_eq!(single_sum[i], cut(f64::from(cut(a * 4096.0)) + b), "single sum {i}");
        assert_eq!(single_product[i], cut(a * b), "single product {i}");
        assert_eq!(single_quotient[i], cut(a / b), "single quotient {i}");
        let truncated_root = cut(f64::from(magnitude as f32).sqrt());
        assert!(close_single(single_root[i], truncated_root, 1), "sqrtf {magnitude}: {:?}", single_root[i]);
        assert_eq!(narrowed[i], x as f32, "narrowed {i}");
        let scaled = f64::from(cut(a * 0.6875));
        assert_eq!(truncated[i], scaled as i32, "truncated {i}");
        assert_eq!(unsigned[i], f64::from(cut(a.abs() * 511.0)) as u32, "truncated, unsigned {i}");

        let digits = text[i].split(|&byte| byte == 0).next().unwrap();
        let read: f64 = std::str::from_utf8(digits).unwrap().parse().expect("a number");
        assert_eq!(read, quotient[i], "text {i}");
        assert_eq!(from_text[i], quotient[i], "text to number {i}");
    }
}
