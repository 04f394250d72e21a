//! A line's journey, a file for each stage: `issue` (the DMAC makes a request), `command` (to the address
//! concentrator, and the combined response back), `order` and `snoop` (what a command means, and what it does
//! to other copies), `memory`, `ring` (the data get a ring), `link` (only between two chips), `deliver`
//! (bytes move), `complete` (back to the unit that issued it).

pub(super) mod command;
pub(super) mod complete;
pub(super) mod deliver;
pub(super) mod issue;
pub(super) mod link;
pub(super) mod memory;
pub(super) mod order;
pub(super) mod ring;
pub(super) mod snoop;
