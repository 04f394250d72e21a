//! Tests of the chip's mechanisms, with a file for each unit.  These tests do not check durations.

#[path = "../common/mod.rs"]
mod common;

mod away;
mod channels;
mod counters;
mod decrementer;
mod ends;
mod events;
mod lines_in_use;
mod lists;
mod lock_line_losses;
mod lock_lines;
mod mailboxes;
mod ordering;
mod ppe;
mod ppe_library;
mod ppe_memory;
mod ppe_replays;
mod ppe_reservations;
mod ppe_threads;
mod proxy_queue;
mod rules;
mod settling;
mod signals;
mod spu_mfcio;
mod spu_queue;
mod supervisor;
mod tags;
mod translation;
mod two_chips;
mod two_ppes;
