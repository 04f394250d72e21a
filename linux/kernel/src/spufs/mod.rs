//! spufs: SPE contexts as directories of files.
//!
//! A *context* is the complete state of an SPE: registers, local store, channels, MFC queues. A process can have more
//! contexts than the machine has SPEs. `schedule` decides which contexts are resident. While a context is resident,
//! its files access the SPE. At other times, the files access the context's saved state ([`context::Residency`]). The
//! behaviour of the files does not depend on residency.
//!
//! ```text
//!             spu_create                    no free SPE
//!                 │                     ┌────────────────┐
//!                 ▼        spu_run      ▼                │
//!    ┌─────►   Saved   ──────────► run queue ────────────┘
//!    │                                  │ an SPE is free: restore
//!    │                                  ▼
//!    │                          Resident, running ◄──────┐
//!    │                            │             │        │
//!    │           stop or fault:   │             │ slice  │ spu_run
//!    │           spu_run returns  ▼             │ ends,  │
//!    │                     Resident, stopped    │ others │
//!    │                            │       │     │ wait   │
//!    │      others wait: suspend  │       └─────┼────────┘
//!    │                            ▼             ▼
//!    └───────────────────────── Leaving ◄───────┘    saved once no operation is in flight;
//!                                                    a context that was running re-enters the run queue
//!
//!    the last open file of a context is closed: destroyed, from any state
//! ```
//!
//! `run` starts a context and waits until it stops. [`faults`] determines how a fault is reported to the process.
//! `files` has a table row for each file; `mailboxes`, `signals`, `storage` and `proxy` read and write the
//! files. `maps` maps local stores and problem state. `crate::syscalls::spufs` contains the system calls.
//!
//! Sources: Linux's documentation of spufs; manual pages spufs(7), spu_create(2), spu_run(2).

pub mod context;
pub mod faults;
pub(crate) mod files;
pub(crate) mod mailboxes;
pub(crate) mod maps;
pub(crate) mod object;
pub(crate) mod program;
pub(crate) mod proxy;
pub(crate) mod run;
pub(crate) mod schedule;
pub(crate) mod signals;
pub mod state;
pub mod stop;
pub(crate) mod storage;
pub(crate) mod text;
pub(crate) mod traffic;
