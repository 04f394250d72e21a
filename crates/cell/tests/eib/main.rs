//! The data rings: rules for every transfer, the order of grants, and the fast arbiter compared
//! with an obvious one.

#[path = "../common/mod.rs"]
mod common;

mod arbitration;
mod checker;
mod fairness;
mod obstacles;
mod oracle;
mod traffic;
