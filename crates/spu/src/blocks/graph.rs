//! Nodes and the ways between them.

use super::block::{Block, Progress};
use crate::pipeline::Pipeline;
use crate::pipeline::relative::Relative;
use std::collections::BTreeMap;
use std::rc::Rc;

/// More nodes than the states to which programs come back; beyond that all are forgotten.
const NODES: usize = 1 << 12;

/// All blocks, nodes and ways that are known.
#[derive(Default)]
pub struct Blocks {
    /// By the addresses of their entries.
    blocks: BTreeMap<u32, Rc<Block>>,
    nodes: Vec<Node>,
    /// The numbers of nodes.
    numbers: BTreeMap<Rc<Entry>, usize>,
}

/// What tells nodes apart: an address, and the state of the pipelines there.
type Entry = (u32, Relative);

/// A state of the pipelines at the entry of a block.
pub struct Node {
    /// The block; `None` until it is known, or if it is not worth it.
    pub block: Option<Rc<Block>>,
    /// SPU cycles that a turn must have left to come through the block.
    pub span_spu_cycles: u64,
    entry: Rc<Entry>,
    /// By the outcomes of the block: see [`Block::outcome`].
    ways: Vec<Way<u32>>,
    /// By the SPU cycles that the turn has left, which are fewer than the span.
    cuts: Vec<Cut>,
    /// By the SPU cycles until the line occupies the port; less than 0 if that was before.
    lines: Vec<Way<i64>>,
}

/// The way from a node to another one.
#[derive(Clone, Copy)]
pub struct Way<Event> {
    /// What has to happen.
    event: Event,
    /// Instructions between them.
    pub instructions: usize,
    spu_cycles: u64,
    to: usize,
}

/// The way to where a turn ends within a block.
#[derive(Clone, Copy)]
pub struct Cut {
    /// The way itself.
    pub way: Way<u64>,
    /// Whether it ends at a load or store that comes too late: then all its time is used up.
    pub is_late: bool,
}

/// Where a run stands.
#[derive(Clone, Copy)]
pub struct Place {
    /// The number of the node.
    pub node: usize,
    /// The SPU cycle.
    pub now: u64,
    /// Instructions executed before.
    pub executed: u64,
}

impl Blocks {
    /// Forgets everything.
    pub fn clear(&mut self) {
        *self = Blocks::default();
    }

    /// Whether there are too many nodes.
    #[inline]
    pub fn are_full(&self) -> bool {
        self.nodes.len() >= NODES
    }

    /// The block that begins at `address`, if it is known.
    pub fn block(&self, address: u32) -> Option<&Block> {
        self.blocks.get(&address).map(Rc::as_ref)
    }

    /// Takes in a block.
    pub fn insert(&mut self, block: Block) {
        self.blocks.insert(block.entry, Rc::new(block));
    }

    /// A node by its number.
    #[inline(always)]
    pub fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    /// The address of a place.
    pub fn address(&self, place: Place) -> u32 {
        self.nodes[place.node].entry.0
    }

    /// The place of a run that is about to execute what lies at `address`.
    pub fn place(&mut self, address: u32, pipeline: &mut Pipeline) -> Place {
        let entry = Rc::new((address, pipeline.relative(address)));
        let node = self.numbers.get(&entry).copied().unwrap_or_else(|| self.add(entry));
        let place = Place { node, now: pipeline.next(), executed: pipeline.executed(address) };
        let block = self.blocks.get(&address).filter(|block| block.is_worth_it());
        if self.nodes[node].block.is_none()
            && let Some(block) = block
        {
            self.nodes[node].block = Some(Rc::clone(block));
            self.nodes[node].span_spu_cycles = block.end_spu_cycle(pipeline) - place.now;
            self.resume(place, pipeline);
        }
        place
    }

    fn add(&mut self, entry: Rc<Entry>) -> usize {
        let number = self.nodes.len();
        self.numbers.insert(Rc::clone(&entry), number);
        self.nodes.push(Node {
            block: None,
            span_spu_cycles: 0,
            entry,
            ways: Vec::new(),
            cuts: Vec::new(),
            lines: Vec::new(),
        });
        number
    }

    /// Lets the pipelines go on from a place; its address.
    pub fn resume(&self, place: Place, pipeline: &mut Pipeline) -> u32 {
        let (address, state) = &*self.nodes[place.node].entry;
        pipeline.resume(state, place.now, place.executed, *address);
        *address
    }

    /// Computes the way that leads from a place by an outcome of its block; the place there.
    #[cold]
    pub fn explore(&mut self, from: Place, outcome: u32, pipeline: &mut Pipeline) -> Place {
        let Some(block) = self.nodes[from.node].block.clone() else { return from };
        self.resume(from, pipeline);
        let address = block.issue_and_leave(outcome, pipeline);
        let to = self.place(address, pipeline);
        self.nodes[from.node].ways.push(Way::between(from, to, outcome));
        to
    }

    /// Where a turn ends that has so many cycles left at a place; `None` if that is not within the block.
    pub fn cut(&mut self, from: Place, left_spu_cycles: u64, pipeline: &mut Pipeline) -> Option<Cut> {
        let node = &self.nodes[from.node];
        if let Some(cut) = node.cuts.iter().find(|cut| cut.way.event == left_spu_cycles) {
            return Some(*cut);
        }
        let block = node.block.clone()?;
        let address = self.resume(from, pipeline);
        let Progress { instructions, is_late, .. } = block.issue_until(from.now + left_spu_cycles, pipeline)?;
        let to = self.place(address + 4 * instructions as u32, pipeline);
        let cut = Cut { way: Way::between(from, to, left_spu_cycles), is_late };
        self.nodes[from.node].cuts.push(cut);
        Some(cut)
    }

    /// The place that differs only in that DMA occupies the local-store port at `line_at`.
    pub fn line_at(&mut self, from: Place, line_at: u64, pipeline: &mut Pipeline) -> Place {
        let left_spu_cycles = line_at as i64 - from.now as i64;
        if let Some(way) = self.nodes[from.node].lines.iter().find(|way| way.event == left_spu_cycles) {
            return way.from(from);
        }
        let address = self.resume(from, pipeline);
        pipeline.line_at(line_at);
        let to = self.place(address, pipeline);
        self.nodes[from.node].lines.push(Way::between(from, to, left_spu_cycles));
        to
    }
}

impl Node {
    /// The way behind an outcome of the block, if it is known.
    #[inline(always)]
    pub fn way(&self, outcome: u32) -> Option<&Way<u32>> {
        self.ways.iter().find(|way| way.event == outcome)
    }
}

impl<Event> Way<Event> {
    fn between(from: Place, to: Place, event: Event) -> Way<Event> {
        let instructions = (to.executed - from.executed) as usize;
        Way { event, instructions, spu_cycles: to.now - from.now, to: to.node }
    }

    /// Where it leads from a place.
    #[inline(always)]
    pub fn from(&self, place: Place) -> Place {
        Place { node: self.to, now: place.now + self.spu_cycles, executed: place.executed + self.instructions as u64 }
    }
}
