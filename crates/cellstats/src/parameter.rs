//! The parameters of a measurement, by name.

/// One parameter; its name is the keyword of the Python package and the key of a request.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
#[allow(missing_docs)] // Each is described where it is read: `crate::parameters::Parameters`.
pub enum Parameter {
    Function,
    Spes,
    /// `spes` of a measurement in which each has a buffer of its own: `-N` in place of `-n`.
    PrivateSpes,
    Private,
    Iterations,
    Size,
    ListElements,
    Stride,
    SpeToSpe,
    Ppe,
    SpeProgram,
    Batch,
    Op,
    Target,
    Level,
    Pattern,
    Threads,
    Histogram,
    Cells,
    Memory,
    Placement,
    Seed,
    FastForward,
    /// Of the host only, as the four that follow.
    NonTemporal,
    SignalMode,
    Samples,
    Budget,
    /// Of a trace: bus cycles to show.
    Window,
    /// Of a trace: bus cycles to leave out before.
    Skip,
    /// Of many placements: which.
    Placements,
}

use Parameter::*;

impl Parameter {
    /// All of them, with their names.
    pub const ALL: [(Parameter, &str); 30] = [
        (Function, "function"),
        (Spes, "spes"),
        (PrivateSpes, "private_spes"),
        (Private, "private"),
        (Iterations, "iterations"),
        (Size, "size"),
        (ListElements, "list_elements"),
        (Stride, "stride"),
        (SpeToSpe, "spe_to_spe"),
        (Ppe, "ppe"),
        (SpeProgram, "spe_program"),
        (Batch, "batch"),
        (Op, "op"),
        (Target, "target"),
        (Level, "level"),
        (Pattern, "pattern"),
        (Threads, "threads"),
        (Histogram, "histogram"),
        (Cells, "cells"),
        (Memory, "memory"),
        (Placement, "placement"),
        (Seed, "seed"),
        (FastForward, "fast_forward"),
        (NonTemporal, "non_temporal"),
        (SignalMode, "signal_mode"),
        (Samples, "samples"),
        (Budget, "budget"),
        (Window, "window"),
        (Skip, "skip"),
        (Placements, "placements"),
    ];

    /// Its name.
    pub fn name(self) -> &'static str {
        Parameter::ALL.iter().find(|(parameter, _)| *parameter == self).map_or("", |(_, name)| name)
    }

    /// The parameter with this name.
    pub fn from_name(name: &str) -> Option<Parameter> {
        Parameter::ALL.iter().find(|(_, known)| *known == name).map(|(parameter, _)| *parameter)
    }

    /// Why a FUNCTION lacks it, unless its family gives another reason.
    pub fn why_not(self) -> &'static str {
        match self {
            Private => "private buffers are for DMA and atomic functions, give {shared}",
            Size => "only DMA functions, loads and stores have a size",
            ListElements => "only dmalistget, dmalistput and patterns use lists",
            Stride => "only DMA and atomic functions have a stride",
            SpeToSpe => "it says nothing here, leave {spe_to_spe} out",
            SpeProgram => "there are C programs for mkthread to fetchset only, leave it out",
            Batch => "only DMA functions are batched",
            Op => "only patterns of traffic can go either way",
            Target => "only a hotspot has a target to choose",
            Level => "only load, store and copy have a level",
            Pattern => "only an exchange has a pattern, leave it out",
            Threads => "only where the PPE loads and stores has it a choice of threads",
            Histogram => "only DMAs have their latencies kept",
            Ppe => "only mailboxes and signals take one way or another",
            NonTemporal => "nothing is stored in bulk here, leave it out",
            SignalMode => "only signals have one",
            _ => "leave it out",
        }
    }
}
