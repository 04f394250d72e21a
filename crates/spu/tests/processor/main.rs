//! A running SPU: the issue cycles of instructions, changes to code, and independence from the ends of turns.

mod blocks;
mod code;
mod common;
mod plain_pipeline;
mod timing;
mod turns;
