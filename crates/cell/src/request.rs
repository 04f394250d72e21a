//! A bus request. The command of a request passes through the command phase; then the data travel over a ring.

use crate::ea::Target;
use crate::snapshot::Snapshot;
use crate::units::{EntryId, LINE_BYTES, RampIndex, SpeId};

/// The unit that issued a request and is notified when the request is complete.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Issuer {
    /// An MFC, for the command in this queue entry.
    Mfc(SpeId, EntryId),
    /// The atomic unit of an SPE.
    Atomic(SpeId),
    /// The atomic unit of an SPE, for the write-back of an evicted line; no unit waits for this write.
    Castout(SpeId),
    /// The PPE of a chip.
    Ppe(u8),
    /// The interface to the other chip, which forwards data that are written to that chip's memory; no unit waits for
    /// these data.
    Bif,
}

/// The operation of a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum RequestKind {
    /// Reads data from the target.
    Read,
    /// Writes data to the target.
    Write,
    /// `getllar`: a read that puts a copy into the atomic cache, with a reservation.
    ReadLine,
    /// Read with intent to modify: all other copies are invalidated.
    ClaimWithData,
    /// Claim of a line that the issuer already has: all other copies are invalidated, and no data move.
    Claim,
    /// Orders storage accesses; has no address and no data.
    Sync,
}

/// One request, for at most one line.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct Request {
    /// The operation.
    pub kind: RequestKind,
    /// The unit that issued the request.
    pub issuer: Issuer,
    /// The issuer's ramp.
    pub ramp: RampIndex,
    /// Number of bytes moved, 0 to 128.
    pub bytes: u8,
    /// Local-store address on the issuer's side.
    pub lsa: u32,
    /// Target of the access.
    pub target: Target,
    /// The data of a PPE store, or the result of a PPE load.
    pub value: u64,
    /// The number of times that the command has received Retry, up to the most that a machine may have.
    pub retries: u8,
}

impl Request {
    /// Number of the coherent line that the request accesses; `None` if the target is not memory.
    pub fn memory_line(&self) -> Option<u64> {
        match (self.kind, self.target) {
            (RequestKind::Sync, _) => None,
            (_, Target::Memory(address)) => Some(address / LINE_BYTES),
            _ => None,
        }
    }

    /// Whether the request moves data.
    pub fn moves_data(&self) -> bool {
        !matches!(self.kind, RequestKind::Claim | RequestKind::Sync)
    }

    /// Adds the request to a snapshot.
    pub fn capture(&self, out: &mut Snapshot) {
        let Request { kind, issuer, ramp, bytes, lsa, target, value, retries } = *self;
        let (unit, spe, entry) = match issuer {
            Issuer::Mfc(spe, id) => (u64::from(id.proxy), spe.0, out.rank(spe, id) as u8),
            Issuer::Atomic(spe) => (2, spe.0, 0),
            Issuer::Castout(spe) => (3, spe.0, 0),
            Issuer::Ppe(chip) => (4, chip, 0),
            Issuer::Bif => (5, 0, 0),
        };
        let issuer = unit << 16 | u64::from(spe) << 8 | u64::from(entry);
        out.word(
            issuer << 32 | u64::from(retries) << 24 | (kind as u64) << 16 | u64::from(ramp) << 8 | u64::from(bytes),
        );
        out.word(out.address(lsa));
        let (space, offset) = match target {
            Target::Memory(address) => (0, address),
            Target::LocalStore(spe, offset) => (1 + u64::from(spe.0), out.address(offset)),
            Target::Register(spe, offset) => (0x100 + u64::from(spe.0), u64::from(offset)),
        };
        out.word(space << 48 ^ offset);
        out.word(value);
    }

    /// Whether the request is a cache's write-back of an evicted line; no unit waits for it.
    pub fn is_castout(&self) -> bool {
        let by_l2 = matches!(self.issuer, Issuer::Ppe(_)) && matches!(self.target, Target::Memory(_));
        self.kind == RequestKind::Write && (by_l2 || matches!(self.issuer, Issuer::Castout(_)))
    }

    /// Whether the request invalidates other copies of the line and reservations on it.
    pub fn takes_ownership(&self) -> bool {
        matches!(self.kind, RequestKind::Write | RequestKind::ClaimWithData | RequestKind::Claim) && !self.is_castout()
    }
}

/// Index of a request in the [`Pool`]. The units exchange indices instead of requests.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub struct RequestId(pub u32);

/// All requests under way.
#[derive(Clone, Default, Debug)]
pub struct Pool {
    requests: Vec<Request>,
    free: Vec<RequestId>,
}

impl Pool {
    /// Adds a request.
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

    /// The request with this index.
    #[inline(always)]
    pub fn get(&self, id: RequestId) -> &Request {
        &self.requests[id.0 as usize]
    }

    /// The request with this index, to be changed.
    #[inline(always)]
    pub fn get_mut(&mut self, id: RequestId) -> &mut Request {
        &mut self.requests[id.0 as usize]
    }

    /// Removes a request that is complete.
    #[inline(always)]
    pub fn remove(&mut self, id: RequestId) {
        self.free.push(id);
    }

    /// All requests that have not been removed.
    pub fn under_way(&self) -> impl Iterator<Item = &Request> {
        let all = (0..).map(RequestId).zip(&self.requests);
        all.filter(|(id, _)| !self.free.contains(id)).map(|(_, request)| request)
    }
}
