//! The port at which `linux_run` waits for a debugger.

use crate::errors::usage;
use crate::number::number;
use pyo3::prelude::*;
use std::cell::RefCell;
use std::net::TcpListener;
use std::rc::Rc;
use std::sync::Mutex;

/// A port of the loopback address, at which one debugger may connect.
#[pyclass(frozen)]
pub struct GdbPort {
    listener: Mutex<Option<TcpListener>>,
}

#[pymethods]
impl GdbPort {
    #[new]
    fn new(port: &Bound<'_, PyAny>) -> PyResult<GdbPort> {
        let port = number(port, "gdb", 1..=u64::from(u16::MAX))?;
        let listener = ::gdb::listen(port as u16).map_err(usage)?;
        Ok(GdbPort { listener: Mutex::new(Some(listener)) })
    }
}

impl GdbPort {
    /// The listener, for one run.
    pub fn take(&self) -> Option<TcpListener> {
        self.listener.lock().ok()?.take()
    }
}

/// A debugger that clients of a port control. An exception that a signal handler raises while the program is stopped
/// ends the run.
pub fn server(listener: TcpListener, raised: &Rc<RefCell<Option<PyErr>>>) -> ::gdb::Server {
    let raised = Rc::clone(raised);
    let goes_on = move || match Python::attach(|py| py.check_signals()) {
        Ok(()) => true,
        Err(error) => {
            *raised.borrow_mut() = Some(error);
            false
        }
    };
    ::gdb::Server::new(listener, Box::new(goes_on))
}
