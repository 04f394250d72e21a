//! The data rings: rules for every transfer, the order of grants, and a comparison of the fast arbiter with a simple
//! arbiter.

mod arbitration;
mod checker;
mod fairness;
mod obstacles;
mod oracle;
mod traffic;
