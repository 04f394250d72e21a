//! The list of families, turned into code: an enum with a variant for each, and one `match` for each question.

macro_rules! families {
    ($($variant:ident: $family:ty,)*) => {
        /// One of a family's FUNCTIONs, with its parameters.
        #[derive(Clone, PartialEq, Eq, Hash, Debug)]
        #[allow(missing_docs)] // They are what their families are.
        pub enum Experiment {
            $($variant($family),)*
        }

        /// A family without parameters: what its FUNCTIONs have in common.
        #[derive(Clone, Copy, PartialEq, Eq, Debug)]
        enum Kind {
            $($variant,)*
        }

        /// Names of all FUNCTIONs, by number.
        pub fn functions() -> impl Iterator<Item = &'static str> {
            let all: [&'static [&'static str]; _] = [$(<$family>::FUNCTIONS,)*];
            all.into_iter().flatten().copied()
        }

        /// What the command line says of all FUNCTIONs, family by family: a heading, if it has one, and rows of names
        /// and what they measure.
        pub fn help() -> Vec<(&'static str, &'static [(&'static str, &'static str)])> {
            vec![$((<$family>::HEADING, <$family>::HELP),)*]
        }

        /// The family of a FUNCTION and its index there, for any number that a control block may hold.
        fn kind(number: u32) -> (Kind, usize) {
            let all = [$((Kind::$variant, <$family>::FUNCTIONS.len()),)*];
            let mut nth = number as usize;
            for (kind, count) in all {
                if nth < count {
                    return (kind, nth);
                }
                nth -= count;
            }
            (all[0].0, 0)
        }

        /// The number of the first FUNCTION of a family.
        fn first(kind: Kind) -> u32 {
            let all = [$((Kind::$variant, <$family>::FUNCTIONS.len()),)*];
            all.iter().take_while(|(other, _)| *other != kind).map(|(_, count)| *count as u32).sum()
        }

        /// Why a FUNCTION has not a parameter; nothing if it has it.
        fn lacks(number: u32, parameter: Parameter, computer: Computer) -> Option<&'static str> {
            let (kind, nth) = kind(number);
            let (parameters, why) = match kind {
                $(Kind::$variant => (<$family>::PARAMETERS, <$family>::lacks(nth, parameter, computer)),)*
            };
            why.or_else(|| (!parameters.contains(&parameter)).then(|| parameter.why_not()))
        }

        /// Reads the parameters of a FUNCTION.
        fn read(number: u32, given: &Parameters) -> Result<Experiment, Refusal> {
            let (kind, nth) = kind(number);
            match kind {
                $(Kind::$variant => <$family>::read(nth, given).map(Experiment::$variant),)*
            }
        }

        /// What an SPE does before it says that it is ready.
        pub async fn prepare(spu: &Spu, block: &ControlBlock) {
            match kind(block.function).0 {
                $(Kind::$variant => <$family>::prepare(spu, block).await,)*
            }
        }

        /// An SPE's loop, its DMA commands in tag group `tag`.
        pub async fn run(spu: &Spu, block: &ControlBlock, iterations: u64, tag: u32) {
            let (kind, nth) = kind(block.function);
            match kind {
                $(Kind::$variant => <$family>::run(spu, block, nth, iterations, tag).await,)*
            }
        }

        /// Each as its family has it (`crate::family`).
        #[allow(missing_docs)]
        impl Experiment {
            /// The number of its FUNCTION.
            pub fn number(&self) -> u32 {
                let (kind, nth) = match self {
                    $(Experiment::$variant(own) => (Kind::$variant, own.nth()),)*
                };
                first(kind) + nth as u32
            }

            pub fn recipe(&self, to: &mut Parameters) {
                match self {
                    $(Experiment::$variant(own) => own.recipe(to),)*
                }
            }

            pub fn columns(&self, settings: &Settings) -> Columns {
                match self {
                    $(Experiment::$variant(own) => own.columns(settings),)*
                }
            }

            pub fn default_spes(&self, usable: u32, listed: Option<u32>) -> u32 {
                match self {
                    $(Experiment::$variant(own) => own.default_spes(usable, listed),)*
                }
            }

            pub fn bytes_of_thread(&self, thread: ThreadId) -> Option<u64> {
                match self {
                    $(Experiment::$variant(own) => own.bytes_of_thread(thread),)*
                }
            }

            pub fn default_iterations(&self, spe_program: SpeProgram) -> u64 {
                match self {
                    $(Experiment::$variant(own) => own.default_iterations(spe_program),)*
                }
            }

            pub fn warm_up(&self, iterations: u64) -> u64 {
                match self {
                    $(Experiment::$variant(own) => own.warm_up(iterations),)*
                }
            }

            pub fn ppe_threads(&self) -> u32 {
                match self {
                    $(Experiment::$variant(own) => own.ppe_threads(),)*
                }
            }

            pub fn uses_memory(&self) -> bool {
                match self {
                    $(Experiment::$variant(own) => own.uses_memory(),)*
                }
            }

            pub fn check(&self, settings: &Settings, machine: &Machine) -> Result<(), Refusal> {
                match self {
                    $(Experiment::$variant(own) => own.check(settings, machine),)*
                }
            }

            pub fn tasks(&self, setup: &Setup) -> Result<Vec<Task>, Refusal> {
                match self {
                    $(Experiment::$variant(own) => own.tasks(setup),)*
                }
            }

            pub fn ppe_programs(
                &self,
                tasks: Vec<Task>,
                setup: &Setup,
                ticks: &Ticks,
            ) -> Result<Vec<Box<dyn PpeProgram>>, Refusal> {
                match self {
                    $(Experiment::$variant(own) => own.ppe_programs(tasks, setup, ticks),)*
                }
            }

            pub fn trigger(&self) -> Trigger {
                match self {
                    $(Experiment::$variant(own) => own.trigger(),)*
                }
            }

            pub fn description(&self, spes: u32, placement: &Placement) -> Description {
                match self {
                    $(Experiment::$variant(own) => own.description(spes, placement),)*
                }
            }
        }
    };
}
