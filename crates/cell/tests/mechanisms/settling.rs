//! Settling: which loops are skipped, and what is left of them.

use crate::common::{Check, Ran, board, reg_ea, wait};
use cell::coroutine::Spu;
use cell::ea::register::SPU_SIG_NOTIFY_1;
use cell::record::{Outcome, Record};

/// Iterations of a loop: the parts that are compared are iterations 2 and 3, and iterations 4 to 7.
const N: u64 = 64;

/// Runs a measured loop of `n` iterations, the `nth` of which computes for `cycles(nth)` SPU cycles.
async fn computing(spu: Spu, n: u64, cycles: impl Fn(u64) -> u64) -> u32 {
    spu.spu_write_decrementer(u32::MAX).await;
    let mut iterations = spu.iterations(n);
    let mut made = 0;
    while iterations.next().await {
        spu.compute(cycles(n - 1 - iterations.left())).await;
        made += 1;
    }
    spu.spu_read_decrementer().await;
    made
}

fn outcome(record: &Record) -> Outcome {
    record.settling.as_ref().expect("a run that may settle").outcome
}

/// The end of a loop of one program, which takes `cycles(nth)`.
fn one(n: u64, cycles: impl Fn(u64) -> u64 + Copy + 'static) -> Ran {
    Check::on(&board()).spu(move |spu| computing(spu, n, cycles)).settling().run()
}

#[test]
fn a_steady_loop_is_skipped_from_its_eighth_and_ends_when_it_would() {
    let settled = one(N, |_| 1000);
    let Outcome::Settled(after) = outcome(&settled.record) else { panic!("{:?}", settled.record.settling) };
    assert!((8_000..8_100).contains(&after), "{after}");
    assert_eq!(settled.code(0), 8 + 2, "an eighth, and the two last iterations");
    let exact = Check::on(&board()).spu(|spu| computing(spu, N, |_| 1000)).run();
    let ends = [&settled, &exact].map(|ran| ran.record.threads[0].stopped_at_spu_cycle);
    assert!(ends[0].abs_diff(ends[1]) <= 2, "{ends:?}");
}

#[test]
fn two_parts_agree_within_two_per_mille_and_not_beyond() {
    let later = |cycles| move |nth| if nth < 4 { 10_000 } else { cycles };
    assert!(matches!(outcome(&one(N, later(10_019)).record), Outcome::Settled(_)));
    assert_eq!(outcome(&one(N, later(10_021)).record), Outcome::Unsettled);
    assert!(matches!(outcome(&one(N, later(9_981)).record), Outcome::Settled(_)));
    assert_eq!(outcome(&one(N, later(9_979)).record), Outcome::Unsettled);
}

#[test]
fn start_up_before_the_first_part_is_no_part_of_the_pace() {
    let settled = one(N, |nth| if nth < 2 { 70_000 } else { 1000 });
    assert!(matches!(outcome(&settled.record), Outcome::Settled(_)));
    let end = settled.record.threads[0].stopped_at_spu_cycle;
    assert!(end.abs_diff(2 * 70_000 + (N - 2) * 1000) < 100, "{end}");
}

#[test]
fn an_unsettled_loop_is_run_in_full() {
    let uneven = |nth: u64| 1000 + 300 * (nth % 5) + nth;
    let ran = one(N, uneven);
    assert_eq!((outcome(&ran.record), ran.code(0)), (Outcome::Unsettled, N as u32));
    let exact = Check::on(&board()).spu(move |spu| computing(spu, N, uneven)).run();
    assert_eq!(ran.record.bus_cycles, exact.record.bus_cycles);
}

#[test]
fn programs_settle_if_their_paces_differ_by_one_in_a_hundred_and_no_more() {
    let both = |cycles| {
        let check = Check::on(&board()).spu(|spu| computing(spu, N, |_| 10_000));
        check.spu(move |spu| computing(spu, N, move |_| cycles)).settling().run()
    };
    let settled = both(10_099);
    assert!(matches!(outcome(&settled.record), Outcome::Settled(_)));
    let made = [settled.code(0), settled.code(1)];
    assert!(made.iter().all(|made| *made < 14), "both skip: {made:?}");
    assert_eq!(outcome(&both(10_101).record), Outcome::Unsettled);
}

#[test]
fn a_loop_of_fewer_than_sixty_four_iterations_is_not_judged() {
    let short = one(N - 1, |_| 1000);
    assert_eq!((outcome(&short.record), short.code(0)), (Outcome::Exact, N as u32 - 1));
}

#[test]
fn loops_of_different_lengths_are_run_in_full() {
    let check = Check::on(&board()).spu(|spu| computing(spu, N, |_| 1000));
    let ran = check.spu(|spu| computing(spu, 2 * N, |_| 1000)).settling().run();
    assert_eq!((outcome(&ran.record), ran.code(0), ran.code(1)), (Outcome::Unsettled, 64, 128));
}

#[test]
fn a_loop_that_repeats_exactly_is_exact() {
    let steady = |fast_forward: bool| {
        let mut check = Check::on(&board()).spu(|spu| computing(spu, 1000, |_| 1000)).settling();
        if fast_forward {
            check = check.fast_forward();
        }
        check.run().record
    };
    assert!(matches!(outcome(&steady(false)), Outcome::Settled(_)));
    assert_eq!(outcome(&steady(true)), Outcome::Exact);
}

/// Two threads that signal each other in each iteration; one of them takes times that hardly differ and never repeat.
fn in_step() -> Check {
    const ITERATIONS: u64 = 640;
    let machine = board();
    let mut check = Check::on(&machine);
    for thread in 0..2u8 {
        let partner = reg_ea(&machine, 1 - thread, SPU_SIG_NOTIFY_1);
        check = check.spu(move |spu| async move {
            spu.spu_write_decrementer(u32::MAX).await;
            let mut iterations = spu.iterations(ITERATIONS);
            let mut made = 0;
            while iterations.next().await {
                let nth = ITERATIONS - iterations.left();
                spu.compute(20_000 + u64::from(thread) * (nth * nth % 11)).await;
                spu.ls().write_u32(0x200c, 1);
                spu.mfc_sndsig(0x200c, partner, 0).await;
                wait(&spu, 0).await;
                spu.spu_read_signal1().await;
                made += 1;
            }
            spu.spu_read_decrementer().await;
            made
        });
    }
    check
}

#[test]
fn programs_that_wait_for_one_another_stay_in_step() {
    let (settled, exact) = (in_step().settling().run(), in_step().run());
    assert!(matches!(outcome(&settled.record), Outcome::Settled(_)));
    let made = settled.code(0);
    assert!(made < 100, "most iterations are skipped: {made}");
    assert_eq!(made, settled.code(1));
    let [settled, exact] = [settled, exact].map(|ran| ran.record.bus_cycles);
    assert!(settled.abs_diff(exact) * 1000 < exact, "{settled} beside {exact}");
}
