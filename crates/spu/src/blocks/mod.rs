//! Superblocks: straight-line code whose schedule is computed once.
//!
//! The time of a block of instructions depends on nothing but the state of the pipelines at its entry, relative to
//! the clock ([`Relative`]), and on where its last instruction leads; so does the state that it leaves.  Programs
//! that loop come back to few such states.  Each state at the entry of a block is a *node*; behind each outcome
//! of the block lies a *way* to the next node, with the cycles that it takes.  The plain pipeline computes a way when
//! it is first gone; from then on a block is: the functions of its instructions, a look at where they lead, and
//! one addition to the clock.  That the node is the right one needs no check: the way led there.
//!
//! Blocks run only where the plain pipeline would not stop in between, and where DMA leaves the local store's
//! port alone: both are one comparison.  Otherwise, in code that is entered rarely, and for instructions that ask
//! the world outside, the plain pipeline goes on from the node's state.  It is also what profiles listen to.
//!
//! What is decoded here holds as long as the code: when a line of it is written, everything is forgotten.

mod block;

pub use block::Block;
use block::Progress;

use crate::pipeline::Pipeline;
use crate::pipeline::relative::Relative;
use std::collections::BTreeMap;
use std::rc::Rc;

/// More nodes than programs have whose states come back; beyond that all are forgotten.
const NODES: usize = 1 << 13;

/// The state of the pipelines at the entry of a block.
pub struct Node {
    /// The block; `None` until it is known.
    pub block: Option<Rc<Block>>,
    /// SPU cycles that a turn must still have to come through the block.
    pub span_spu_cycles: u64,
    entry: Rc<Entry>,
    ways: Vec<Way>,
    cuts: Vec<Cut>,
    lines: Vec<Line>,
}

/// What tells nodes apart: the address, and the state there.
type Entry = (u32, Relative);

/// The way from a node to the next.
#[derive(Clone, Copy)]
pub struct Way {
    /// Where the block leads: see [`Block::outcome`].
    outcome: u32,
    /// SPU cycles from this entry to the next.
    spu_cycles: u64,
    /// The number of the next node.
    to: usize,
}

/// The way to the node at which a turn ends within the block.
#[derive(Clone, Copy)]
pub struct Cut {
    /// SPU cycles that the turn still had at the entry.
    left_spu_cycles: u64,
    /// Instructions until then.
    pub instructions: usize,
    /// Whether it ends at a load or store that is too late: then all its time is up.
    pub is_late: bool,
    spu_cycles: u64,
    to: usize,
}

/// The way to the node that differs only in a line that DMA brings or takes.
#[derive(Clone, Copy)]
struct Line {
    /// SPU cycles from the entry until it has the local store's port.
    left_spu_cycles: i64,
    to: usize,
}

/// A place in a run: a node, and how far the run has come.
#[derive(Clone, Copy)]
pub struct Place {
    /// The node's number.
    pub node: usize,
    /// The SPU cycle.
    pub now: u64,
    /// Instructions executed before.
    pub executed: u64,
}

/// All blocks, nodes and ways that are known.
#[derive(Default)]
pub struct Blocks {
    blocks: BTreeMap<u32, Rc<Block>>,
    nodes: Vec<Node>,
    numbers: BTreeMap<Rc<Entry>, usize>,
}

impl Blocks {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Blocks::default();
    }

    /// The block that begins at `address`, if it is known.
    pub fn block(&self, address: u32) -> Option<&Rc<Block>> {
        self.blocks.get(&address)
    }

    /// Takes a block into the list.
    pub fn insert(&mut self, block: Block) {
        self.blocks.insert(block.entry, Rc::new(block));
    }

    /// A node by its number.
    #[inline(always)]
    pub fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    /// The number of the node for the state of the pipelines at `address`.
    pub fn number(&mut self, address: u32, pipeline: &mut Pipeline) -> usize {
        let entry = Rc::new((address, pipeline.relative(address)));
        let known = self.numbers.get(&entry).copied();
        let number = known.unwrap_or_else(|| {
            self.nodes.push(Node {
                block: None,
                span_spu_cycles: 0,
                entry: Rc::clone(&entry),
                ways: Vec::new(),
                cuts: Vec::new(),
                lines: Vec::new(),
            });
            self.numbers.insert(Rc::clone(&entry), self.nodes.len() - 1);
            self.nodes.len() - 1
        });
        let node = &mut self.nodes[number];
        if node.block.is_none()
            && let Some(block) = self.blocks.get(&address).filter(|block| block.is_worth_it())
        {
            let place = Place { node: number, now: pipeline.next(), executed: pipeline.executed(address) };
            node.span_spu_cycles = block.end_spu_cycle(pipeline) - place.now;
            node.block = Some(Rc::clone(block));
            self.resume(place, pipeline);
        }
        number
    }

    /// The address of a place.
    pub fn address(&self, place: Place) -> u32 {
        self.nodes[place.node].entry.0
    }

    /// Lets the pipelines go on from a place; its address.
    pub fn resume(&self, place: Place, pipeline: &mut Pipeline) -> u32 {
        let (address, state) = &*self.nodes[place.node].entry;
        pipeline.resume(state, place.now, place.executed, *address);
        *address
    }

    /// Computes the way that leads from a place by an outcome; the place there.
    #[cold]
    pub fn explore(&mut self, from: Place, outcome: u32, pipeline: &mut Pipeline) -> Place {
        let Some(block) = self.nodes[from.node].block.clone() else { return from };
        self.resume(from, pipeline);
        let address = block.issue_and_leave(outcome, pipeline);
        let spu_cycles = pipeline.next() - from.now;
        let way = Way { outcome, spu_cycles, to: self.number(address, pipeline) };
        self.nodes[from.node].ways.push(way);
        way.from(from, &block)
    }

    /// How far a turn gets that has so many cycles left at a place; `None` if it does not end within the block.
    pub fn cut(&mut self, from: Place, left_spu_cycles: u64, pipeline: &mut Pipeline) -> Option<Cut> {
        let node = &self.nodes[from.node];
        if let Some(cut) = node.cuts.iter().find(|cut| cut.left_spu_cycles == left_spu_cycles) {
            return Some(*cut);
        }
        let block = node.block.clone()?;
        let address = self.resume(from, pipeline);
        let Progress { instructions, is_late, .. } = block.issue_until(from.now + left_spu_cycles, pipeline)?;
        let spu_cycles = pipeline.next() - from.now;
        let to = self.number(address + 4 * instructions as u32, pipeline);
        let cut = Cut { left_spu_cycles, instructions, is_late, spu_cycles, to };
        self.nodes[from.node].cuts.push(cut);
        Some(cut)
    }

    /// Lets DMA occupy the local-store port at `line_at`.
    pub fn line_at(&mut self, from: Place, line_at: u64, pipeline: &mut Pipeline) -> Place {
        let left_spu_cycles = line_at.wrapping_sub(from.now) as i64;
        let known = self.nodes[from.node].lines.iter().find(|line| line.left_spu_cycles == left_spu_cycles);
        let to = known.map(|line| line.to).unwrap_or_else(|| {
            let address = self.resume(from, pipeline);
            pipeline.line_at(line_at);
            let to = self.number(address, pipeline);
            self.nodes[from.node].lines.push(Line { left_spu_cycles, to });
            to
        });
        Place { node: to, ..from }
    }

    /// Whether there are too many nodes.
    #[inline]
    pub fn are_full(&self) -> bool {
        self.nodes.len() >= NODES
    }
}

impl Cut {
    /// Where it leads from a place.
    pub fn from(&self, place: Place) -> Place {
        Place { node: self.to, now: place.now + self.spu_cycles, executed: place.executed + self.instructions as u64 }
    }
}

impl Node {
    /// The way behind an outcome, if it is known.
    #[inline(always)]
    pub fn way(&self, outcome: u32) -> Option<&Way> {
        self.ways.iter().find(|way| way.outcome == outcome)
    }
}

impl Way {
    /// Where it leads from a place, through a block.
    #[inline(always)]
    pub fn from(&self, place: Place, block: &Block) -> Place {
        Place {
            node: self.to,
            now: place.now + self.spu_cycles,
            executed: place.executed + block.instructions() as u64,
        }
    }
}
