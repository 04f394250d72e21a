//! The SPE side of the machine: the `spu` and its program; what reading (`channels`) and writing
//! (`channel_writes`) each channel does; `commands` in the MFC's queues; `lock_lines`; what others see of it
//! (`registers`, `proxy`); its state, taken to another SPE (`context`); how far ahead of the bus clock a program may look (`lookahead`).

mod channel_writes;
mod channels;
pub(super) mod commands;
pub(super) mod context;
pub(super) mod decrementer;
pub(super) mod lock_lines;
mod lookahead;
pub(super) mod ms_sync;
mod proxy;
pub(super) mod registers;
pub(super) mod rules;
pub(super) mod spu;
pub(super) mod unit;
pub(super) mod wake;
