//! Wait queues and wakeups.

/// Simulated time since the start of the machine.
pub type Nanos = u64;

/// A wait queue, for example of the threads that wait for data in a pipe or for the end of an SPE's run.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Queue(u64);

/// Creator of wait queues, and the list of woken queues that the scheduler has not handled yet.
#[derive(Default, Debug)]
pub struct Wakes {
    queues: u64,
    woken: Vec<Queue>,
}

impl Wakes {
    /// A new wait queue.
    pub fn new_queue(&mut self) -> Queue {
        self.queues += 1;
        Queue(self.queues)
    }

    /// Wakes all threads in a queue, so that they attempt their calls again.
    pub fn wake(&mut self, queue: Queue) {
        if !self.woken.contains(&queue) {
            self.woken.push(queue);
        }
    }

    /// Takes the woken queues, in the order of their wakeups.
    pub fn take(&mut self) -> Vec<Queue> {
        std::mem::take(&mut self.woken)
    }
}

/// Behaviour of a system call after a signal handler has interrupted it.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub enum Restart {
    /// The call is restarted if the handler was installed with `SA_RESTART`. Without this flag, the call fails with
    /// `EINTR`.
    #[default]
    AsAsked,
    /// The call fails with `EINTR`, as calls with a timeout do (`poll`).
    Never,
}

/// The wakeup conditions of a blocked call.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Wait {
    /// Queues that wake the call.
    pub on: Vec<Queue>,
    /// Deadline: the call is attempted again at this time even without a wakeup.
    pub until: Option<Nanos>,
    /// Behaviour of the call after a signal.
    pub restart: Restart,
}

impl Wait {
    /// Waits for one queue, without a deadline.
    pub fn on(queue: Queue) -> Wait {
        Wait { on: vec![queue], ..Wait::default() }
    }

    /// Adds a deadline.
    pub fn until(mut self, deadline: Option<Nanos>) -> Wait {
        self.until = deadline;
        self
    }

    /// Makes the call fail with `EINTR` after every signal.
    pub fn never_restarted(mut self) -> Wait {
        self.restart = Restart::Never;
        self
    }
}
