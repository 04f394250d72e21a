//! Tests of [`Store`].

use super::*;

#[test]
fn words_are_big_endian_and_addresses_wrap() {
    let mut store = Store::new(256, 256);
    store.write_u32(254, 0x0102_0304);
    assert_eq!(store.bytes(254, 2), [1, 2]);
    assert_eq!(store.bytes(0, 2), [3, 4]);
    assert_eq!(store.read_u32(254), 0x0102_0304);
}

#[test]
fn the_journal_reports_only_lines_whose_bytes_changed() {
    let mut store = Store::new(1024, 256);
    store.write_u32(0, 7);
    store.open_journal(false);
    store.write_u32(0, 7);
    store.write_u32(512, 3);
    let changes = store.changes();
    assert_eq!(changes.len(), 1);
    store.repeat(&changes, 10);
    assert_eq!((store.read_u32(0), store.read_u32(512)), (7, 33));
    store.open_journal(false);
    assert!(store.changes().is_empty());
}

#[test]
fn a_journal_of_changes_records_a_byte_that_changed_back_but_no_dma_that_changes_nothing() {
    let (mut store, mut other) = (Store::new(1024, 256), Store::new(1024, 256));
    store.write_u32(256, 7);
    other.write_u32(256, 7);
    for (of_changes, bytes) in [(true, 128), (true, 16), (false, 128), (false, 16)] {
        store.open_journal(of_changes);
        copy(&other, 256, &mut store, 256, bytes);
        assert_eq!(store.has_recorded(), !of_changes, "{bytes} bytes");
    }
    store.open_journal(true);
    copy(&other, 0, &mut store, 256, 16);
    copy(&other, 256, &mut store, 256, 16);
    assert!(store.has_recorded() && store.changes().is_empty());
}

#[test]
fn a_watched_line_is_reported_once_whoever_writes_it() {
    let (mut store, other) = (Store::new(1024, 256), Store::new(1024, 256));
    store.set_quadword(384, 1);
    store.watch(3);
    store.write_u32(512, 7);
    assert!(!store.watched_was_written());
    copy(&other, 0, &mut store, 384, 128);
    store.set_quadword(400, 2);
    assert_eq!((store.take_written(), store.take_written()), (Some(3), None));
    assert_eq!((store.quadword(384), store.quadword(400)), (0, 2));
    store.watch(3);
    store.write(380, &[1; 5]);
    assert_eq!(store.take_written(), Some(3));
}

#[test]
fn an_unwritten_page_reads_as_zeros() {
    let store = Store::new(1 << 30, 1 << 16);
    assert_eq!(store.read_u64(0x1234_5678), 0);
}

#[test]
fn a_place_is_read_and_written_like_its_address() {
    let mut store = Store::new(1024, 256);
    let place = store.place(512 + 128);
    assert_eq!((store.array(place, 4), store.array_mut(place, 4)), ([0; 2], None::<&mut [u8; 2]>));
    store.write(640, &[1, 2, 3, 4, 5, 6, 7, 8]);
    *store.array_mut(place, 6).expect("a page that was written") = [9];
    assert_eq!(store.array(place, 4), [5, 6, 9, 8]);
    store.open_journal(false);
    assert_eq!(store.array_mut::<1>(place, 6), None);
}
