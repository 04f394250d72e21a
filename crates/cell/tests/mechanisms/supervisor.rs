//! An operating system on the PPE: interrupts, supervised SPEs, the page table, contexts.

use crate::common::{Check, LONG, Reports, ps3, wait};
use cell::command::{DmaFault, Interrupt};
use cell::coroutine::{Spu, spu_program};
use cell::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor};
use cell::ea::{Target, register};
use cell::error::RunError;
use cell::page_table::{Access, AccessKind, Mapping};
use cell::units::{LINE_BYTES, SpeId};

pub const SPE: SpeId = SpeId(2);
const OTHER: SpeId = SpeId(4);
pub const BUFFER: u32 = 0x1000_0000;
pub const PAGE: u32 = 4096;

/// An operating system that performs one action in each turn, and then stops.
pub struct Os<F>(pub u32, pub F);

impl<F: FnMut(u32, PpeTurn, &mut dyn Supervisor) -> Option<PpeOp>> PpeProgram for Os<F> {
    fn resume(&mut self, turn: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String> {
        self.0 += 1;
        Ok((self.1)(self.0 - 1, turn, machine).map_or(PpeStep::Stop(0), PpeStep::Ask))
    }

    fn runs_ahead(&self) -> bool {
        true
    }
}

pub fn os(turns: impl FnMut(u32, PpeTurn, &mut dyn Supervisor) -> Option<PpeOp> + 'static) -> Check {
    Check::on(&ps3()).ppe_program(Box::new(Os(0, turns)))
}

pub const SLEEP: Option<PpeOp> = Some(PpeOp::Wait { until: None });

pub fn compute(cycles: u64) -> Option<PpeOp> {
    Some(PpeOp::Compute(cycles))
}

#[test]
fn a_thread_sleeps_until_an_spe_stops_and_polls_nothing() {
    let turns = Reports::new();
    let noted = turns.clone();
    os(move |nth, turn, machine| {
        noted.push(turn.time);
        match nth {
            0 => {
                machine.start(
                    SPE,
                    spu_program(|spu: Spu| async move {
                        spu.compute(LONG).await;
                        0x11
                    }),
                );
                SLEEP
            }
            _ => {
                assert_eq!((turn.answer, machine.take_end(SPE)), (1, Some(Ok(0x11))));
                assert_eq!(machine.take_end(SPE), None, "reported once");
                None
            }
        }
    })
    .run();
    let turns = turns.take();
    assert_eq!(turns.len(), 2);
    assert!((LONG..LONG + 10).contains(&turns[1]), "{turns:?}");
}

#[test]
fn an_interrupt_that_came_before_the_sleep_ends_it_at_once_and_only_once() {
    os(|nth, turn, machine| match nth {
        0 => {
            machine.start(
                SPE,
                spu_program(|spu: Spu| async move {
                    spu.spu_write_out_intr_mbox(7).await;
                    0
                }),
            );
            compute(LONG)
        }
        1 => SLEEP,
        2 => {
            assert_eq!(turn.answer, 1);
            assert_eq!(machine.read_register(SPE, register::SPU_OUT_INTR_MBOX), Ok(7));
            Some(PpeOp::Wait { until: Some(machine.time_base() + 100) })
        }
        _ => {
            assert_eq!(turn.answer, 0, "the time, not an interrupt");
            None
        }
    })
    .run();
}

#[test]
fn a_sleep_ends_when_the_time_base_reaches_its_value_and_not_a_tick_sooner() {
    os(|nth, _, machine| {
        if nth == 0 {
            return Some(PpeOp::Wait { until: Some(5_000) });
        }
        assert_eq!(machine.time_base(), 5_000);
        None
    })
    .run();
}

#[test]
fn a_sleeper_without_a_waker_is_a_deadlock() {
    let RunError::Deadlock { waiting, .. } = os(|_, _, _| SLEEP).error() else { panic!("a deadlock") };
    assert_eq!(waiting, ["PPE waits for an interrupt"]);
}

#[test]
fn a_rule_that_a_supervised_program_breaks_ends_that_program_alone() {
    os(|nth, _, machine| match nth {
        0 => {
            machine.start(
                SPE,
                spu_program(|spu: Spu| async move {
                    spu.mfc_get(0x101, 0, 16, 0).await;
                    0
                }),
            );
            machine.start(
                OTHER,
                spu_program(|spu: Spu| async move {
                    spu.compute(LONG).await;
                    3
                }),
            );
            SLEEP
        }
        1 => {
            let Some(Err(RunError::Rule { spe, rule, .. })) = machine.take_end(SPE) else { panic!("a broken rule") };
            assert_eq!(spe, Some(SPE));
            assert_eq!(rule.dma().map(DmaFault::interrupt), Some(Interrupt::DmaAlignment));
            assert_eq!(machine.take_end(OTHER), None, "it runs");
            SLEEP
        }
        _ => {
            assert_eq!(machine.take_end(OTHER), Some(Ok(3)));
            None
        }
    })
    .run();
}

#[test]
fn dma_goes_through_the_page_table_page_by_page() {
    os(|nth, _, machine| match nth {
        0 => {
            machine.map(BUFFER, 4 * PAGE, Mapping::Zero, Access::DATA);
            // A page receives a frame on its first use. The first uses of these four pages are in reverse order.
            for page in (0..4).rev() {
                machine.write(u64::from(BUFFER + page * PAGE), &[page as u8 + 1; PAGE as usize]).unwrap();
            }
            let Ok(Target::Memory(first)) = machine.pages().translate(BUFFER, AccessKind::Load) else { panic!() };
            let Ok(Target::Memory(second)) = machine.pages().translate(BUFFER + PAGE, AccessKind::Load) else {
                panic!()
            };
            assert!(first > second);
            machine.start(
                SPE,
                spu_program(|spu: Spu| async move {
                    spu.mfc_get(0x4000, u64::from(BUFFER), 4 * PAGE, 0).await;
                    wait(&spu, 0).await;
                    u32::from(
                        (0..4).all(|page| {
                            spu.ls().bytes(u64::from(0x4000 + page * PAGE), 4096) == [page as u8 + 1; 4096]
                        }),
                    )
                }),
            );
            SLEEP
        }
        _ => {
            assert_eq!(machine.take_end(SPE), Some(Ok(1)));
            None
        }
    })
    .run();
}

#[test]
fn dma_to_a_page_that_does_not_permit_it_is_a_fault_of_data_storage() {
    for (access, ea) in
        [(Access::NONE, BUFFER), (Access { read: true, ..Access::NONE }, BUFFER), (Access::DATA, BUFFER - 16)]
    {
        os(move |nth, _, machine| match nth {
            0 => {
                machine.map(BUFFER, PAGE, Mapping::Zero, access);
                machine.start(
                    SPE,
                    spu_program(move |spu: Spu| async move {
                        spu.mfc_put(0x4000, u64::from(ea), 16, 0).await;
                        wait(&spu, 0).await;
                        0
                    }),
                );
                SLEEP
            }
            _ => {
                let Some(Err(RunError::Rule { rule, .. })) = machine.take_end(SPE) else { panic!("a broken rule") };
                assert_eq!(rule.dma().map(DmaFault::interrupt), Some(Interrupt::DataStorage));
                None
            }
        })
        .run();
    }
}

#[test]
fn a_context_resumes_on_another_spe() {
    let (mut saved, mut suspended) = (None, false);
    os(move |nth, _, machine| match nth {
        0 => {
            machine.map(BUFFER, 16 * PAGE, Mapping::Zero, Access::DATA);
            let context = machine.new_context();
            machine.restore(SPE, context);
            machine.local_store(SPE).write_u32(0x100, 0xcafe);
            machine.start(
                SPE,
                spu_program(move |spu: Spu| async move {
                    for nth in 0..8 {
                        spu.mfc_put(0x100, u64::from(BUFFER), 16_384, nth % 4).await;
                    }
                    let word = spu.spu_read_in_mbox().await;
                    spu.mfc_write_tag_mask(0xf).await;
                    spu.mfc_read_tag_status_all().await;
                    word + spu.ls().read_u32(0x100)
                }),
            );
            compute(2_000)
        }
        _ if saved.is_none() && !suspended => {
            machine.suspend(SPE);
            suspended = true;
            compute(100)
        }
        _ if saved.is_none() => {
            saved = machine.save(SPE);
            let Some((channels, _)) = saved.and_then(|id| machine.saved(id)) else { return compute(100) };
            channels.in_mbox.push_or_replace(1);
            assert_eq!(machine.local_store(SPE).read_u32(0x100), 0, "an SPE at rest is empty");
            compute(1_000)
        }
        _ if suspended => {
            suspended = false;
            saved.into_iter().for_each(|id| machine.restore(OTHER, id));
            SLEEP
        }
        // The program has read a mailbox entry, which also causes an interrupt.
        _ => match machine.take_end(OTHER) {
            None => SLEEP,
            end => {
                assert_eq!(end, Some(Ok(0xcaff)));
                let mut word = [0; 4];
                machine.read(u64::from(BUFFER), &mut word).unwrap();
                assert_eq!(u32::from_be_bytes(word), 0xcafe);
                None
            }
        },
    })
    .run();
}

#[test]
fn a_line_is_in_the_caches_once_it_was_touched() {
    let times = Reports::new();
    let noted = times.clone();
    os(move |nth, turn, machine| {
        noted.push(turn.time);
        assert_eq!(machine.load_hits(0x4000 / LINE_BYTES), nth > 0);
        (nth < 2).then_some(PpeOp::Touch { real: 0x4000, store: false })
    })
    .run();
    let times = times.take();
    assert!(times[1] - times[0] > 100, "from main memory: {times:?}");
    assert!(times[2] - times[1] < 10, "from the L1: {times:?}");
}
