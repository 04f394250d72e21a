//! What threads wait for, and who wakes them.

/// Simulated time since the start of the machine.
pub type Nanos = u64;

/// Something that threads can wait for: data in a pipe, the end of an SPE's run, their own signals.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Queue(u64);

/// All queues, and those that were woken since the scheduler looked last.
#[derive(Default, Debug)]
pub struct Wakes {
    queues: u64,
    woken: Vec<Queue>,
}

impl Wakes {
    /// A queue that nobody else has.
    pub fn new_queue(&mut self) -> Queue {
        self.queues += 1;
        Queue(self.queues)
    }

    /// Whoever waits for this attempts its call again.
    pub fn wake(&mut self, queue: Queue) {
        if !self.woken.contains(&queue) {
            self.woken.push(queue);
        }
    }

    /// The queues that were woken, in order.
    pub fn take(&mut self) -> Vec<Queue> {
        std::mem::take(&mut self.woken)
    }
}

/// What becomes of a call that a signal's handler interrupts.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Restart {
    /// It is made again if the handler was installed with `SA_RESTART`, and ends with `EINTR` if not.
    #[default]
    AsAsked,
    /// It ends with `EINTR`: those with a timeout, as `poll`.
    Never,
}

/// A call that has to wait.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wait {
    /// Any of these wakes it.
    pub on: Vec<Queue>,
    /// It is attempted again then, whatever happens.
    pub until: Option<Nanos>,
    /// What a signal does to it.
    pub restart: Restart,
}

impl Wait {
    /// Waits for one thing, and for ever.
    pub fn on(queue: Queue) -> Wait {
        Wait { on: vec![queue], ..Wait::default() }
    }

    /// ... and gives up at that time.
    pub fn until(mut self, deadline: Option<Nanos>) -> Wait {
        self.until = deadline;
        self
    }

    /// ... and is not made again after a signal.
    pub fn never_restarted(mut self) -> Wait {
        self.restart = Restart::Never;
        self
    }
}
