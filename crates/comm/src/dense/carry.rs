//! How matrices of a backend travel between ranks.

use core::fmt;

use nonius_linalg::backend::{Cpu, Memory, Share};
use nonius_linalg::dense::gemm::{Report, Way, Whole};
use nonius_linalg::dense::{Transpose, Triangle};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::{DeviceFailure, Error, Matrix, Number};

use super::cargo::Cargo;
use crate::Communicator;

/// What carries matrices or vectors from one rank's memory to another's.
pub trait Wire: Clone + fmt::Debug + Send + Sync {
    /// `Ok` where all that has come is what other ranks sent. Whoever has waited for a device asks
    /// this before it believes what it finds there: a rank that is lost ends the wait, too.
    ///
    /// # Errors
    /// [`Error::Device`]: why not.
    fn check(&self) -> Result<(), Error>;
}

/// Hosts wait for messages themselves, and each wait tells.
impl Wire for Communicator {
    fn check(&self) -> Result<(), Error> {
        Ok(())
    }
}

/// A backend of which every rank has one.
pub trait Link: Clone {
    /// What connects it with those of other ranks.
    type Wire: Wire;

    /// Columns up to which a Cholesky factorisation has no messages: every rank has their square on
    /// top, besides its rows.
    const CHOLESKY_COLUMNS: usize;
    /// Columns up to which every rank does all of an LU factorisation.
    const LU_COLUMNS: usize;

    /// Connects the backends of all ranks, which call this together.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost.
    fn connect(&self, ranks: &Communicator) -> Result<Self::Wire, Error>;

    /// Does two things of which neither reads what the other writes, each begun on the caller's
    /// thread and in the same order on every rank. What they queue may be done at the same time.
    fn beside<R, S>(&self, first: impl FnOnce() -> R, second: impl FnOnce() -> S) -> (R, S) {
        (first(), second())
    }
}

/// A backend whose matrices of such numbers travel.
pub trait Carry<T: Number>: Memory<T> + Link {
    /// Gives matrices to ranks, and takes those of these shapes from ranks, in their order. All
    /// ranks call it together. Of two ranks each gives the other one matrix at most.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost, or there is too little memory.
    fn exchange(
        &self,
        wire: &Self::Wire,
        format: T::Format,
        given: Vec<(usize, Self::Matrix)>,
        taken: Vec<(usize, (usize, usize))>,
    ) -> Result<Vec<Self::Matrix>, Error>;
}

/// A backend with which ranks compute products together, in parts, and such whose way nobody waits
/// to learn.
pub trait Queue<T: Number>: Share<T> + Carry<T> {
    /// How such a product is computed.
    type Way;
    /// What is made of the columns of `op(B)` once, for several parts of a product.
    type Held;

    /// Makes that, before it is known how the product is computed; `None` where it is of no use.
    fn hold(&self, whole: &Whole<'_>, b: (Transpose, Self::Ref<'_>)) -> Option<Self::Held>;

    /// As [`gemm_by`](Share::gemm_by), with what is made of `op(B)` where there is something.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn gemm_by_held(
        &self,
        way: Way,
        held: Option<&Self::Held>,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        b: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    ) -> Report;

    /// As [`way`](Share::way).
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost.
    fn queued_way(
        &self,
        wire: &Self::Wire,
        whole: &Whole<'_>,
        a: (Transpose, Self::Ref<'_>),
        b: (Transpose, Self::Ref<'_>),
    ) -> Result<Self::Way, Error>;

    /// The way, where the host knows it.
    fn known(way: &Self::Way) -> Option<Way>;

    /// As [`gemm_by_held`](Self::gemm_by_held).
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn queue_gemm_by(
        &self,
        way: &Self::Way,
        held: Option<&Self::Held>,
        transpose_a: Transpose,
        transpose_b: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        b: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    );

    /// As [`syrk_by`](Share::syrk_by).
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn queue_syrk_by(
        &self,
        way: &Self::Way,
        triangle: Triangle,
        transpose: Transpose,
        alpha: T,
        a: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    );
}

/// On hosts everybody learns at once what was chosen.
macro_rules! queue_on_hosts {
    ($([$($backend:ident)?] $host:ty;)*) => {$(
        impl<T: Cargo, $($backend: Clone)?> Queue<T> for $host
        where
            Self: Share<T>,
        {
            type Way = Way;
            type Held = ();

            fn hold(&self, _: &Whole<'_>, _: (Transpose, Self::Ref<'_>)) -> Option<()> {
                None
            }

            fn gemm_by_held(
                &self,
                way: Way,
                _: Option<&()>,
                transpose_a: Transpose,
                transpose_b: Transpose,
                alpha: T,
                a: Self::Ref<'_>,
                b: Self::Ref<'_>,
                beta: T,
                c: Self::Mut<'_>,
            ) -> Report {
                self.gemm_by(way, transpose_a, transpose_b, alpha, a, b, beta, c)
            }

            fn queued_way(
                &self,
                _: &Communicator,
                whole: &Whole<'_>,
                a: (Transpose, Self::Ref<'_>),
                b: (Transpose, Self::Ref<'_>),
            ) -> Result<Way, Error> {
                Ok(self.way(whole, a, b))
            }

            fn known(way: &Way) -> Option<Way> {
                Some(*way)
            }

            fn queue_gemm_by(
                &self,
                way: &Way,
                _: Option<&()>,
                transpose_a: Transpose,
                transpose_b: Transpose,
                alpha: T,
                a: Self::Ref<'_>,
                b: Self::Ref<'_>,
                beta: T,
                c: Self::Mut<'_>,
            ) {
                self.gemm_by(*way, transpose_a, transpose_b, alpha, a, b, beta, c);
            }

            fn queue_syrk_by(
                &self,
                way: &Way,
                triangle: Triangle,
                transpose: Transpose,
                alpha: T,
                a: Self::Ref<'_>,
                beta: T,
                c: Self::Mut<'_>,
            ) {
                self.syrk_by(*way, triangle, transpose, alpha, a, beta, c);
            }
        }
    )*};
}

queue_on_hosts! {
    [] Cpu;
    [B] OutOfCore<B>;
}

/// Ranks call all operations in one order, so that one tag does.
pub(super) const TAG: u16 = 0;

impl Link for Cpu {
    type Wire = Communicator;

    const CHOLESKY_COLUMNS: usize = 128;
    const LU_COLUMNS: usize = 0;

    fn connect(&self, ranks: &Communicator) -> Result<Communicator, Error> {
        Ok(ranks.clone())
    }
}

impl<T: Cargo> Carry<T> for Cpu {
    fn exchange(
        &self,
        wire: &Communicator,
        format: T::Format,
        given: Vec<(usize, Matrix<T>)>,
        taken: Vec<(usize, (usize, usize))>,
    ) -> Result<Vec<Matrix<T>>, Error> {
        by_hosts(wire, format, given, taken)
    }
}

/// An exchange of matrices in the hosts' memories.
pub(super) fn by_hosts<T: Cargo>(
    wire: &Communicator,
    format: T::Format,
    given: Vec<(usize, Matrix<T>)>,
    taken: Vec<(usize, (usize, usize))>,
) -> Result<Vec<Matrix<T>>, Error> {
    for (to, matrix) in given {
        send(wire, to, &matrix).map_err(lost)?;
    }
    taken.into_iter().map(|(from, shape)| receive(wire, from, format, shape)).collect()
}

/// Sends a matrix of the host.
pub(super) fn send<T: Cargo>(
    wire: &Communicator,
    to: usize,
    matrix: &Matrix<T>,
) -> Result<(), crate::Error> {
    let mut words =
        Vec::with_capacity(matrix.rows() * matrix.cols() * T::words_of(matrix.format()));
    (0..matrix.cols()).for_each(|j| T::pack(matrix.column(j), &mut words));
    wire.send(to, TAG, &words)
}

/// Receives a matrix of the host.
pub(super) fn receive<T: Cargo>(
    wire: &Communicator,
    from: usize,
    format: T::Format,
    (rows, cols): (usize, usize),
) -> Result<Matrix<T>, Error> {
    let mut matrix = Matrix::try_zeros_in(format, rows, cols)?;
    let size = rows * T::words_of(format);
    let mut words = crate::item::zeros(size * cols).map_err(lost)?;
    wire.receive(from, TAG, &mut words).map_err(lost)?;
    for (j, words) in words.chunks_exact(size.max(1)).enumerate() {
        T::unpack(words, matrix.column_mut(j));
    }
    Ok(matrix)
}

pub(super) fn lost(error: crate::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
