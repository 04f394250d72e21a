//! Tests of executables: the contents of the file, PPE-assisted library calls, and whole programs.

mod any_bytes;
mod calls;
mod elf;
mod on_a_machine;
mod positions;
mod programs;
