//! The Gilmore-Lawler bound, a lower bound of the cost of every placement.
//!
//! A single thread on a core has its lowest cost if its largest flows take the shortest distances from this core
//! (Gilmore 1962, Lawler 1963). The sum of the cheapest linear assignment with these costs is a lower bound on the
//! total cost of all threads, even when some threads are already placed.

use crate::matching::Matching;
use crate::problem::{Matrix, Problem};

/// A lower bound of the cost of every placement of the problem.
pub fn gilmore_lawler(problem: &Problem) -> u64 {
    Partial::new(problem).relax().matching.cost as u64
}

/// A placement under construction.
pub(crate) struct Partial<'a> {
    problem: &'a Problem,
    /// The core of each thread that is placed.
    pub core: Vec<Option<usize>>,
    /// The thread of each occupied core.
    pub thread: Vec<Option<usize>>,
    /// Cost of the placed threads, excluding traffic between placed and unplaced threads.
    pub cost: i64,
    /// Cost of each unplaced thread on each core: linear cost, and traffic with itself and the placed threads.
    attached: Matrix,
    /// For each thread, the other threads by descending flow from this thread.
    partners: Vec<Vec<usize>>,
    /// For each core, the other cores, nearest first.
    neighbours: Vec<Vec<usize>>,
}

/// Lower bounds of each unplaced thread's cost on each free core, and the matching with the lowest sum of these bounds.
pub(crate) struct Relaxed {
    pub threads: Vec<usize>,
    pub cores: Vec<usize>,
    pub costs: Vec<i64>,
    pub matching: Matching,
}

impl<'a> Partial<'a> {
    /// A placement with no thread placed yet.
    pub fn new(problem: &'a Problem) -> Partial<'a> {
        let (threads, cores) = (problem.threads(), problem.cores());
        let mut attached = Matrix::zero(threads, cores);
        for thread in 0..threads {
            for core in 0..cores {
                let alone = problem.flow.at(thread, thread) * problem.distance.at(core, core);
                *attached.at_mut(thread, core) = problem.linear.at(thread, core) + alone;
            }
        }
        let sorted = |this: usize, count: usize, key: &dyn Fn(usize) -> i64| {
            let mut others: Vec<usize> = (0..count).filter(|&other| other != this).collect();
            others.sort_by_key(|&other| key(other));
            others
        };
        Partial {
            problem,
            core: vec![None; threads],
            thread: vec![None; cores],
            cost: 0,
            attached,
            partners: (0..threads).map(|i| sorted(i, threads, &|j| -problem.flow.at(i, j))).collect(),
            neighbours: (0..cores).map(|k| sorted(k, cores, &|l| problem.distance.at(k, l))).collect(),
        }
    }

    /// Places a thread on a free core.
    pub fn place(&mut self, thread: usize, core: usize) {
        self.cost += self.attached.at(thread, core);
        self.core[thread] = Some(core);
        self.thread[core] = Some(thread);
        self.attach(thread, core, 1);
    }

    /// Removes a thread from its core.
    pub fn remove(&mut self, thread: usize, core: usize) {
        self.attach(thread, core, -1);
        self.core[thread] = None;
        self.thread[core] = None;
        self.cost -= self.attached.at(thread, core);
    }

    fn attach(&mut self, thread: usize, core: usize, sign: i64) {
        let Problem { flow, distance, .. } = self.problem;
        for other in (0..self.core.len()).filter(|&other| self.core[other].is_none()) {
            let (to, from) = (sign * flow.at(thread, other), sign * flow.at(other, thread));
            for (there, attached) in self.attached.row_mut(other).iter_mut().enumerate() {
                *attached += to * distance.at(core, there) + from * distance.at(there, core);
            }
        }
    }

    /// Bounds the cost of the unplaced threads. At least one thread must be unplaced.
    pub fn relax(&self) -> Relaxed {
        let open = |slots: &[Option<usize>]| -> Vec<usize> {
            slots.iter().enumerate().filter(|(_, slot)| slot.is_none()).map(|(nth, _)| nth).collect()
        };
        let (threads, cores) = (open(&self.core), open(&self.thread));
        let partners = threads.len() - 1;
        let distances: Vec<Vec<i64>> = cores
            .iter()
            .map(|&core| {
                let free = self.neighbours[core].iter().filter(|&&other| self.thread[other].is_none());
                free.take(partners).map(|&other| self.problem.distance.at(core, other)).collect()
            })
            .collect();
        let mut costs = Vec::with_capacity(threads.len() * cores.len());
        for &thread in &threads {
            let open = self.partners[thread].iter().filter(|&&other| self.core[other].is_none());
            let flows: Vec<i64> = open.map(|&other| self.problem.flow.at(thread, other)).collect();
            for (&core, distances) in cores.iter().zip(&distances) {
                let apart: i64 = flows.iter().zip(distances).map(|(flow, distance)| flow * distance).sum();
                costs.push(self.attached.at(thread, core) + apart);
            }
        }
        let matching = Matching::of(&costs, threads.len(), cores.len());
        Relaxed { threads, cores, costs, matching }
    }

    /// A complete placement: placed threads keep their cores, and the matching in `relaxed` assigns cores to the other
    /// threads.
    pub fn completed(&self, relaxed: &Relaxed) -> Vec<usize> {
        let mut placement: Vec<usize> = self.core.iter().map(|core| core.unwrap_or(0)).collect();
        for (&thread, &column) in relaxed.threads.iter().zip(&relaxed.matching.columns) {
            placement[thread] = relaxed.cores[column];
        }
        placement
    }
}
