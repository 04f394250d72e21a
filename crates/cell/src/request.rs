//! A bus request: what travels through the command phase, and then as data over a ring.

use crate::ea::Target;
use crate::snapshot::Snapshot;
use crate::units::{EntryId, LINE_BYTES, RampIndex, SpeId};

/// Which part of the chip issued a request, and what it has to be told when it is done.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Issuer {
    /// An MFC, for the command in this queue entry.
    Mfc(SpeId, EntryId),
    /// The atomic unit of an SPE.
    Atomic(SpeId),
    /// The atomic unit writing back a line that it gives up; nobody waits for it.
    Castout(SpeId),
    /// The PPE.
    Ppe,
    /// The interface to another chip, which carries on what was written to its memory; nobody waits for it.
    Bif,
}

/// What a request does.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RequestKind {
    /// Data comes from the target.
    Read,
    /// Data goes to the target.
    Write,
    /// `getllar`: a read that leaves a copy in the atomic cache, and a reservation.
    ReadLine,
    /// Read with intent to modify: every other copy goes.
    ClaimWithData,
    /// Claim of a line that is here already: every other copy goes, no data moves.
    Claim,
    /// Orders storage accesses; no address, no data.
    Sync,
}

/// One request, for at most one line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Request {
    /// What it does.
    pub kind: RequestKind,
    /// Who issued it.
    pub issuer: Issuer,
    /// The issuer's ramp.
    pub ramp: RampIndex,
    /// Bytes moved, 0 to 128.
    pub bytes: u8,
    /// Local-store address on the issuer's side.
    pub lsa: u32,
    /// What it touches.
    pub target: Target,
    /// A PPE store's data, or a PPE load's result.
    pub value: u64,
}

impl Request {
    /// The coherent line that it touches, if that is memory.
    pub fn memory_line(&self) -> Option<u64> {
        match (self.kind, self.target) {
            (RequestKind::Sync, _) => None,
            (_, Target::Memory(address)) => Some(address / LINE_BYTES),
            _ => None,
        }
    }

    /// Whether data move for it.
    pub fn moves_data(&self) -> bool {
        !matches!(self.kind, RequestKind::Claim | RequestKind::Sync)
    }

    /// Adds it to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        let Request { kind, issuer, ramp, bytes, lsa, target, value } = *self;
        let (unit, spe, entry) = match issuer {
            Issuer::Mfc(spe, id) => (u64::from(id.proxy), spe.0, out.rank(spe, id) as u8),
            Issuer::Atomic(spe) => (2, spe.0, 0),
            Issuer::Castout(spe) => (3, spe.0, 0),
            Issuer::Ppe => (4, 0, 0),
            Issuer::Bif => (5, 0, 0),
        };
        let issuer = unit << 16 | u64::from(spe) << 8 | u64::from(entry);
        out.word(issuer << 32 | (kind as u64) << 16 | u64::from(ramp) << 8 | u64::from(bytes));
        out.word(u64::from(lsa));
        let (space, place) = match target {
            Target::Memory(address) => (0, address),
            Target::LocalStore(spe, offset) => (1 + u64::from(spe.0), u64::from(offset)),
            Target::Register(spe, offset) => (0x100 + u64::from(spe.0), u64::from(offset)),
        };
        out.word(space << 48 ^ place);
        out.word(value);
    }

    /// Whether a cache writes a line back that it gives up; nobody waits for it.
    pub fn is_castout(&self) -> bool {
        let by_l2 = self.issuer == Issuer::Ppe && matches!(self.target, Target::Memory(_));
        self.kind == RequestKind::Write && (by_l2 || matches!(self.issuer, Issuer::Castout(_)))
    }

    /// Whether other copies of the line, and reservations on it, are lost to it.
    pub fn takes_ownership(&self) -> bool {
        matches!(self.kind, RequestKind::Write | RequestKind::ClaimWithData | RequestKind::Claim) && !self.is_castout()
    }
}

/// A request's place in the [`Pool`]: what units and wires hand on instead of the request itself.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RequestId(pub u32);

/// All requests under way.
#[derive(Clone, Default, Debug)]
pub struct Pool {
    requests: Vec<Request>,
    free: Vec<RequestId>,
}

impl Pool {
    /// Takes a request in.
    #[inline(always)]
    pub fn add(&mut self, request: Request) -> RequestId {
        match self.free.pop() {
            Some(id) => {
                self.requests[id.0 as usize] = request;
                id
            }
            None => {
                self.requests.push(request);
                RequestId(self.requests.len() as u32 - 1)
            }
        }
    }

    /// The request with this number.
    #[inline(always)]
    pub fn get(&self, id: RequestId) -> &Request {
        &self.requests[id.0 as usize]
    }

    /// Forgets a request that has done its work.
    #[inline(always)]
    pub fn remove(&mut self, id: RequestId) {
        self.free.push(id);
    }

    /// Those that are not forgotten.
    pub fn under_way(&self) -> impl Iterator<Item = &Request> {
        let all = (0..).map(RequestId).zip(&self.requests);
        all.filter(|(id, _)| !self.free.contains(id)).map(|(_, request)| request)
    }
}
