//! Every run must end, or be refused with a one-line message. No executable file and no system call may crash the
//! simulator.

use super::toolchain::execute_until;
use crate::common::synthetic::{
    AT, BYTES, DATA, SC, addi, back_if_not_zero, compare_with_zero, executable, lis, lwz, ori,
};
use proptest::prelude::*;
use std::path::{Path, PathBuf};

/// Limit on bus cycles: a program that still runs at the limit passes the test.
const LIMIT_BUS_CYCLES: u64 = 1 << 20;
/// Number of words that describe a system call: its number and six arguments.
const WORDS: usize = 7;

fn written(file: &[u8]) -> PathBuf {
    let thread = format!("{:?}", std::thread::current().id());
    let name = format!("any-{}-{}", std::process::id(), thread.replace(['(', ')'], "-"));
    let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
    std::fs::write(&path, file).expect("a file");
    path
}

fn ends_or_is_refused(file: &[u8]) {
    let refusal = match execute_until(&written(file), &[], LIMIT_BUS_CYCLES) {
        Ok((outcome, _)) => outcome.line,
        Err(line) => Some(line),
    };
    assert!(refusal.is_none_or(|line| !line.contains('\n')));
}

/// A program that makes the system calls in a table one after another, and then ends.
fn caller(calls: &[[u32; WORDS]]) -> Vec<u8> {
    let mut code = vec![lis(31, (DATA >> 16) as u16), ori(31, DATA as u16), addi(30, 0, calls.len() as i16)];
    let registers = [0, 3, 4, 5, 6, 7, 8];
    let mut turn: Vec<u32> = registers.iter().enumerate().map(|(n, rt)| lwz(*rt, 31, 4 * n as u16)).collect();
    turn.extend([SC, addi(31, 31, 4 * WORDS as i16), addi(30, 30, -1), compare_with_zero(30)]);
    let bytes = 4 * turn.len() as u32;
    code.extend(turn);
    code.extend([back_if_not_zero(bytes), addi(0, 0, 234), addi(3, 0, 0), SC]);
    executable(&code, &calls.concat(), BYTES)
}

/// System call numbers. Calls for memory, threads, signals, time, files and SPEs are most likely to interact.
fn number() -> impl Strategy<Value = u32> {
    let known = prop::sample::select(vec![
        1, 3, 4, 5, 6, 13, 19, 20, 27, 29, 37, 42, 43, 45, 48, 63, 67, 72, 73, 77, 78, 90, 91, 96, 104, 105, 116, 119,
        120, 122, 125, 126, 144, 145, 146, 150, 154, 155, 156, 158, 161, 162, 163, 167, 171, 172, 173, 174, 175, 176,
        177, 178, 185, 190, 192, 202, 205, 206, 207, 208, 221, 222, 223, 232, 236, 237, 238, 240, 241, 242, 244, 246,
        247, 248, 249, 250, 278, 279, 281, 286, 299, 300, 302, 307, 315, 317, 322, 325, 359, 403, 407, 409, 421, 422,
    ]);
    prop_oneof![20 => known, 1 => 0_u32..460]
}

fn argument() -> impl Strategy<Value = u32> {
    let near = (0_u32..0x4000).prop_map(|offset| DATA + (offset & !3));
    let flags = (0_u32..32).prop_map(|bit| 1 << bit);
    let sizes = prop::sample::select(vec![8, 12, 4096, 8192, 65536, 1 << 20, 1 << 31, u32::MAX]);
    let thread = Just(0x0005_0f00 | 0x10_0000 | 0x20_0000);
    let mappings = prop::sample::select(vec![0x22, 0x32, 0x2000_0000, 0xf800_0000, 0xffff_0000, 0x10_0000, AT]);
    prop_oneof![
        6 => 0_u32..12,
        6 => near,
        3 => flags,
        3 => sizes,
        2 => prop::sample::select(vec![1000, 1001, u32::MAX, 0]),
        1 => thread,
        2 => mappings,
        1 => any::<u32>(),
    ]
}

fn call() -> impl Strategy<Value = [u32; WORDS]> {
    (number(), prop::array::uniform6(argument())).prop_map(|(number, a)| [number, a[0], a[1], a[2], a[3], a[4], a[5]])
}

#[test]
fn a_table_of_calls_is_worked_through() {
    // The system calls are getpid, and exit_group with status 7.
    let file = caller(&[[20, 0, 0, 0, 0, 0, 0], [234, 7, 0, 0, 0, 0, 0]]);
    let (outcome, _) = execute_until(&written(&file), &[], LIMIT_BUS_CYCLES).unwrap_or_else(|why| panic!("{why}"));
    assert_eq!((outcome.status, outcome.ppe.system_calls.len()), (Some(7), 2));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn any_calls_end(calls in prop::collection::vec(call(), 1..40)) {
        ends_or_is_refused(&caller(&calls));
    }

    #[test]
    fn any_headers_are_run_or_refused(
        changes in prop::collection::vec((0_usize..84, prop_oneof![any::<u8>(), Just(0), Just(0xff)]), 1..6),
        end in prop_oneof![4 => Just(usize::MAX), 1 => 0_usize..0x1100],
    ) {
        let mut file = caller(&[[20, 0, 0, 0, 0, 0, 0]]);
        for (at, byte) in changes {
            file[at] = byte;
        }
        file.truncate(end);
        ends_or_is_refused(&file);
    }

    #[test]
    fn any_code_ends(code in prop::collection::vec(any::<u32>(), 1..60)) {
        ends_or_is_refused(&executable(&code, &[], BYTES));
    }
}
