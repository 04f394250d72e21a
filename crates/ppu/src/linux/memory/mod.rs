//! Memory of a process: its areas, and the calls that change them.

pub mod area;
pub mod calls;
pub mod mapping;
pub mod space;
