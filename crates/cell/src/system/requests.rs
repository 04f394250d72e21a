//! The requests under way: the only way into their pool, and out of it.
//!
//! A program that runs ahead of the bus clock has to know when requests may touch its local store: that is kept
//! up to date on the way in, on the way out, and at both ends of a ring, from when the first such program starts.

use crate::ea::Target;
use crate::request::{Issuer, Pool, Request, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, SPES_MAX, SpeId};

/// All requests under way, and the local stores that they will touch.
pub(crate) struct Requests {
    pool: Pool,
    /// By SPE.
    visits: Vec<Visits>,
    /// Whether anybody asks for them.
    visits_matter: bool,
    /// By SPE: when a line came or went last; [`NEVER`] if none has.
    visited_at: [BusCycle; SPES_MAX],
}

/// Requests that will touch a local store.
#[derive(Clone, Default)]
pub(crate) struct Visits {
    /// Those of other units that are under way.
    pub foreign: u32,
    /// Arrivals of those that have a ring, of whichever unit.
    pub expected: Vec<BusCycle>,
}

impl Requests {
    /// None under way.
    pub fn new(spes: usize) -> Requests {
        Requests {
            pool: Pool::default(),
            visits: vec![Visits::default(); spes],
            visits_matter: false,
            visited_at: [NEVER; SPES_MAX],
        }
    }

    /// Takes a request in.
    #[inline(always)]
    pub fn add(&mut self, request: Request) -> RequestId {
        if self.visits_matter
            && let Some(spe) = visited(&request)
        {
            self.visits[usize::from(spe.0)].foreign += 1;
        }
        self.pool.add(request)
    }

    /// The request with this number.
    #[inline(always)]
    pub fn get(&self, id: RequestId) -> &Request {
        self.pool.get(id)
    }

    /// Forgets a request that has done its work.
    #[inline(always)]
    pub fn remove(&mut self, id: RequestId) {
        if self.visits_matter
            && let Some(spe) = visited(self.pool.get(id))
        {
            self.visits[usize::from(spe.0)].foreign -= 1;
        }
        self.pool.remove(id);
    }

    /// From now on somebody asks for visits: what is under way becomes known, with the arrivals of what has a ring.
    pub fn tell_visits(&mut self, arrivals: impl FnOnce() -> Vec<(RequestId, BusCycle)>) {
        if self.visits_matter {
            return;
        }
        self.visits_matter = true;
        for spe in self.pool.under_way().filter_map(visited) {
            self.visits[usize::from(spe.0)].foreign += 1;
        }
        arrivals().into_iter().for_each(|(id, at)| self.expect_visit(id, at));
    }

    /// All of them, by number.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// Those that will touch the local store of an SPE.
    pub fn visits(&self, spe: SpeId) -> &Visits {
        &self.visits[usize::from(spe.0)]
    }

    /// Whether a request that is under way is about storage or registers of which this is true.
    pub fn any_about(&self, is_meant: impl Fn(Target) -> bool) -> bool {
        self.pool.under_way().any(|request| is_meant(request.target))
    }

    /// Adds, of a lookahead SPU, whether a line came or went in this bus cycle.
    pub fn capture_visits(&self, spe: SpeId, lookahead: bool, now: BusCycle, out: &mut Snapshot) {
        let Requests {
            // Events and queues that hold their numbers add them.
            pool: _,
            visits,
            // Decided by the programs.
            visits_matter: _,
            visited_at: _,
        } = self;
        let Visits {
            // Follows from the requests.
            foreign: _,
            // They are events of the calendar.
            expected: _,
        } = &visits[usize::from(spe.0)];
        out.word(u64::from(lookahead && self.was_visited_at(spe, now)));
    }

    /// Whether a line came to a local store, or went from there, in this bus cycle.
    pub fn was_visited_at(&self, spe: SpeId, now: BusCycle) -> bool {
        self.visited_at[usize::from(spe.0) % SPES_MAX] == now
    }

    /// A request's data have a ring, and arrive at `at`.
    #[inline(always)]
    pub fn expect_visit(&mut self, id: RequestId, at: BusCycle) {
        if self.visits_matter {
            let (own, visited) = hosts(self.pool.get(id));
            for spe in own.into_iter().chain(visited) {
                self.visits[usize::from(spe.0)].expected.push(at);
            }
        }
    }

    /// A request's data have arrived where the ring was to bring them.
    #[inline(always)]
    pub fn end_visit(&mut self, id: RequestId, now: BusCycle) {
        let (own, visited) = hosts(self.pool.get(id));
        for spe in own.into_iter().chain(visited) {
            self.visited_at[usize::from(spe.0) % SPES_MAX] = now;
        }
        if self.visits_matter {
            own.into_iter().chain(visited).for_each(|spe| self.visits[usize::from(spe.0)].end(now));
        }
    }
}

impl Visits {
    fn end(&mut self, now: BusCycle) {
        if let Some(place) = self.expected.iter().position(|at| *at == now) {
            self.expected.swap_remove(place);
        }
    }
}

/// The SPE whose local store is a request's target.
fn visited(request: &Request) -> Option<SpeId> {
    match request.target {
        Target::LocalStore(spe, _) => Some(spe),
        _ => None,
    }
}

/// The SPEs whose local stores a request touches: its own, and its target's.
#[inline]
fn hosts(request: &Request) -> (Option<SpeId>, Option<SpeId>) {
    let own = match request.issuer {
        Issuer::Mfc(spe, _) => Some(spe),
        _ => None,
    };
    (own, visited(request))
}
