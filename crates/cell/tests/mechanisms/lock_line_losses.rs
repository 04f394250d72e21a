//! The ways to lose a reservation, and the events that report it.

use crate::common::{Check, LONG, Reports, board, wait, without_os_cost};
use cell::channel::{Channel, event};
use cell::coroutine::Spu;
use cell::machine::Machine;
use cell::units::ThreadId;

const LINE: u64 = 0x10000;
const BUFFER: u32 = 0x1000;

/// Result of a test of a reservation.
#[derive(PartialEq, Eq, Debug)]
enum Reservation {
    /// The conditional `put` succeeded, and no event was raised.
    Held,
    /// The conditional `put` failed, and the lock-line event was raised.
    Lost,
    /// The conditional `put` failed, and no event was raised.
    LostSilently,
}

use Reservation::{Held, Lost, LostSilently};

/// Reserves a line, runs `own`, gives the other units time, and tries a conditional `put`.
async fn reserve(spu: Spu, own: impl AsyncFnOnce(&Spu), reported: Reports<Reservation>) -> u32 {
    spu.write(Channel::WR_EVENT_MASK, event::LOCK_LINE).await;
    spu.mfc_getllar(BUFFER, LINE).await;
    spu.mfc_read_atomic_status().await;
    own(&spu).await;
    spu.compute(2 * LONG).await;
    let raised = spu.count(Channel::RD_EVENT_STAT).await == 1;
    spu.mfc_putllc(BUFFER, LINE).await;
    let failed = spu.mfc_read_atomic_status().await == 1;
    assert!(failed || !raised, "an event without a loss");
    reported.push(match (failed, raised) {
        (false, _) => Held,
        (true, true) => Lost,
        (true, false) => LostSilently,
    });
    0
}

/// What happens to a reservation while another SPE runs `attack`.
fn after(attack: impl AsyncFnOnce(&Spu) + 'static) -> Reservation {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&board())
        .spu(move |spu| reserve(spu, async |_: &Spu| (), reports))
        .spu(move |spu| async move {
            spu.compute(LONG).await;
            attack(&spu).await;
            0
        })
        .run();
    reported.take().remove(0)
}

/// What happens to a reservation while the SPE that holds it runs `own`.
fn after_own(own: impl AsyncFnOnce(&Spu) + 'static) -> Reservation {
    let reported = Reports::new();
    let reports = reported.clone();
    Check::on(&board()).spu(move |spu| reserve(spu, own, reports)).run();
    reported.take().remove(0)
}

#[test]
fn to_a_conditional_put_of_another_spe() {
    let reservation = after(async |spu: &Spu| {
        spu.mfc_getllar(BUFFER, LINE).await;
        spu.mfc_read_atomic_status().await;
        spu.mfc_putllc(BUFFER, LINE).await;
        assert_eq!(spu.mfc_read_atomic_status().await, 0);
    });
    assert_eq!(reservation, Lost);
}

#[test]
fn to_an_unconditional_lock_line_put_of_another_spe() {
    let immediate = after(async |spu: &Spu| spu.mfc_putlluc(BUFFER, LINE).await);
    let queued = after(async |spu: &Spu| spu.mfc_putqlluc(BUFFER, LINE, 0).await);
    assert_eq!((immediate, queued), (Lost, Lost));
}

#[test]
fn to_a_dma_put_of_another_spe_to_any_byte_of_the_line() {
    for (offset, bytes) in [(0, 128), (0, 1), (127, 1), (64, 16)] {
        let put = async move |spu: &Spu| spu.mfc_put(0x2000 + offset % 16, LINE + u64::from(offset), bytes, 0).await;
        assert_eq!(after(put), Lost, "{bytes} bytes at {offset}");
    }
}

#[test]
fn to_a_cache_line_zero_of_another_spe() {
    assert_eq!(after(async |spu: &Spu| spu.mfcdma64(0, LINE, 128, 0, 0x89).await), Lost);
}

#[test]
fn not_to_what_another_spe_reads() {
    let get = after(async |spu: &Spu| spu.mfc_get(BUFFER, LINE, 128, 0).await);
    let getllar = after(async |spu: &Spu| spu.mfc_getllar(BUFFER, LINE).await);
    assert_eq!((get, getllar), (Held, Held));
}

#[test]
fn not_to_a_conditional_put_that_fails() {
    assert_eq!(after(async |spu: &Spu| spu.mfc_putllc(BUFFER, LINE).await), Held);
}

#[test]
fn not_to_writes_of_the_lines_beside_it() {
    for ea in [LINE - 128, LINE + 128] {
        assert_eq!(after(async move |spu: &Spu| spu.mfc_put(0x2000, ea, 128, 0).await), Held);
        assert_eq!(after(async move |spu: &Spu| spu.mfc_putlluc(0x2000, ea).await), Held);
    }
}

#[test]
fn to_its_own_put_with_an_event_and_to_its_own_putlluc_without() {
    let put = after_own(async |spu: &Spu| spu.mfc_put(0x2000, LINE, 16, 0).await);
    let putlluc = after_own(async |spu: &Spu| {
        spu.mfc_putlluc(BUFFER, LINE).await;
        spu.mfc_read_atomic_status().await;
    });
    assert_eq!((put, putlluc), (Lost, LostSilently));
}

/// What happens to a reservation while the PPE stores to the line (with `store`), or loads from the line.
fn after_ppe(store: bool) -> Reservation {
    let reported = Reports::new();
    let reports = reported.clone();
    let machine: Machine = without_os_cost(board());
    Check::on(&machine)
        .spu(move |spu| reserve(spu, async |_: &Spu| (), reports))
        .ppe(move |ppe| async move {
            ppe.thread_create(ThreadId(0), 0).await;
            ppe.compute(LONG).await;
            if store {
                ppe.store(LINE + 4, 4, 1).await;
            } else {
                ppe.load(LINE + 4, 4).await;
            }
            ppe.thread_join(ThreadId(0)).await
        })
        .run();
    reported.take().remove(0)
}

#[test]
fn to_a_store_of_the_ppe_but_not_to_a_load() {
    assert_eq!((after_ppe(true), after_ppe(false)), (Lost, Held));
}

#[test]
fn no_put_is_lost_between_a_getllar_and_its_conditional_put() {
    // Write requests are slow, read requests are fast, and commands to one line do not wait for each other. A `getllar`
    // may therefore read the line after a `put` was ordered, but before the new bytes have arrived.
    let mut machine = board();
    (machine.eib.line_read_bus_cycles, machine.eib.line_write_bus_cycles) = (0, 0);
    machine.mfc.local_store_read_bus_cycles = 400;
    machine.mic.read_latency_bus_cycles = 1;
    machine.mic.bank_busy_bus_cycles = 1;
    let ran = Check::on(&machine)
        .spu(|spu| async move {
            for value in 1..=200 {
                spu.ls().write_u32(0x2010, value);
                spu.mfc_put(0x2010, LINE + 16, 4, 0).await;
                wait(&spu, 0).await;
                spu.compute(5_000).await;
                spu.mfc_get(0x2100, LINE, 128, 0).await;
                wait(&spu, 0).await;
                assert_eq!(spu.ls().read_u32(0x2110), value, "the word put is there: no other unit writes it");
            }
            0
        })
        .spu(|spu| async move {
            for _ in 0..1500 {
                spu.atomic_update(BUFFER, LINE, 7, |old| old + 1).await;
            }
            0
        })
        .run();
    assert_eq!(ran.memory.read_u32(LINE), 1500);
}
