//! The choices in a request, with their names in JSON: paths, directions, targets, levels, nodes.

use serde::Deserialize;

/// The path of a mailbox message or a signal from one thread to another.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Path {
    /// Through the kernel, by a word in memory and `futex(2)`.
    Futex,
    /// Through the kernel, by `eventfd(2)`.
    Eventfd,
    /// Through the kernel, by `pipe(2)`.
    Pipe,
    /// Through memory only: the receiving thread polls.
    Memory,
    /// Through memory only, with a line for each direction, which one thread writes.
    Lines,
    /// As `Lines`, but the time of one direction, by the clocks of both threads.
    OneWay,
}

/// The NUMA node from which memory is allocated.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(try_from = "Option<NodeWord>")]
pub enum Node {
    /// The node of the CPU that touches the memory first.
    #[default]
    FirstTouch,
    /// The node with this number.
    Number(u32),
    /// Interleaved: pages alternate between all nodes.
    Interleave,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum NodeWord {
    Number(u32),
    Name(String),
}

impl TryFrom<Option<NodeWord>> for Node {
    type Error = String;

    fn try_from(word: Option<NodeWord>) -> Result<Node, String> {
        match word {
            None => Ok(Node::FirstTouch),
            Some(NodeWord::Number(node)) => Ok(Node::Number(node)),
            Some(NodeWord::Name(name)) if name == "interleave" => Ok(Node::Interleave),
            Some(NodeWord::Name(name)) => Err(format!("memory_node {name:?}: give a number or interleave")),
        }
    }
}

impl Node {
    /// A description in words; `owner` is the thread that touches the memory first.
    pub fn words(self, owner: &str) -> String {
        match self {
            Node::FirstTouch => format!("memory node of {owner}"),
            Node::Number(node) => format!("memory node {node}"),
            Node::Interleave => "pages on all memory nodes in turn".to_string(),
        }
    }
}

/// The pages that a buffer receives.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Pages {
    /// The pages that a program which calls `malloc` receives.
    #[default]
    Ordinary,
    /// The smallest pages only.
    Small,
    /// Huge pages, as far as the kernel has some.
    Huge,
}

/// The order in which a chase visits the elements of its working set.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Chase {
    /// Any element may follow any other. In a large working set, most loads miss the buffers of translations.
    Lines,
    /// All elements of a few pages before other pages, so that few loads miss the buffers of translations.
    Pages,
}

/// What other threads do during a chase, or before it.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Background {
    Load,
    /// Stores.
    Store,
    /// Copies.
    Copy,
    /// Thread 1 holds the working set in its caches, unchanged.
    Clean,
    /// Thread 1 holds the working set in its caches, changed.
    Dirty,
}

/// Method of sending a signal.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SignalMode {
    /// By an atomic OR, which preserves bits that were sent earlier but not yet read.
    Or,
    /// By a store.
    #[default]
    Overwrite,
}

/// The direction of copies.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Op {
    /// Copies from the other side's memory into the thread's own buffer.
    Get,
    /// Copies from the thread's own buffer to the other side's memory.
    Put,
    /// Copies in both directions alternately, as `Get` and `Put` do.
    Copy,
}

/// The target of hot-spot traffic, or the partners of a permutation.
#[derive(Clone, PartialEq, Eq, Debug, Deserialize)]
#[serde(try_from = "ThreadOrName")]
pub enum Target {
    /// Main memory.
    Memory,
    /// The buffer of the thread with this number.
    Thread(usize),
    /// The partner of each thread.
    Partners(Vec<usize>),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum ThreadOrName {
    Thread(usize),
    Partners(Vec<usize>),
    Name(String),
}

impl TryFrom<ThreadOrName> for Target {
    type Error = String;

    fn try_from(word: ThreadOrName) -> Result<Target, String> {
        match word {
            ThreadOrName::Thread(thread) => Ok(Target::Thread(thread)),
            ThreadOrName::Partners(partners) => Ok(Target::Partners(partners)),
            ThreadOrName::Name(name) if name == "memory" => Ok(Target::Memory),
            ThreadOrName::Name(name) => Err(format!("target {name:?}: give the number of a thread, or memory")),
        }
    }
}

/// The level of memory that a working set is meant to fit. The level only appears again in the answer, and has no
/// other use.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs)] // The variants' names are enough.
pub enum Level {
    L1,
    L2,
    L3,
    Memory,
}

impl Level {
    /// A clause about the level that a working set is meant for; empty without one.
    pub fn meant(level: Option<Level>) -> String {
        level.map_or(String::new(), |level| format!(", meant for {}", format!("{level:?}").replace("Memory", "memory")))
    }
}
