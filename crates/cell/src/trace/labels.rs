//! Names for the kind, issuer and target of a request in a trace.

use crate::ea::Target;
use crate::request::{Issuer, Request, RequestKind};

/// The element that issued a request.
pub(super) fn issuer_of(request: &Request) -> String {
    match request.issuer {
        Issuer::Mfc(spe, _) | Issuer::Atomic(spe) | Issuer::Castout(spe) => format!("SPE{}", spe.0),
        Issuer::Ppe(chip) => ppe_name(chip),
        Issuer::Bif => "BIF".to_string(),
    }
}

/// The name of a chip's PPE.
pub(super) fn ppe_name(chip: u8) -> String {
    if chip == 0 { "PPE".to_string() } else { format!("PPE/{chip}") }
}

/// The name of a request's kind.
pub(super) fn kind_of(kind: RequestKind) -> &'static str {
    match kind {
        RequestKind::Read => "read",
        RequestKind::Write => "write",
        RequestKind::ReadLine => "line read",
        RequestKind::ClaimWithData => "claim with data",
        RequestKind::Claim => "claim",
        RequestKind::Sync => "sync",
    }
}

/// The target of a request, or `None` for a request that only orders other requests.
pub(super) fn target_of(request: &Request) -> Option<String> {
    Some(match request.target {
        _ if request.kind == RequestKind::Sync => return None,
        Target::Memory(_) => "memory".to_string(),
        Target::LocalStore(spe, _) => format!("SPE{}", spe.0),
        Target::Register(spe, _) => format!("SPE{} register", spe.0),
    })
}
