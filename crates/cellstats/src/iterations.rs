//! How often, if nobody says: iterations that are measured, and those before them.

use super::function::Function;
use super::params::Params;
use super::spe_program::SpeProgram;

/// Bytes that one SPE moves in a pattern, both ways together, unless told otherwise (jimenez2007,
/// section 3).
const PATTERN_BYTES: u64 = 32 << 20;

/// The same of loads and stores, all threads of the PPE together.
const ACCESS_BYTES: u64 = 128 << 20;

/// Iterations of C programs.  Nothing of a run by instructions can be left out, and by then an average has
/// settled to a thousandth.
const ITERATIONS_IN_C: u64 = 10_000;

/// Iterations of an exchange, and those before them.
const EXCHANGES: u64 = 1_000;
const EXCHANGE_WARM_UP: u64 = 1;

impl Params {
    /// Iterations if nobody says how many: a million, or those that move 32 MB in a pattern, 128 MB by loads
    /// and stores; ten thousand in C.
    pub fn default_iterations(&self) -> u64 {
        match self.iteration_bytes() {
            Some(bytes) if self.function.is_access() => {
                (ACCESS_BYTES / (bytes * u64::from(self.ppe_threads().max(1))).max(1)).max(1)
            }
            Some(bytes) if self.function.is_pattern() => (PATTERN_BYTES / bytes.max(1)).max(1),
            _ if self.function == Function::Exchange => EXCHANGES,
            _ if self.spe_program == SpeProgram::C => ITERATIONS_IN_C,
            _ => 1_000_000,
        }
    }

    /// Iterations before the measured ones: a thousand, as the tool's paper has it (abellan2008ps3, 3.2),
    /// or a quarter of them if that is less; but so many that the last SPE has started before the first
    /// begins to measure.
    pub fn warm_up_iterations(&self) -> u64 {
        const BYTES: u64 = 400 << 10;
        if self.function.is_pattern() {
            return (self.default_iterations() / 64).max(1);
        }
        if self.function == Function::Exchange {
            // Its barriers let nobody begin to measure before the last one has started.
            return EXCHANGE_WARM_UP;
        }
        let least = self.iteration_bytes().map_or(300, |bytes| (BYTES / bytes.max(1)).clamp(32, 300));
        (self.iterations / 4).clamp(least, 1_000)
    }
}
