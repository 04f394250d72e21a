//! Rows of transfers over the rings that are kept for a record or for a debugger.

use crate::record::TransferRecord;
use std::collections::VecDeque;

/// TransferLog over the rings, oldest first.
pub(crate) struct TransferLog {
    rows: VecDeque<TransferRecord>,
    /// Number of rows that are kept; the rows of older transfers are dropped.
    most: usize,
}

impl TransferLog {
    /// Keeps the last `most` transfers.
    pub fn last(most: usize) -> TransferLog {
        TransferLog { rows: VecDeque::new(), most }
    }

    /// Keeps all transfers.
    pub fn all() -> TransferLog {
        TransferLog::last(usize::MAX)
    }

    /// The kept rows.
    pub fn rows(&self) -> impl Iterator<Item = &TransferRecord> {
        self.rows.iter()
    }

    /// All transfers for a record, or `None` if only the last ones are kept.
    pub fn into_record(self) -> Option<Vec<TransferRecord>> {
        (self.most == usize::MAX).then(|| self.rows.into())
    }

    /// Adds a row.
    pub fn push(&mut self, row: TransferRecord) {
        if self.rows.len() >= self.most {
            self.rows.pop_front();
        }
        self.rows.push_back(row);
    }
}
