//! SPEs, as the kernel has them in its hands.

use cell::channels::Channels;
use cell::counters::SpeCounters;
use cell::door::{Program, Supervisor};
use cell::error::RunError;
use cell::machine::Machine;
use cell::placement::Placement;
use cell::store::LocalStore;
use cell::system::ContextId;
use cell::units::SpeId;

/// What the kernel does with SPEs and with contexts that are on none; see [`Supervisor`].
pub trait Spes {
    /// The machine's values.
    fn machine(&self) -> &Machine;
    /// The SPEs that contexts get, in this order.
    fn placement(&self) -> &Placement;
    /// A context after reset, on no SPE.
    fn new_context(&mut self) -> ContextId;
    /// Forgets a context that is on no SPE.
    fn drop_context(&mut self, id: ContextId);
    /// Puts a context on an SPE at rest.
    fn restore(&mut self, spe: SpeId, id: ContextId);
    /// Keeps an SPE from beginning anything new.
    fn suspend(&mut self, spe: SpeId);
    /// Takes the context of an SPE that is suspended, as soon as nothing of it is under way.
    fn save(&mut self, spe: SpeId) -> Option<ContextId>;
    /// Starts a program on an SPE.
    fn start(&mut self, spe: SpeId, program: Box<dyn Program>);
    /// Ends an SPE's program wherever it stands.
    fn halt(&mut self, spe: SpeId);
    /// Whether an SPE's program has ended, and nobody has asked how.
    fn has_ended(&mut self, spe: SpeId) -> bool;
    /// How an SPE's program has ended; told once.
    fn take_end(&mut self, spe: SpeId) -> Option<Result<u32, RunError>>;
    /// The channels of an SPE.
    fn channels(&mut self, spe: SpeId) -> &mut Channels;
    /// What an SPE has counted so far, whoever was on it.
    fn counters(&self, spe: SpeId) -> &SpeCounters;
    /// The local store of an SPE.
    fn local_store(&mut self, spe: SpeId) -> &mut LocalStore;
    /// The channels and the local store of a context that is on no SPE.
    fn saved(&mut self, id: ContextId) -> Option<(&mut Channels, &mut LocalStore)>;
    /// Reads a problem-state register, with its side effects.
    ///
    /// # Errors
    /// The proxy command that it gives breaks a rule.
    fn read_register(&mut self, spe: SpeId, offset: u32) -> Result<u32, RunError>;
    /// Writes a problem-state register, with its side effects.
    ///
    /// # Errors
    /// There is no such register.
    fn write_register(&mut self, spe: SpeId, offset: u32, value: u32) -> Result<(), RunError>;
    /// Tag groups without commands in the proxy queue.
    fn idle_proxy_tags(&mut self, spe: SpeId) -> u32;
}

impl Spes for Supervisor<'_, '_> {
    fn machine(&self) -> &Machine {
        Supervisor::machine(self)
    }

    fn placement(&self) -> &Placement {
        Supervisor::placement(self)
    }

    fn new_context(&mut self) -> ContextId {
        Supervisor::new_context(self)
    }

    fn drop_context(&mut self, id: ContextId) {
        Supervisor::drop_context(self, id);
    }

    fn restore(&mut self, spe: SpeId, id: ContextId) {
        Supervisor::restore(self, spe, id);
    }

    fn suspend(&mut self, spe: SpeId) {
        Supervisor::suspend(self, spe);
    }

    fn save(&mut self, spe: SpeId) -> Option<ContextId> {
        Supervisor::save(self, spe)
    }

    fn start(&mut self, spe: SpeId, program: Box<dyn Program>) {
        Supervisor::start(self, spe, program);
    }

    fn halt(&mut self, spe: SpeId) {
        Supervisor::halt(self, spe);
    }

    fn has_ended(&mut self, spe: SpeId) -> bool {
        Supervisor::has_ended(self, spe)
    }

    fn take_end(&mut self, spe: SpeId) -> Option<Result<u32, RunError>> {
        Supervisor::take_end(self, spe)
    }

    fn channels(&mut self, spe: SpeId) -> &mut Channels {
        Supervisor::channels(self, spe)
    }

    fn counters(&self, spe: SpeId) -> &SpeCounters {
        Supervisor::spe_counters(self, spe)
    }

    fn local_store(&mut self, spe: SpeId) -> &mut LocalStore {
        Supervisor::local_store(self, spe)
    }

    fn saved(&mut self, id: ContextId) -> Option<(&mut Channels, &mut LocalStore)> {
        self.context(id).map(|context| (&mut context.channels, &mut context.local_store))
    }

    fn read_register(&mut self, spe: SpeId, offset: u32) -> Result<u32, RunError> {
        Supervisor::read_register(self, spe, offset)
    }

    fn write_register(&mut self, spe: SpeId, offset: u32, value: u32) -> Result<(), RunError> {
        Supervisor::write_register(self, spe, offset, value)
    }

    fn idle_proxy_tags(&mut self, spe: SpeId) -> u32 {
        Supervisor::idle_proxy_tags(self, spe)
    }
}
