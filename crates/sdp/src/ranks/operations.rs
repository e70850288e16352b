//! The operations.

use nonius_comm::Reduction;
use nonius_comm::dense::{Cargo, Link};
use nonius_linalg::{DeviceFailure, Error, Numbers, Slice};

use super::cone::RanksCone;
use super::shared::Shared;
use crate::cone::{Cone, Together, least_of_all};

type Format<L> = <<L as Cone>::Number as nonius_linalg::Element>::Format;

impl<T: Cargo, L, B> Cone for RanksCone<L, B>
where
    L: Shared<B, Number = T>,
    B: Link,
{
    type Number = T;
    type Vector = L::Vector;
    type Blocks = L::Blocks;
    type Schur = L::OnRanks;

    fn format(&self) -> Format<L> {
        self.whole.format()
    }

    fn unit_roundoff(&self) -> f64 {
        self.whole.unit_roundoff()
    }

    fn constraints(&self) -> usize {
        self.whole.constraints()
    }

    fn squares(&self) -> Vec<usize> {
        self.whole.squares()
    }

    fn diagonal(&self) -> usize {
        self.whole.diagonal()
    }

    fn second_order(&self) -> Vec<usize> {
        self.whole.second_order()
    }

    fn vector(&self) -> Result<L::Vector, Error> {
        self.ranks.attempt(|| self.whole.vector())
    }

    fn blocks(&self) -> Result<L::Blocks, Error> {
        self.ranks.attempt(|| self.own.blocks())
    }

    fn schur(&self) -> Result<L::OnRanks, Error> {
        self.ranks.attempt(|| L::schur_on_ranks(self))
    }

    fn download_vector(&self, x: &L::Vector) -> Result<Numbers<T>, Error> {
        self.ranks.attempt(|| self.whole.download_vector(x))
    }

    fn upload_vector<'a>(&self, x: impl Into<Slice<'a, T>>) -> Result<L::Vector, Error> {
        self.ranks.attempt(|| self.whole.upload_vector(x))
    }

    fn download_blocks(&self, a: &L::Blocks) -> Result<Vec<Numbers<T>>, Error> {
        self.ranks.attempt(|| self.gathered(a))
    }

    fn upload_blocks<'a, P>(&self, a: &'a [P]) -> Result<L::Blocks, Error>
    where
        &'a P: Into<Slice<'a, T>>,
    {
        let parts: Vec<Slice<'a, T>> = a.iter().map(Into::into).collect();
        let mine = self.mine(&parts);
        self.ranks.attempt(|| self.own.upload_blocks::<Slice<'_, T>>(&mine))
    }

    fn upload_doubles(&self, a: &[Slice<'_, f64>]) -> Result<L::Blocks, Error> {
        let mine = self.mine(a);
        self.ranks.attempt(|| self.own.upload_doubles(&mine))
    }

    fn objective(&self) -> &L::Vector {
        self.whole.objective()
    }

    fn copy_vector(&self, x: &L::Vector, y: &mut L::Vector) {
        self.whole.copy_vector(x, y);
    }

    fn scale_vector(&self, alpha: f64, x: &mut L::Vector) {
        self.whole.scale_vector(alpha, x);
    }

    fn add_vector(&self, alpha: f64, x: &L::Vector, y: &mut L::Vector) {
        self.whole.add_vector(alpha, x, y);
    }

    fn dot(&self, x: &L::Vector, y: &L::Vector) -> Result<T, Error> {
        self.ranks.attempt(|| self.whole.dot(x, y))
    }

    fn largest(&self, x: &L::Vector) -> Result<f64, Error> {
        self.ranks.attempt(|| self.whole.largest(x))
    }

    fn copy_blocks(&self, a: &L::Blocks, b: &mut L::Blocks) {
        self.own.copy_blocks(a, b);
    }

    fn identity(&self, alpha: f64, a: &mut L::Blocks) {
        self.own.identity(alpha, a);
    }

    fn scale_blocks(&self, alpha: f64, a: &mut L::Blocks) {
        self.own.scale_blocks(alpha, a);
    }

    fn add_blocks(&self, alpha: f64, a: &L::Blocks, b: &mut L::Blocks) {
        self.own.add_blocks(alpha, a, b);
    }

    fn triple(
        &self,
        alpha: f64,
        factors: [&L::Blocks; 3],
        beta: f64,
        work: &mut L::Blocks,
        c: &mut L::Blocks,
    ) {
        self.own.triple(alpha, factors, beta, work, c);
    }

    fn symmetrize(&self, a: &mut L::Blocks) {
        self.own.symmetrize(a);
    }

    fn inner(&self, a: &L::Blocks, b: &L::Blocks) -> Result<T, Error> {
        self.ranks.attempt(|| {
            let mine = self.own.inner_products(a, b)?;
            Ok(self.whole.sum(&self.contributions(&mine)?))
        })
    }

    fn largest_entry(&self, a: &L::Blocks) -> Result<f64, Error> {
        self.ranks.attempt(|| {
            let mut largest = [self.own.largest_entry(a)?];
            self.ranks
                .grid()
                .ranks()
                .all_reduce(Reduction::Greatest, &mut largest)
                .map_err(lost)?;
            Ok(largest[0])
        })
    }

    fn factor(&self, a: &L::Blocks, l: &mut L::Blocks) -> Result<bool, Error> {
        self.ranks.attempt(|| self.ranks.agree(self.own.factor(a, l)?))
    }

    fn are_definite(&self, a: [&L::Blocks; 2], work: &mut L::Blocks) -> Result<bool, Error> {
        self.ranks.attempt(|| self.ranks.agree(self.own.are_definite(a, work)?))
    }

    fn invert_factor(&self, l: &L::Blocks, m: &mut L::Blocks) {
        self.own.invert_factor(l, m);
    }

    fn invert_factors(
        &self,
        a: [&L::Blocks; 2],
        work: &mut L::Blocks,
        m: [&mut L::Blocks; 2],
    ) -> Result<bool, Error> {
        self.ranks.attempt(|| self.ranks.agree(self.own.invert_factors(a, work, m)?))
    }

    fn gram(&self, m: &L::Blocks, a: &mut L::Blocks) {
        self.own.gram(m, a);
    }

    fn least_eigenvalues<const N: usize>(
        &self,
        pairs: [(&L::Blocks, &L::Blocks); N],
        enough: f64,
    ) -> Result<[f64; N], Error> {
        let ranks = self.ranks.grid().ranks();
        let join = |least: &mut [f64], ends: &mut [bool]| {
            // Zero where a rank goes on.
            let words = ends.iter().map(|&ends| if ends { 1.0 } else { 0.0 });
            let mut all: Vec<f64> = least.iter().copied().chain(words).collect();
            ranks.all_reduce(Reduction::Least, &mut all).map_err(lost)?;
            least.copy_from_slice(&all[..N]);
            ends.iter_mut().zip(&all[N..]).for_each(|(ends, &word)| *ends = word == 1.0);
            Ok(())
        };
        let has = |pair: usize, block: usize| {
            self.dealt(pair, block).is_none_or(|rank| rank == ranks.rank())
        };
        self.ranks.attempt(|| {
            least_of_all(&self.own, pairs, enough, &Together { has: &has, join: &join })
        })
    }

    fn constraint_products(&self, a: &L::Blocks, v: &mut L::Vector) {
        self.ranks.queue(|| self.whole.add_products(&self.products(a)?, v));
    }

    fn constant_product(&self, a: &L::Blocks) -> Result<T, Error> {
        self.ranks.attempt(|| {
            let mine = self.own.constant_products(a)?;
            Ok(self.whole.sum(&self.contributions(&mine)?))
        })
    }

    fn combine(&self, x: &L::Vector, alpha: f64, a: &mut L::Blocks) {
        self.own.combine(x, alpha, a);
    }

    fn form_schur(&self, u: &L::Blocks, v: &L::Blocks, b: &mut L::OnRanks) {
        self.ranks.queue(|| L::form_on_ranks(self, u, v, b));
    }

    fn schur_sizes(&self, u: &L::Blocks, v: &L::Blocks) -> Result<Vec<f64>, Error> {
        self.ranks
            .attempt(|| Ok(self.whole.sizes_of_schur(&self.diagonals(u)?, &self.diagonals(v)?)))
    }

    fn factor_schur(&self, shifts: &[f64], b: &mut L::OnRanks) -> Result<bool, Error> {
        self.ranks.attempt(|| L::factor_on_ranks(self, shifts, b))
    }

    fn solve_schur(&self, factor: &L::OnRanks, x: &mut L::Vector) {
        self.ranks.queue(|| L::solve_on_ranks(self, factor, x));
    }
}

fn lost(error: nonius_comm::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
