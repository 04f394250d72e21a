//! The graph of blocks: nodes, and the edges between them.

use super::block::{Block, Progress};
use crate::pipeline::Pipeline;
use crate::pipeline::relative::Relative;
use std::collections::BTreeMap;
use std::rc::Rc;

/// The maximum number of nodes, which exceeds the number of states to which programs repeatedly return. When this limit
/// is reached, the whole graph is dropped.
const NODES: usize = 1 << 12;

/// All known blocks, nodes and edges.
#[derive(Default)]
pub struct Blocks {
    /// The blocks, indexed by the address of their first instruction.
    blocks: BTreeMap<u32, Rc<Block>>,
    nodes: Vec<Node>,
    /// Indices into `nodes`.
    indices: BTreeMap<Rc<Entry>, usize>,
}

/// The key of a node: an address, and the state of the pipelines before the instruction at that address.
type Entry = (u32, Relative);

/// A node: an address, usually the entry of a block, and the state of the pipelines before the instruction at that
/// address.
pub struct Node {
    /// The block at this address; `None` while the block is unknown or not worthwhile.
    pub block: Option<Rc<Block>>,
    /// The minimum number of SPU cycles that a turn must have left so that the whole block can execute.
    pub span_spu_cycles: u64,
    entry: Rc<Entry>,
    /// The edges selected by the outcome of the block (see [`Block::outcome`]).
    edges: Vec<Edge<u32>>,
    /// The edges for turns that end within the block, selected by the number of SPU cycles that the turn has left.
    cuts: Vec<Cut>,
    /// The edges for DMA, selected by the number of SPU cycles until DMA occupies the port. The number is negative if
    /// DMA occupied the port earlier.
    lines: Vec<Edge<i64>>,
}

/// An edge of the graph, which leads from one node to another when the edge's event happens.
#[derive(Clone, Copy)]
pub struct Edge<Event> {
    /// The event that distinguishes this edge from the node's other edges of the same kind.
    event: Event,
    /// The number of instructions executed along the edge.
    pub instructions: usize,
    spu_cycles: u64,
    to: usize,
}

/// An edge to the point within a block at which a turn ends.
#[derive(Clone, Copy)]
pub struct Cut {
    /// The edge to the end of the turn.
    pub edge: Edge<u64>,
    /// Whether the turn ends because a load or store would issue after the end of the turn. Such a turn uses up all of
    /// its time.
    pub is_late: bool,
}

/// The current position of the executing program in the graph.
#[derive(Clone, Copy)]
pub struct Position {
    /// The index of the node.
    pub node: usize,
    /// The current SPU cycle.
    pub now: u64,
    /// The number of instructions executed so far.
    pub executed: u64,
}

impl Blocks {
    /// Drops all blocks, nodes and edges.
    pub fn clear(&mut self) {
        *self = Blocks::default();
    }

    /// Whether the graph has reached its limit of nodes.
    #[inline]
    pub fn are_full(&self) -> bool {
        self.nodes.len() >= NODES
    }

    /// The block that begins at `address`, if it is known.
    pub fn block(&self, address: u32) -> Option<&Block> {
        self.blocks.get(&address).map(Rc::as_ref)
    }

    /// Adds a block.
    pub fn insert(&mut self, block: Block) {
        self.blocks.insert(block.entry, Rc::new(block));
    }

    /// The node with this index.
    #[inline(always)]
    pub fn node(&self, number: usize) -> &Node {
        &self.nodes[number]
    }

    /// The address of the next instruction to be executed at a position.
    pub fn address(&self, position: Position) -> u32 {
        self.nodes[position.node].entry.0
    }

    /// The position of a program that is about to execute the instruction at `address`.
    pub fn position(&mut self, address: u32, pipeline: &mut Pipeline) -> Position {
        let entry = Rc::new((address, pipeline.relative(address)));
        let node = self.indices.get(&entry).copied().unwrap_or_else(|| self.add(entry));
        let position = Position { node, now: pipeline.next(), executed: pipeline.executed(address) };
        let block = self.blocks.get(&address).filter(|block| block.is_worthwhile());
        if self.nodes[node].block.is_none()
            && let Some(block) = block
        {
            self.nodes[node].block = Some(Rc::clone(block));
            self.nodes[node].span_spu_cycles = block.end_spu_cycle(pipeline) - position.now;
            self.resume(position, pipeline);
        }
        position
    }

    fn add(&mut self, entry: Rc<Entry>) -> usize {
        let number = self.nodes.len();
        self.indices.insert(Rc::clone(&entry), number);
        self.nodes.push(Node {
            block: None,
            span_spu_cycles: 0,
            entry,
            edges: Vec::new(),
            cuts: Vec::new(),
            lines: Vec::new(),
        });
        number
    }

    /// Restores the pipelines' state at a position. Returns the position's address.
    pub fn resume(&self, position: Position, pipeline: &mut Pipeline) -> u32 {
        let (address, state) = &*self.nodes[position.node].entry;
        pipeline.resume(state, position.now, position.executed, *address);
        *address
    }

    /// Computes the edge for an outcome of the block at `from`. Returns the position at the end of the edge.
    #[cold]
    pub fn explore(&mut self, from: Position, outcome: u32, pipeline: &mut Pipeline) -> Position {
        let Some(block) = self.nodes[from.node].block.clone() else { return from };
        self.resume(from, pipeline);
        let address = block.issue_and_leave(outcome, pipeline);
        let to = self.position(address, pipeline);
        self.nodes[from.node].edges.push(Edge::between(from, to, outcome));
        to
    }

    /// The edge from `from` to the point at which a turn ends, if the turn has `left_spu_cycles` left. Returns `None`
    /// if the turn does not end within the block.
    pub fn cut(&mut self, from: Position, left_spu_cycles: u64, pipeline: &mut Pipeline) -> Option<Cut> {
        let node = &self.nodes[from.node];
        if let Some(cut) = node.cuts.iter().find(|cut| cut.edge.event == left_spu_cycles) {
            return Some(*cut);
        }
        let block = node.block.clone()?;
        let address = self.resume(from, pipeline);
        let Progress { instructions, is_late, .. } = block.issue_until(from.now + left_spu_cycles, pipeline)?;
        let to = self.position(address + 4 * instructions as u32, pipeline);
        let cut = Cut { edge: Edge::between(from, to, left_spu_cycles), is_late };
        self.nodes[from.node].cuts.push(cut);
        Some(cut)
    }

    /// The position that differs from `from` only in that DMA occupies the local-store port in cycle `line_at`.
    pub fn line_at(&mut self, from: Position, line_at: u64, pipeline: &mut Pipeline) -> Position {
        let left_spu_cycles = line_at as i64 - from.now as i64;
        if let Some(edge) = self.nodes[from.node].lines.iter().find(|edge| edge.event == left_spu_cycles) {
            return edge.from(from);
        }
        let address = self.resume(from, pipeline);
        pipeline.line_at(line_at);
        let to = self.position(address, pipeline);
        self.nodes[from.node].lines.push(Edge::between(from, to, left_spu_cycles));
        to
    }
}

impl Node {
    /// The edge for an outcome of the block, if the graph already has that edge.
    #[inline(always)]
    pub fn edge(&self, outcome: u32) -> Option<&Edge<u32>> {
        self.edges.iter().find(|edge| edge.event == outcome)
    }
}

impl<Event> Edge<Event> {
    fn between(from: Position, to: Position, event: Event) -> Edge<Event> {
        let instructions = (to.executed - from.executed) as usize;
        Edge { event, instructions, spu_cycles: to.now - from.now, to: to.node }
    }

    /// The position that is reached by following the edge from `position`.
    #[inline(always)]
    pub fn from(&self, position: Position) -> Position {
        Position {
            node: self.to,
            now: position.now + self.spu_cycles,
            executed: position.executed + self.instructions as u64,
        }
    }
}
