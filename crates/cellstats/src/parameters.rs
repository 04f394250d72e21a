//! The table of all parameters: their names, types and flags, and the texts about them.
//!
//! A field's doc comment is also the documentation of the Python keyword.

use crate::chips::{Cells, MemoryChoice};
use crate::choices::{Injection, Level, PpePath, SpeProgram, TransferOp};
use crate::parameter::{Kind, Row, parameters};
use crate::pattern::Pattern;
use crate::refusal::Refusal;
use crate::value::{Given, PlacementChoice, Readable};
use serde_json::Value;

parameters! {
    cell {
        /// Number of SPEs that take part. Default: 1; 2 with spe_to_spe; all in a pattern; 0 for the PPE.
        Spes spes: Option<u32> = Row::count(
            &["-n"],
            "NSPE",
            "SPEs, with one shared buffer. Default: 1; 2 with -s; all in a pattern.",
        )
        .every_number()
        .label("SPEs")
        .host("Cores that take part. Default: 1; 2 if cores communicate; all in a pattern.");

        /// Whether every SPE has a private buffer (or variable) instead of a shared one.
        Private private: bool = Row::switch(&[], "")
            .label("private buffers")
            .why_not("private buffers are for DMA and atomic functions, give {shared}")
            .host("Every core has a buffer or variable of its own.");

        /// Measured iterations, k = 1000; `cellstats --help` lists each function's default.
        Iterations iterations: Option<u64> = Row::count(
            &["-i"],
            "ITER",
            "Iterations; the default depends on FUNCTION, see cellstats --help.",
        )
        .host("Measured iterations of each thread in all samples; the clock decides by default.");

        /// Bytes, k = 1024: of a DMA or list element (128 by default, 16k in a pattern), of an access (16), or of each
        /// message of an exchange whose pattern is given by name (16k).
        Size size: Option<u32> = Row::bytes(
            &["-b"],
            "SIZE",
            "Bytes of a DMA or list element (by default 128, in a pattern 16k), of a message (16k), or of an \
             access (16).",
        )
        .from_zero()
        .column("size_bytes")
        .why_not("only DMA functions, loads and stores have a size")
        .host("Bytes of a copy (128; 16k in a pattern), element (16) or message.");

        /// Elements of one DMA list, 1 by default; a pattern uses lists only with this parameter.
        ListElements list_elements: Option<u32> = Row::count(
            &["-l"],
            "LIST",
            "Elements of a DMA list, 1 by default. With -l, a pattern uses lists.",
        )
        .why_not("only dmalistget, dmalistput and patterns use lists")
        .host("Pieces that a list gathers or scatters.");

        /// Bytes between private buffers, rounded up so that they do not overlap.
        Stride stride: Option<u32> = Row::bytes(&["-t"], "STRIDE", "Bytes between private buffers, rounded up.")
            .column("stride_bytes")
            .why_not("only DMA and atomic functions have a stride")
            .host("Bytes between private buffers, rounded up, or between elements of a chase (64).");

        /// Whether SPEs communicate with each other, not with the PPE or main memory.
        SpeToSpe spe_to_spe: bool = Row::switch(&["-s"], "Between SPEs, not with the PPE or main memory.")
            .label("between SPEs")
            .why_not("it has no effect here, leave {spe_to_spe} out")
            .host(
                "Mailbox, signal: through memory only. DMA: thread 0 holds the buffer in its cache, the other threads \
                 copy from this buffer or to it. Without spe_to_spe, DMAs are between a core and memory.",
            );

        /// How the PPE reaches an SPE: `library` (system calls) or `mmio` (direct registers).
        Ppe ppe: Option<String> = Row::text(
            Kind::Word,
            &["--ppe"],
            "PATH",
            "How the PPE reaches SPEs: library (system calls) or mmio (registers). On the host, how cores reach each \
             other: futex (the same as library), eventfd, pipe, memory (mmio), lines (a line for each direction), or oneway \
             (by the clocks of both).",
            &PpePath::WORDS,
        )
        .default("library")
        .label("PPE")
        .word_labels(&["by system calls", "by registers"])
        .why_not("only mailboxes and signals have a choice of path")
        .host_words(&["library", "mmio", "futex", "eventfd", "pipe", "memory", "lines", "oneway"])
        .host(
            "Mailbox and signal: `futex` (or `library`), `eventfd`, `pipe`, `memory` (or `mmio`). Mailbox: `lines`, \
             through memory with a line for each direction; `oneway`, the time of one direction by the clocks of both.",
        );

        /// What the SPEs run: the `builtin` programs, or the same programs in `c` (mkthread to fetchset only), compiled
        /// for the SPU and run instruction by instruction.
        SpeProgram spe_program: Option<String> = Row::text(
            Kind::Word,
            &["--spe-program"],
            "builtin|c",
            "What the SPEs run: the built-in programs, or the same in C, instruction by instruction.",
            &SpeProgram::WORDS,
        )
        .default("builtin")
        .label("SPE program")
        .word_labels(&["built in", "compiled C"])
        .why_not("only mkthread to fetchset have C programs, leave it out");

        /// DMAs before each wait (in a copy, pairs of DMAs), 1 by default. 0, the default of patterns, waits only at
        /// the end.
        Batch batch: Option<u32> = Row::count(
            &["--batch"],
            "K",
            "Wait for completion after every K DMAs; 0, the default of patterns, waits only at the end.",
        )
        .from_zero()
        .why_not("only DMA functions are batched")
        .host("Number of copies after which stores are ordered.");

        /// Direction of a pattern's DMAs; `copy` (default of couples and cycle) alternates both.
        Op op: Option<String> = Row::text(
            Kind::Word,
            &["--op"],
            "get|put|copy",
            "Direction of a pattern's DMAs; copy alternates gets and puts.",
            &TransferOp::WORDS,
        )
        .word_labels(&["get", "put", "get and put alternately"])
        .why_not("only patterns of traffic have a choice of direction")
        .host("As on a simulated machine.");

        /// Hot spot: `memory` (by default), or the number of the thread that is hot. Permutation: the partner of each
        /// thread as in "1,2,0", or the name of a file with these numbers; random by default.
        Target target: Option<String> = Row::text(
            Kind::WordOrNumber,
            &["--target"],
            "TARGET",
            "The hot spot: memory, or an SPE by the number of its thread; a permutation: 1,2,0 or FILE.",
            &["memory", "0"],
        )
        .why_not("only a hotspot or a permutation has a target to choose")
        .host("As on a simulated machine.");

        /// Where load, store and copy go: `l1` (default), `l2`, `l1l2` (lines), `memory`, `ls`.
        Level level: Option<String> = Row::text(
            Kind::Word,
            &["--level"],
            "LEVEL",
            "Where load, store and copy go: l1 (by default), l2, l1l2, memory (all by the PPE) or ls; on the host l1, \
             l2, l3 or memory.",
            &Level::WORDS,
        )
        .why_not("only load, store and copy have a level")
        .host_words(&["l1", "l2", "l3", "memory"])
        .host("The cache, or memory, that holds the elements of load, store and copy.");

        /// An exchange's messages: a name of `cellstats.patterns`, a `Pattern`, or a file's name.
        Pattern pattern: Option<Pattern> = Row::text(
            Kind::Pattern,
            &["--pattern"],
            "NAME|FILE",
            "Messages of an exchange: a pattern that cellstats pattern shows, or a .csv, .txt or .json file.",
            &[],
        )
        .why_not("only an exchange has a pattern, leave it out")
        .host("As on a simulated machine.");

        /// Threads of the PPE, 1 (by default) or 2, for every level except `ls`.
        Threads threads: Option<u32> = Row::count(
            &["--threads"],
            "THREADS",
            "Threads of the PPE that load, store or copy: 1 (by default) or 2.",
        )
        .every_number()
        .label("PPE threads")
        .why_not("only loads and stores by the PPE have a choice of threads");

        /// Keep the latency of every single DMA, for the column `dma_latency`.
        Histogram histogram: bool = Row::switch(&["--histogram"], "Keep the latency of every single DMA.")
            .why_not("only latencies of DMAs can be kept");

        /// Rate at which each SPE is offered DMAs, however fast they are served: a share of what its port carries in each
        /// direction, such as `0.3` or `30%`, or a bandwidth, such as `8GB/s`. Latency counts from the offer.
        Rate rate: Option<String> = Row::text(
            Kind::Rate,
            &["--rate"],
            "RATE",
            "Offer DMAs to each SPE at this rate: a share of its port's peak (0.3), or a bandwidth (8GB/s).",
            &[],
        )
        .label("offered load")
        .why_not("only patterns of traffic are offered at a rate")
        .host("GB/s to which the threads in the background limit themselves together.");

        /// When DMAs are offered at a rate: `periodic`, `bernoulli` (by default; each cycle with the same probability)
        /// or in `bursts` at the peak, of 8 DMAs on average.
        Injection injection: Option<String> = Row::text(
            Kind::Word,
            &["--injection"],
            "WORD",
            "When DMAs are offered at a rate: periodic, bernoulli (by default) or bursts.",
            &Injection::WORDS,
        )
        .why_not("only patterns of traffic are offered at a rate");

        /// Cells whose SPEs are used: 0 or 1 for a single Cell, "01" or "10" for both, in this order. By default, all
        /// SPEs in the order of the machine's `spes`.
        Cells cells: Option<String> = Row::text(
            Kind::WordOrNumber,
            &["--cells"],
            "0|1|01|10",
            "Cells whose SPEs are used, also by random placements: one Cell, or both in this order.",
            &Cells::WORDS,
        )
        .label("SPEs of")
        .word_labels(&["chip 0", "chip 1", "both, chip 0 first", "both, chip 1 first"]);

        /// Cell whose memory holds buffers and variables, 0 by default, or "interleave" for both.
        Memory memory: Option<String> = Row::text(
            Kind::WordOrNumber,
            &["--memory"],
            "0|1|interleave",
            "Cell (on the host: NUMA node) whose memory holds buffers and variables; interleave alternates all.",
            &MemoryChoice::WORDS,
        )
        .label("memory of")
        .word_labels(&["chip 0", "chip 1", "both, interleaved"])
        .host_words(&["interleave"])
        .host("NUMA node of the memory, or \"interleave\"; by default the node of its CPU.");

        /// Physical SPE of each thread: a list, a text like "0,8-15", an affinity of `cellstats.affinities`, "model"
        /// (the best for an exchange's pattern), or "random" (chosen by `seed` within `cells`). Without `spes`, the
        /// length of a list sets the number of SPEs.
        Placement placement: PlacementChoice = Row::text(
            Kind::Placement,
            &["--placement", "--spes"],
            "SPES|NAME",
            "SPE of each thread, as 0,2,4 or 0,8-15 (without -n, the list sets the number); random; or an affinity: \
             identity, ring, evenodd, overlap, leap2, default, model.",
            &[],
        )
        .host("CPU of each thread, as the operating system numbers them; or \"random\".");

        /// Chooses a random placement, the targets of uniform traffic, and when DMAs are offered at a rate.
        Seed seed: Option<u64> = Row::count(&["--seed"], "SEED", "Seed of placements, targets and times at random.")
        .from_zero()
        .every_number()
        .host("Chooses a random placement, and the targets of uniform traffic.");

        /// Skip the rest of a loop whose pace has settled in its first eighth; the result says whether it has.
        Settle settle: bool = Row::switch(&["--settle"], "Skip the rest of a loop whose pace has settled within 0.2 %.");

        /// Skip whole periods of the loop; never changes a result. True by default.
        FastForward fast_forward: Option<bool> = Row::switch(&[], "");
    }
    host {
        NonTemporal non_temporal = Row::switch(&["--non-temporal"], "Host: store past the caches.")
            .why_not("only bulk stores can be non-temporal, leave it out")
            .host("Stores go past the caches.");
        SignalMode signal_mode = Row::text(
            Kind::Word,
            &["--signal-mode"],
            "overwrite|or",
            "Host: signals overwrite a word (by default), or set bits in it.",
            &["overwrite", "or"],
        )
        .why_not("only signals have a mode")
        .host("A signal overwrites a word (`overwrite`), or sets bits in it (`or`).");
        WorkingSet working_set = Row::bytes(
            &["--working-set"],
            "SIZE",
            "Host: memory that each thread of load, store or copy walks over, in place of a level.",
        )
        .column("working_set_bytes")
        .why_not("only load, store and copy have a working set")
        .host("Bytes that each thread of load, store or copy walks over, in place of a level.");
        Chase chase = Row::text(
            Kind::Word,
            &["--chase"],
            "lines|pages",
            "Host: each load's address is the value of the previous load, in a random order of all lines, or some \
             pages after the other.",
            &["lines", "pages"],
        )
        .why_not("only loads can be a chase")
        .host("Each load waits for the previous one; in order of all `lines`, or of 16 `pages` at once.");
        Pages pages = Row::text(
            Kind::Word,
            &["--pages"],
            "small|huge",
            "Host: working sets are on the smallest pages, or on huge pages; by default as malloc gives them.",
            &["small", "huge"],
        )
        .why_not("only load, store and copy have a choice of pages")
        .host("Pages of working sets, `small` or `huge`; by default those that malloc gives.");
        Mix mix = Row::text(
            Kind::Word,
            &["--mix"],
            "1:1|2:1|3:1",
            "Host: reads and writes of a copy; it writes one of the elements that it reads.",
            &["1:1", "2:1", "3:1"],
        )
        .why_not("only a copy is a mixture of reads and writes")
        .host("Elements that a copy reads for each one that it writes: `1:1`, `2:1` or `3:1`.");
        Background background = Row::text(
            Kind::Word,
            &["--background"],
            "WHAT",
            "Host: during a chase, all threads but thread 0 load, store or copy in memory; or thread 1 held the working \
             set in its caches before, clean or dirty.",
            &["load", "store", "copy", "clean", "dirty"],
        )
        .why_not("only a chase has traffic in the background")
        .host(
            "During a chase, all threads but thread 0 `load`, `store` or `copy` in memory. Or before each sample, thread 1 \
             takes the working set into its caches, `clean` or `dirty`.",
        );
        Samples samples = Row::count(
            &["--samples"],
            "K",
            "Host: number of samples in all repetitions together; by default 180.",
        )
        .every_number()
        .host("Samples to take in all repetitions; 180 by default.");
        Budget budget = Row::text(
            Kind::Time,
            &["--budget"],
            "TIME",
            "Host: time for all samples, such as 500ms or 2m; by default 30s for a matrix.",
            &[],
        )
        .host(
            "Seconds, or a text such as \"500ms\", over which samples are spread and after which no more are taken; \
             by default, they are spread over 2 s and all are taken.",
        );
    }
    names {
        /// The FUNCTION itself.
        Function function;
        /// The number of SPEs of a measurement with private buffers, set by `-N` instead of `-n`.
        PrivateSpes private_spes;
        /// Bus cycles of a trace.
        Window window;
        /// Bus cycles before a trace.
        Skip skip;
        /// Which placements, of many.
        Placements placements;
    }
}

impl Parameter {
    /// The parameters of measurements on simulated machines.
    pub fn of_cell() -> impl Iterator<Item = Parameter> {
        Parameter::ALL.iter().filter(|(_, _, row)| !row.cell.is_empty()).map(|(parameter, ..)| *parameter)
    }

    fn entry(self) -> &'static (Parameter, &'static str, Row) {
        &Parameter::ALL[self as usize]
    }

    /// The parameter's name.
    pub fn name(self) -> &'static str {
        self.entry().1
    }

    /// The description of the parameter.
    pub fn row(self) -> &'static Row {
        &self.entry().2
    }

    /// The label of its field on a page.
    pub fn label(self) -> String {
        self.row().label.map_or_else(|| self.name().replace('_', " "), String::from)
    }

    /// The name of its column in a result.
    pub fn column(self) -> &'static str {
        self.row().column.unwrap_or(self.name())
    }

    /// The parameter with this name.
    pub fn from_name(name: &str) -> Option<Parameter> {
        Parameter::ALL.iter().find(|(_, known, _)| *known == name).map(|(parameter, ..)| *parameter)
    }

    /// The usual reason why a FUNCTION lacks the parameter.
    pub fn why_not(self) -> &'static str {
        self.row().why_not.unwrap_or("leave it out")
    }
}
