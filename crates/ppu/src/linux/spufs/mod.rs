//! spufs: SPEs as directories of files.
//!
//! `spu_create` makes a *context*, the state of an SPE: registers, local store, channels, MFC queues.  It is born
//! on no SPE.  `spu_run` puts it on one, and lets it run until it stops; it stays there until somebody else needs
//! the SPE ([`schedule`]).  What a context's files read and write lies on its SPE while it has one, and in the
//! context otherwise ([`context::Seat`]): programs do not notice which.
//!
//! ```text
//!   spu_create  create     a directory and its context; gangs, affinity
//!   spu_run     run        until it stops; what a stop or a fault tells (status, faults)
//!   open …      files      one row for each file of a context
//!   read …      mailboxes, signals, storage, proxy   what reading and writing each file does
//!   mmap        maps       local store and problem state, wherever the context is
//! ```
//!
//! Sources: Linux's documentation of spufs; manual pages spufs(7), spu_create(2), spu_run(2).

pub mod context;
pub mod faults;
pub mod files;
pub mod mailboxes;
pub mod maps;
pub mod object;
pub mod program;
pub mod proxy;
pub mod run;
pub mod schedule;
pub mod signals;
pub mod state;
pub mod storage;
pub mod text;
pub mod traffic;
