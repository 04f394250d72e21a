//! An SPU that runs: in which cycle what issues, whose code it executes, and whether its turns can be told.

mod blocks;
mod code;
mod common;
mod plain_pipeline;
mod timing;
mod turns;
