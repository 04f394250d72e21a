//! The requests in flight. Only this module adds requests to the pool and removes them.
//!
//! A program that runs ahead of the bus clock must know when requests may access its local store. These accesses
//! (*visits*) are tracked once the first program that runs ahead has started. The visits are updated when a request
//! enters or leaves the pool, and when its data enter or leave a ring.

use crate::ea::Target;
use crate::request::{Issuer, Pool, Request, RequestId};
use crate::snapshot::Snapshot;
use crate::units::{BusCycle, NEVER, SPES_MAX, SpeId};

/// All requests in flight, and the local stores that they will access.
pub(crate) struct Requests {
    pool: Pool,
    /// Visits to the local store, by SPE.
    visits: Vec<Visits>,
    /// Whether any program needs the visits.
    visits_tracked: bool,
    /// The bus cycle of the last delivery of a line from or to each SPE; [`NEVER`] before the first.
    visited_at: [BusCycle; SPES_MAX],
}

/// The requests that will access one local store.
#[derive(Clone, Default)]
pub(crate) struct Visits {
    /// The number of requests in flight whose target is the local store.
    pub foreign: u32,
    /// The arrival times of requests whose data have been granted a ring, including requests of the SPE's own MFC.
    pub expected: Vec<BusCycle>,
}

impl Requests {
    /// A pool without requests.
    pub fn new(spes: usize) -> Requests {
        Requests {
            pool: Pool::default(),
            visits: vec![Visits::default(); spes],
            visits_tracked: false,
            visited_at: [NEVER; SPES_MAX],
        }
    }

    /// Adds a request, and numbers it.
    #[inline(always)]
    pub fn add(&mut self, request: Request) -> RequestId {
        if self.visits_tracked
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

    /// Counts a Retry of the request, and returns the request.
    pub fn retried(&mut self, id: RequestId) -> Request {
        let request = self.pool.get_mut(id);
        request.retries = request.retries.saturating_add(1);
        *request
    }

    /// Removes a request that is complete.
    #[inline(always)]
    pub fn remove(&mut self, id: RequestId) {
        if self.visits_tracked
            && let Some(spe) = visited(self.pool.get(id))
        {
            self.visits[usize::from(spe.0)].foreign -= 1;
        }
        self.pool.remove(id);
    }

    /// Begins to track the visits, starting with the requests in flight. `arrivals` returns the requests whose data
    /// have been granted a ring, with their arrival times.
    pub fn track_visits(&mut self, arrivals: impl FnOnce() -> Vec<(RequestId, BusCycle)>) {
        if self.visits_tracked {
            return;
        }
        self.visits_tracked = true;
        for spe in self.pool.under_way().filter_map(visited) {
            self.visits[usize::from(spe.0)].foreign += 1;
        }
        arrivals().into_iter().for_each(|(id, at)| self.expect_visit(id, at));
    }

    /// All requests, by number.
    pub fn pool(&self) -> &Pool {
        &self.pool
    }

    /// The visits to the local store of an SPE.
    pub fn visits(&self, spe: SpeId) -> &Visits {
        &self.visits[usize::from(spe.0)]
    }

    /// Whether `is_meant` is true for the target of any request in flight.
    pub fn any_about(&self, is_meant: impl Fn(Target) -> bool) -> bool {
        self.pool.under_way().any(|request| is_meant(request.target))
    }

    /// Adds a flag to a snapshot: whether a line was delivered from or to the local store of a lookahead SPU in this
    /// bus cycle.
    pub fn capture_visits(&self, spe: SpeId, lookahead: bool, now: BusCycle, out: &mut Snapshot) {
        let Requests {
            // Events and queues that contain request numbers add the requests themselves.
            pool: _,
            visits,
            // The programs determine this value.
            visits_tracked: _,
            visited_at: _,
        } = self;
        let Visits {
            // The requests in flight determine `foreign`.
            foreign: _,
            // The calendar adds these arrivals as events.
            expected: _,
        } = &visits[usize::from(spe.0)];
        out.word(u64::from(lookahead && self.was_visited_at(spe, now)));
    }

    /// Whether a line from or to a local store was delivered in this bus cycle.
    pub fn was_visited_at(&self, spe: SpeId, now: BusCycle) -> bool {
        self.visited_at[usize::from(spe.0) % SPES_MAX] == now
    }

    /// A request's data have been granted a ring, and will arrive at `at`.
    #[inline(always)]
    pub fn expect_visit(&mut self, id: RequestId, at: BusCycle) {
        if self.visits_tracked {
            let (own, visited) = hosts(self.pool.get(id));
            for spe in own.into_iter().chain(visited) {
                self.visits[usize::from(spe.0)].expected.push(at);
            }
        }
    }

    /// A request's data have arrived at their off-ramp.
    #[inline(always)]
    pub fn end_visit(&mut self, id: RequestId, now: BusCycle) {
        let (own, visited) = hosts(self.pool.get(id));
        // Two steps, because a loop over both would take much longer, and this happens for every line.
        if let Some(spe) = own {
            self.visited_at[usize::from(spe.0) % SPES_MAX] = now;
        }
        if let Some(spe) = visited {
            self.visited_at[usize::from(spe.0) % SPES_MAX] = now;
        }
        if self.visits_tracked {
            own.into_iter().chain(visited).for_each(|spe| self.visits[usize::from(spe.0)].end(now));
        }
    }
}

impl Visits {
    fn end(&mut self, now: BusCycle) {
        if let Some(nth) = self.expected.iter().position(|at| *at == now) {
            self.expected.swap_remove(nth);
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

/// The SPEs whose local stores a request accesses: the issuer, and the SPE in the target.
#[inline]
fn hosts(request: &Request) -> (Option<SpeId>, Option<SpeId>) {
    let own = match request.issuer {
        Issuer::Mfc(spe, _) => Some(spe),
        _ => None,
    };
    (own, visited(request))
}
