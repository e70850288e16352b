//! Why a call fails, kept for the calling thread.

use std::cell::RefCell;
use std::ffi::CString;
use std::fmt::Display;
use std::panic::{AssertUnwindSafe, catch_unwind};

use nonius::certified::{Failure as Unproved, Refusal};
use nonius::dense::Error;
use nonius::{sdp, threads};

use crate::status::Status;

/// A status other than [`Status::Ok`], and one sentence.
#[derive(Clone, Debug)]
pub(crate) struct Failure {
    pub(crate) status: Status,
    pub(crate) text: String,
}

thread_local! {
    static LAST: RefCell<CString> = RefCell::new(c"".to_owned());
}

impl Failure {
    pub(crate) fn new(status: Status, text: impl Display) -> Self {
        Self { status, text: text.to_string() }
    }

    pub(crate) fn argument(text: impl Display) -> Self {
        Self::new(Status::Argument, text)
    }

    pub(crate) fn shape(text: impl Display) -> Self {
        Self::new(Status::Shape, text)
    }

    /// Keeps the sentence for the calling thread.
    pub(crate) fn keep(&self) {
        let text: Vec<u8> = self.text.bytes().filter(|&byte| byte != 0).collect();
        let text = CString::new(text).unwrap_or_default();
        // A thread that is ending has no last error any more.
        let _ = LAST.try_with(|last| *last.borrow_mut() = text);
    }
}

/// The sentence that was kept last, and where it stays until the next one.
pub(crate) fn last() -> *const core::ffi::c_char {
    LAST.try_with(|last| last.borrow().as_ptr()).unwrap_or(c"".as_ptr())
}

/// Does the work of a function. A panic ends here.
pub(crate) fn guarded(work: impl FnOnce() -> Result<(), Failure>) -> Status {
    match caught(work) {
        Ok(()) => Status::Ok,
        Err(failure) => {
            failure.keep();
            failure.status
        }
    }
}

/// What the work yields. A panic is a failure.
pub(crate) fn caught<R>(work: impl FnOnce() -> Result<R, Failure>) -> Result<R, Failure> {
    catch_unwind(AssertUnwindSafe(work)).unwrap_or_else(|payload| {
        let text = payload
            .downcast_ref::<String>()
            .map(String::as_str)
            .or_else(|| payload.downcast_ref::<&str>().copied())
            .unwrap_or("a panic without a text");
        Err(Failure::new(Status::Internal, format_args!("the library failed: {text}")))
    })
}

impl From<Error> for Failure {
    fn from(error: Error) -> Self {
        let status = match error {
            Error::Shape { .. } | Error::NotSquare { .. } => Status::Shape,
            Error::Precision { .. } => Status::Precision,
            Error::TooLarge { .. } | Error::NoRoom(_) => Status::Memory,
            Error::Device(_) => Status::Device,
            Error::NotFinite { .. }
            | Error::NotSymmetric { .. }
            | Error::Singular { .. }
            | Error::NotPositiveDefinite { .. }
            | Error::RankDeficient { .. }
            | Error::NoConvergence { .. }
            | Error::Breakdown { .. }
            | Error::NegativeCurvature { .. }
            | Error::ZeroDiagonal { .. }
            | Error::IncompletePivot { .. }
            | Error::Overflow { .. }
            | Error::OutOfRange { .. } => Status::Numbers,
            _ => Status::Argument,
        };
        Self::new(status, error)
    }
}

impl From<Refusal> for Failure {
    fn from(refusal: Refusal) -> Self {
        match &refusal.failure {
            Unproved::Input(error) => error.clone().into(),
            Unproved::TooManyDigits(_) => Self::argument(refusal),
            _ => Self::new(Status::Numbers, refusal),
        }
    }
}

impl From<sdp::Error> for Failure {
    fn from(error: sdp::Error) -> Self {
        match error {
            sdp::Error::Computing(error) => error.into(),
            sdp::Error::NoRoom(room) => Self::new(Status::Memory, room),
            sdp::Error::Shape(misfit) => Self::shape(misfit),
            other => Self::new(Status::Numbers, other),
        }
    }
}

impl From<threads::Error> for Failure {
    fn from(error: threads::Error) -> Self {
        Self::argument(error)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_panic_becomes_a_status() {
        let status = guarded(|| panic!("a fault\0 with a zero"));
        assert_eq!(status, Status::Internal);
        // SAFETY: the text stays until the next failure of this thread.
        let text = unsafe { std::ffi::CStr::from_ptr(last()) };
        assert_eq!(text.to_str(), Ok("the library failed: a fault with a zero"));
    }
}
