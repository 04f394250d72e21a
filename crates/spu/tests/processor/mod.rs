//! Tests of a running SPU: issue cycles of instructions, changes to code, and turns.

mod blocks;
mod code;
mod common;
mod journal;
mod plain_pipeline;
mod timing;
mod turns;
mod walk;
