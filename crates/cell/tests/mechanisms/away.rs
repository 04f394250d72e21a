//! DMA to the pages of a context that is not on an SPE. The DMA waits until the pages are mapped again, and no data
//! are lost.

use crate::common::{Check, LONG, ps3, wait};
use cell::command::{DmaFault, Interrupt};
use cell::coroutine::{Spu, spu_program};
use cell::door::{PpeOp, PpeProgram, PpeStep, PpeTurn, Supervisor};
use cell::ea::register;
use cell::error::RunError;
use cell::page_table::{Access, Mapping};
use cell::units::SpeId;

const SPE: SpeId = SpeId(2);
const OTHER: SpeId = SpeId(4);
const THIRD: SpeId = SpeId(3);
const AREA: u32 = 0x1000_0000;
const SIGNAL_PAGE: u32 = register::SPU_SIG_NOTIFY_1 & !0xfff;
const SIGNAL: u64 = AREA as u64 + (register::SPU_SIG_NOTIFY_1 & 0xfff) as u64;
const PAGE: u32 = 4096;

/// An operating system that performs one action in each turn, and then stops.
struct Os<F>(u32, F);

impl<F: FnMut(u32, &mut dyn Supervisor) -> Option<PpeOp>> PpeProgram for Os<F> {
    fn resume(&mut self, _: PpeTurn, machine: &mut dyn Supervisor) -> Result<PpeStep, String> {
        self.0 += 1;
        Ok((self.1)(self.0 - 1, machine).map_or(PpeStep::Stop(0), PpeStep::Ask))
    }
}

fn os(turns: impl FnMut(u32, &mut dyn Supervisor) -> Option<PpeOp> + 'static) -> Check {
    Check::on(&ps3()).ppe_program(Box::new(Os(0, turns)))
}

const SLEEP: Option<PpeOp> = Some(PpeOp::Wait { until: None });

fn compute(cycles: u64) -> Option<PpeOp> {
    Some(PpeOp::Compute(cycles))
}

/// Starts a program that sends one signal, and ends when the signal has been delivered.
fn signals_once(machine: &mut dyn Supervisor) {
    machine.start(
        SPE,
        spu_program(|spu: Spu| async move {
            spu.ls().write_u32(0x10c, 77);
            spu.mfc_sndsig(0x10c, SIGNAL, 0).await;
            wait(&spu, 0).await;
            5
        }),
    );
}

fn map_signal(machine: &mut dyn Supervisor, spe: SpeId) {
    machine.map(AREA, PAGE, Mapping::Registers(spe, SIGNAL_PAGE), Access::DATA);
}

#[test]
fn a_signal_waits_until_its_context_is_on_an_spe() {
    os(|nth, machine| match nth {
        0 => {
            machine.map(AREA, PAGE, Mapping::Away, Access::DATA);
            signals_once(machine);
            compute(LONG)
        }
        1 => {
            assert_eq!(machine.take_end(SPE), None, "it waits");
            map_signal(machine, OTHER);
            SLEEP
        }
        _ => {
            assert_eq!(machine.take_end(SPE), Some(Ok(5)));
            assert_eq!(machine.channels(OTHER).signals[0].read(), Some(77));
            None
        }
    })
    .run();
}

#[test]
fn waiting_dma_is_not_retried_until_the_page_table_changes() {
    let RunError::Deadlock { waiting, .. } = os(|nth, machine| {
        if nth == 0 {
            machine.map(AREA, PAGE, Mapping::Away, Access::DATA);
            signals_once(machine);
        }
        SLEEP
    })
    .error() else {
        panic!("nobody maps it")
    };
    let expected = "SPE 2 waits to read MFC_RdTagStat, and its DMA for a context that is on no SPE";
    assert_eq!(waiting, ["PPE waits for an interrupt", expected]);
}

#[test]
fn dma_that_waits_for_a_page_that_is_unmapped_is_a_data_storage_fault() {
    os(|nth, machine| match nth {
        0 => {
            machine.map(AREA, PAGE, Mapping::Away, Access::DATA);
            signals_once(machine);
            compute(LONG)
        }
        1 => {
            machine.unmap(AREA, PAGE);
            SLEEP
        }
        _ => {
            let Some(Err(RunError::Rule { rule, .. })) = machine.take_end(SPE) else { panic!("a broken rule") };
            assert_eq!(rule.dma().map(DmaFault::interrupt), Some(Interrupt::DataStorage));
            assert_eq!(rule.dma().and_then(DmaFault::storage_address), Some(SIGNAL));
            None
        }
    })
    .run();
}

#[test]
fn a_list_resumes_where_it_had_to_wait_and_other_commands_overtake_it() {
    os(|nth, machine| match nth {
        0 => {
            machine.map(AREA, 4 * PAGE, Mapping::Zero, Access::DATA);
            for page in 0..4 {
                machine.write(u64::from(AREA + page * PAGE), &[page as u8 + 1; PAGE as usize]).unwrap();
            }
            machine.set_away(AREA + 2 * PAGE, PAGE, true);
            machine.start(
                SPE,
                spu_program(|spu: Spu| async move {
                    for page in 0..4 {
                        let from = u64::from(AREA) + page * u64::from(PAGE);
                        spu.ls().write_u64(0x100 + 8 * page, 0x1000 << 32 | from);
                    }
                    spu.mfc_getl(0x8000, 0, 0x100, 32, 1).await;
                    spu.mfc_get(0x4000, AREA.into(), 128, 2).await;
                    wait(&spu, 2).await;
                    let before = spu.ls().read_u32(0xa000);
                    spu.spu_write_out_intr_mbox(before).await;
                    wait(&spu, 1).await;
                    u32::from(
                        (0..4).all(|page| {
                            spu.ls().bytes(0x8000 + page * u64::from(PAGE), 4096) == [page as u8 + 1; 4096]
                        }),
                    )
                }),
            );
            SLEEP
        }
        1 => {
            let before = machine.read_register(SPE, register::SPU_OUT_INTR_MBOX);
            assert_eq!(before, Ok(0), "nothing of the page has come");
            machine.set_away(AREA + 2 * PAGE, PAGE, false);
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
fn a_context_whose_dma_waits_can_be_saved_and_resumes_on_another_spe() {
    os(move |nth, machine| match nth {
        0 => {
            let context = machine.new_context();
            machine.restore(SPE, context);
            machine.map(AREA, PAGE, Mapping::Away, Access::DATA);
            signals_once(machine);
            compute(LONG)
        }
        1 => {
            machine.suspend(SPE);
            let saved = machine.save(SPE).expect("a context without anything under way");
            machine.restore(THIRD, saved);
            compute(LONG)
        }
        2 => {
            assert_eq!(machine.take_end(THIRD), None, "it waits again");
            map_signal(machine, OTHER);
            SLEEP
        }
        _ => {
            assert_eq!(machine.take_end(THIRD), Some(Ok(5)));
            assert_eq!(machine.channels(OTHER).signals[0].read(), Some(77));
            None
        }
    })
    .run();
}

/// Removes the context from the SPE `OTHER` after a delay, while the SPE `SPE` sends signals to the context. Checks
/// the number of signals and the received value.
fn signal_while_the_target_leaves(delay_cycles: u64) {
    let mut saved = None;
    os(move |nth, machine| match nth {
        0 => {
            let context = machine.new_context();
            machine.restore(OTHER, context);
            map_signal(machine, OTHER);
            signals_once(machine);
            compute(delay_cycles)
        }
        1 => {
            machine.suspend(OTHER);
            machine.set_away(AREA, PAGE, true);
            compute(1)
        }
        _ if saved.is_none() => {
            saved = machine.save(OTHER);
            if saved.is_some() {
                machine.map(AREA, PAGE, Mapping::Away, Access::DATA);
            }
            compute(LONG)
        }
        _ if machine.channels(THIRD).signals[0].count() == 0 && !machine.has_ended(SPE) => {
            let id = saved.expect("a context");
            machine.restore(THIRD, id);
            map_signal(machine, THIRD);
            SLEEP
        }
        _ => {
            assert_eq!(machine.take_end(SPE), Some(Ok(5)));
            let came = match saved.and_then(|id| machine.saved(id)) {
                Some((channels, _)) => channels.signals[0].read(),
                None => machine.channels(THIRD).signals[0].read(),
            };
            assert_eq!(came, Some(77), "after {delay_cycles} cycles");
            None
        }
    })
    .run();
}

#[test]
fn no_signal_is_lost_while_its_context_leaves() {
    (0..800).step_by(16).for_each(signal_while_the_target_leaves);
}

#[test]
fn main_memory_is_in_use_as_long_as_dma_to_it_is_under_way() {
    let mut seen = false;
    os(move |nth, machine| {
        if nth == 0 {
            machine.map(AREA, 8 * PAGE, Mapping::Zero, Access::DATA);
            assert!(!machine.is_in_use(AREA, 8 * PAGE));
            machine.start(
                SPE,
                spu_program(|spu: Spu| async move {
                    spu.mfc_put(0x4000, u64::from(AREA), 16_384, 0).await;
                    wait(&spu, 0).await;
                    0
                }),
            );
            return compute(50);
        }
        assert!(!machine.is_in_use(AREA + 4 * PAGE, 4 * PAGE), "another's");
        let in_use = machine.is_in_use(AREA, 4 * PAGE);
        seen |= in_use;
        if machine.has_ended(SPE) {
            assert!(seen && !in_use);
            return None;
        }
        compute(50)
    })
    .run();
}
