//! A running SPU: the issue cycles of instructions, changes to code, and turns.

mod blocks;
mod code;
mod common;
mod plain_pipeline;
mod timing;
mod turns;
