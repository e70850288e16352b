//! How matrices of a backend travel between ranks.

use core::fmt;

use nonius_linalg::backend::{Cpu, Memory, Share};
use nonius_linalg::dense::gemm::{Places, Report, Way, Whole};
use nonius_linalg::dense::{Transpose, Triangle};
use nonius_linalg::out_of_core::OutOfCore;
use nonius_linalg::{DeviceFailure, Error, MatRef, Matrix, Number};

use super::cargo::Cargo;
use super::piece::Piece;
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
    /// Whether a rank that has to fetch rows for a product multiplies its share of them while the
    /// others come. Else it fetches all of them first, and makes residues of the columns once.
    const IN_PARTS: bool;

    /// The host, where that solves systems with few right-hand sides, with factors that are brought
    /// there once.
    fn for_few(&self) -> Option<Cpu> {
        None
    }

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
    /// Gives pieces of a matrix to ranks, and takes those of other ranks into another. All ranks
    /// call it together. Of two ranks each gives the other one piece at most.
    ///
    /// # Errors
    /// [`Error::Device`]: a rank is lost, or there is too little memory.
    fn exchange(
        &self,
        wire: &Self::Wire,
        from: Self::Ref<'_>,
        given: &[Piece],
        to: &mut Self::Matrix,
        taken: &[Piece],
    ) -> Result<(), Error>;
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

    /// As [`triangle_by`](Share::triangle_by), of rows and columns whose numbers are asked for
    /// where that is of use.
    #[expect(clippy::too_many_arguments, reason = "the signature of BLAS")]
    fn queue_triangle_by(
        &self,
        way: &Self::Way,
        triangle: Triangle,
        places: impl FnOnce() -> [Vec<usize>; 2],
        transpose: Transpose,
        alpha: T,
        left: Self::Ref<'_>,
        right: Self::Ref<'_>,
        beta: T,
        c: Self::Mut<'_>,
    ) -> bool {
        let _ = (way, triangle, places, transpose, alpha, left, right, beta, c);
        false
    }
}

/// Matrices in hosts' memories. Everybody learns at once what was chosen.
macro_rules! on_hosts {
    ($([$($backend:ident)?] $host:ty;)*) => {$(
        impl<T: Cargo, $($backend: Clone)?> Carry<T> for $host {
            fn exchange(
                &self,
                wire: &Communicator,
                from: MatRef<'_, T>,
                given: &[Piece],
                to: &mut Matrix<T>,
                taken: &[Piece],
            ) -> Result<(), Error> {
                exchange(wire, from, given, to, taken)
            }
        }

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

            fn queue_triangle_by(
                &self,
                way: &Way,
                triangle: Triangle,
                places: impl FnOnce() -> [Vec<usize>; 2],
                transpose: Transpose,
                alpha: T,
                left: Self::Ref<'_>,
                right: Self::Ref<'_>,
                beta: T,
                c: Self::Mut<'_>,
            ) -> bool {
                let [rows, columns] = places();
                let places = Places { rows: &rows, columns: &columns };
                self.triangle_by(*way, triangle, places, transpose, alpha, left, right, beta, c)
            }
        }
    )*};
}

on_hosts! {
    [] Cpu;
    [B] OutOfCore<B>;
}

/// Ranks call all operations in one order, so that one tag does.
pub(super) const TAG: u16 = 0;

impl Link for Cpu {
    type Wire = Communicator;

    const CHOLESKY_COLUMNS: usize = 128;
    const LU_COLUMNS: usize = 0;
    const IN_PARTS: bool = false;

    /// Each unknown waits for others: all ranks find all of them.
    fn for_few(&self) -> Option<Cpu> {
        Some(*self)
    }

    fn connect(&self, ranks: &Communicator) -> Result<Communicator, Error> {
        Ok(ranks.clone())
    }
}

/// Words of a message between hosts, at most some more: larger ones would go through memory that
/// nothing has used before, which takes longer than the copies.
const WORDS: usize = 1 << 18;

/// Columns of so many words that a message between hosts has.
pub(super) fn columns_together(height: usize) -> usize {
    (WORDS / height.max(1)).max(1)
}

/// An exchange between matrices in the hosts' memories.
fn exchange<T: Cargo>(
    wire: &Communicator,
    from: MatRef<'_, T>,
    given: &[Piece],
    to: &mut Matrix<T>,
    taken: &[Piece],
) -> Result<(), Error> {
    let format = to.format();
    let together = |piece: &Piece| columns_together(piece.height::<T>(format));
    let given: Vec<_> = given.iter().map(|piece| (piece, piece.columns_given())).collect();
    let taken: Vec<_> = taken.iter().map(|piece| (piece, piece.columns_taken())).collect();
    let steps =
        given.iter().chain(&taken).map(|(piece, columns)| columns.len().div_ceil(together(piece)));
    for step in 0..steps.max().unwrap_or(0) {
        for (piece, columns) in &given {
            if let Some(columns) = columns.chunks(together(piece)).nth(step) {
                let words = piece.pack(from, columns).map_err(lost)?;
                wire.send_words(piece.rank(), TAG, words).map_err(lost)?;
            }
        }
        for (piece, columns) in &taken {
            if let Some(columns) = columns.chunks(together(piece)).nth(step) {
                let count = piece.height::<T>(format) * columns.len();
                let words = wire.receive_words(piece.rank(), TAG, count).map_err(lost)?;
                piece.unpack(&words, to, columns);
            }
        }
    }
    Ok(())
}

pub(super) fn lost(error: crate::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
