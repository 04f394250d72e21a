//! Executables: the contents of a file, the calls of its library, and whole programs.

mod any_bytes;
mod calls;
mod elf;
mod on_a_machine;
mod programs;
