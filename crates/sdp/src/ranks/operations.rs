//! The operations.

use nonius_comm::Reduction;
use nonius_comm::dense::{Cargo, Carry};
use nonius_linalg::backend::{Dense, Memory, Rearrange, Share};
use nonius_linalg::dense::{Transpose, cholesky_in_place};
use nonius_linalg::{DeviceFailure, Error, Numbers, Slice};

use super::cone::{RanksCone, RanksSchur};
use super::lists::Lists;
use crate::cone::{Blockwise, Cone, rounded, total};

type Format<L> = <<L as Cone>::Number as nonius_linalg::Element>::Format;

impl<T: Cargo, L, B> Cone for RanksCone<L, B>
where
    L: Blockwise<Number = T>,
    B: Dense<T> + Share<T> + Rearrange<T> + Carry<T> + 'static,
{
    type Number = T;
    type Vector = L::Vector;
    type Blocks = L::Blocks;
    type Schur = RanksSchur<L, B>;

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

    fn schur(&self) -> Result<RanksSchur<L, B>, Error> {
        let m = self.constraints();
        match self.whole.sparse_columns() {
            None => {
                let matrix = self.ranks.try_zeros(self.format(), m, m)?;
                Ok(RanksSchur::Tiled { matrix, panels: None })
            }
            Some(_) => Ok(RanksSchur::Whole(self.ranks.attempt(|| self.whole.schur())?)),
        }
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
        let lengths: Vec<usize> = parts.iter().map(|part| part.len()).collect();
        assert_eq!(lengths, self.entries(), "entries of blocks");
        let mine = |(block, part): (usize, Slice<'a, T>)| match self.has(block) {
            true => rounded(part, self.format()),
            false => Ok(Numbers::new(self.format())),
        };
        self.ranks.attempt(|| {
            let mine: Vec<_> = parts.into_iter().enumerate().map(mine).collect::<Result<_, _>>()?;
            self.own.upload_blocks::<Numbers<T>>(&mine)
        })
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
            Ok(total(&self.contributions(&mine)?))
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
        self.ranks.attempt(|| {
            let mut is_definite = [u32::from(self.own.factor(a, l)?)];
            let ranks = self.ranks.grid().ranks();
            ranks.all_reduce(Reduction::Least, &mut is_definite).map_err(lost)?;
            Ok(is_definite == [1])
        })
    }

    fn invert_factor(&self, l: &L::Blocks, m: &mut L::Blocks) {
        self.own.invert_factor(l, m);
    }

    fn gram(&self, m: &L::Blocks, a: &mut L::Blocks) {
        self.own.gram(m, a);
    }

    fn congruence(
        &self,
        m: &L::Blocks,
        a: &L::Blocks,
        q: &[f64],
        w: &mut [f64],
    ) -> Result<(), Error> {
        let orders = self.orders();
        let (mut starts, mut mine) = (vec![0], vec![0]);
        for (block, order) in orders.iter().enumerate() {
            starts.push(starts[block] + order);
            mine.push(mine[block] + if self.has(block) { *order } else { 0 });
        }
        let own = |block: usize| mine[block]..mine[block + 1];
        let own_blocks = (0..orders.len()).filter(|&block| self.has(block));
        let own_q: Vec<f64> =
            own_blocks.flat_map(|block| &q[starts[block]..starts[block + 1]]).copied().collect();
        self.ranks.attempt(|| {
            let mut own_w = vec![0.0; own_q.len()];
            self.own.congruence(m, a, &own_q, &mut own_w)?;
            let lists = Lists { owners: &self.blocks, lengths: orders };
            let ranks = self.ranks.grid().ranks();
            let all = lists.all(ranks, (), |block| Slice::from(&own_w[own(block)]))?;
            for (block, found) in all.iter().enumerate() {
                w[starts[block]..starts[block + 1]].copy_from_slice(found.plain());
            }
            Ok(())
        })
    }

    fn constraint_products(&self, a: &L::Blocks, v: &mut L::Vector) {
        self.ranks.queue(|| self.whole.add_products(&self.products(a)?, v));
    }

    fn constant_product(&self, a: &L::Blocks) -> Result<T, Error> {
        self.ranks.attempt(|| {
            let mine = self.own.constant_products(a)?;
            Ok(total(&self.contributions(&mine)?))
        })
    }

    fn combine(&self, x: &L::Vector, alpha: f64, a: &mut L::Blocks) {
        self.own.combine(x, alpha, a);
    }

    fn form_schur(&self, u: &L::Blocks, v: &L::Blocks, b: &mut RanksSchur<L, B>) {
        self.ranks.queue(|| {
            let (ranks, owners) = (self.ranks.grid().ranks(), &self.columns[..]);
            let (u, v) = (self.whole_of(u)?, self.whole_of(v)?);
            let mine: Vec<usize> =
                (0..owners.len()).filter(|&j| owners[j] == ranks.rank()).collect();
            let formed = self.whole.schur_columns(&u, &v, &mine)?;
            match b {
                RanksSchur::Tiled { matrix, .. } => self.ranks.fill_lower(owners, &formed, matrix),
                RanksSchur::Whole(b) => {
                    let lengths = self.whole.sparse_columns().unwrap_or_default();
                    let place = |j: usize| mine.partition_point(|&other| other < j);
                    let lists = Lists { owners, lengths };
                    let all = lists.all(ranks, self.format(), |j| formed[place(j)].as_slice())?;
                    self.whole.put_columns(&all, b)
                }
            }
        });
    }

    fn schur_sizes(&self, u: &L::Blocks, v: &L::Blocks) -> Result<Vec<f64>, Error> {
        self.ranks.attempt(|| self.whole.schur_sizes(&self.whole_of(u)?, &self.whole_of(v)?))
    }

    fn factor_schur(&self, shifts: &[f64], b: &mut RanksSchur<L, B>) -> Result<bool, Error> {
        self.ranks.attempt(|| match b {
            RanksSchur::Tiled { matrix, panels } => {
                *panels = None;
                if !shifts.is_empty() {
                    let mut numbers = Numbers::with_capacity(self.format(), shifts.len());
                    shifts.iter().for_each(|&shift| numbers.push(T::from_f64(shift)));
                    self.ranks.add_to_diagonal(numbers.as_slice(), matrix)?;
                }
                let outcome = cholesky_in_place(&self.ranks, self.ranks.view_mut(matrix));
                if outcome.is_ok() {
                    *panels = Some(self.ranks.panels(matrix, self.whole.substitution())?);
                }
                Ok(outcome.is_ok())
            }
            RanksSchur::Whole(b) => self.whole.factor_schur(shifts, b),
        })
    }

    fn solve_schur(&self, factor: &RanksSchur<L, B>, x: &mut L::Vector) {
        let panels = match factor {
            RanksSchur::Tiled { panels, .. } => panels,
            RanksSchur::Whole(factor) => return self.whole.solve_schur(factor, x),
        };
        // Without a factor nobody solves.
        let Some(panels) = panels else { return };
        self.ranks.queue(|| {
            let mut numbers = self.whole.download_vector(x)?;
            for transpose in [Transpose::No, Transpose::Yes] {
                self.ranks.solve_panels(panels, transpose, numbers.as_mut_slice())?;
            }
            *x = self.whole.upload_vector(&numbers)?;
            Ok(())
        });
    }
}

fn lost(error: nonius_comm::Error) -> Error {
    Error::Device(DeviceFailure::new(error))
}
