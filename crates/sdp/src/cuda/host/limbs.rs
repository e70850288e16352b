//! The kernels of second-order cones for numbers of limbs, run here beside the operations of the
//! host.

use nonius_cuda::{Factor, Kind, Layout};
use nonius_gpu::{Entry, Pointer};
use nonius_linalg::backend::Cpu;
use nonius_linalg::{Matrix, Scalar};
use nonius_num::{Dd, Qd, Td};
use nonius_testkit::Random;

use super::launch::Kernels;
use super::memory::pointer;
use crate::cone::tests::suite::{Data, dense, sparse};
use crate::cone::{Cone, Congruent};
use crate::cpu::{self, Blocks, CpuCone, Schur};
use crate::cuda::arguments::*;
use crate::cuda::draft::Draft;
use crate::cuda::filled::Pattern;
use crate::cuda::second_order::{Tables, shape_of_products, shape_of_schur};
use crate::cuda::small;

/// A column of numbers of limbs, whose limbs lie side by side.
fn layout<T: Scalar>(x: &mut [T]) -> Layout {
    let (limbs, rows) = (T::LIMBS as i64, x.len() as i64);
    let data = x.as_mut_ptr().expose_provenance() as u64;
    Layout { data, rows, cols: 1, row: limbs, column: limbs * rows, plane: 1 }
}

fn factor<T: Scalar>(x: T) -> Factor {
    let limb = |i: usize| if i < T::LIMBS { x.limb(i).to_bits() } else { 0 };
    // SAFETY: four numbers of eight bytes.
    unsafe { core::mem::transmute::<[u64; 4], Factor>([0, 1, 2, 3].map(limb)) }
}

struct Case<'a, T: Scalar + cpu::Kernels> {
    kernels: &'a Kernels,
    host: CpuCone<T>,
    tables: Tables,
    random: Random,
}

impl<T: Scalar + cpu::Kernels> Case<'_, T> {
    /// Numbers in (−1, 1) with all limbs.
    fn numbers(&mut self) -> Vec<T> {
        let mut number = || {
            let parts = (0..T::LIMBS).map(|i| self.random.unit() * 0.5_f64.powi(53 * i as i32));
            parts.rev().fold(T::ZERO, |sum, part| sum + T::from_f64(part)) * T::from_f64(0.5)
        };
        (0..self.host.diagonal()).map(|_| number()).collect()
    }

    /// A vector with eigenvalues from 1 to 3 in all cones, and positive numbers in other rows.
    fn inside(&mut self) -> Vec<T> {
        let mut x = self.numbers();
        let cones = self.tables.rows.clone();
        let first = cones[0].first as usize;
        x[..first].iter_mut().for_each(|x| *x = x.abs() + T::ONE);
        for ConeRows { first, order } in cones {
            let rows = first as usize..(first + order) as usize;
            let scale = T::from_f64(1.0 / f64::from(order).sqrt());
            x[rows.clone()].iter_mut().for_each(|x| *x *= scale);
            x[rows.start] = T::from_f64(2.0);
        }
        x
    }

    fn blocks(&self, x: &[T]) -> Blocks<T> {
        Blocks { squares: Vec::new(), diagonal: x.to_vec().into() }
    }

    /// What a kernel makes of `to`; whether it reports a failure.
    fn each_cone(
        &self,
        entry: Entry<SecondOrder>,
        factors: [&[T]; 3],
        mut to: Vec<T>,
        [alpha, beta]: [f64; 2],
    ) -> (Vec<T>, bool) {
        let mut factors = factors.map(<[T]>::to_vec);
        let [u, d, v] = factors.each_mut().map(|x| layout(x));
        let count = self.tables.rows.len();
        let mut failed = [0_u32];
        let arguments = SecondOrder {
            cones: pointer(&self.tables.rows),
            count: count as i64,
            u,
            d,
            v,
            to: layout(&mut to),
            alpha: factor(T::from_f64(alpha)),
            beta: factor(T::from_f64(beta)),
            failed: Pointer::at(failed.as_mut_ptr().expose_provenance() as u64),
        };
        // SAFETY: lists and columns are as large as each other say, as on a device.
        unsafe { self.kernels.launch(entry, small::shape(count), &arguments) };
        (to, failed != [0])
    }

    /// Numbers of well-conditioned vectors of up to `n` entries are within some `n·u` of their
    /// size.
    fn assert_near(&self, found: &[T], expected: &[T], what: &str) {
        let most = self.tables.rows.iter().map(|cone| cone.order).max().unwrap_or(0);
        let size = expected.iter().fold(1.0, |size: f64, x| size.max(x.abs().to_f64()));
        let bound = 64.0 * (f64::from(most) + 32.0) * self.host.unit_roundoff() * size;
        for cone in &self.tables.rows {
            for row in cone.first as usize..(cone.first + cone.order) as usize {
                let error = (found[row] - expected[row]).abs().to_f64();
                assert!(error <= bound, "{what}, row {row}: {error:e} > {bound:e}");
            }
        }
    }

    fn check(&mut self) {
        let [x, y] = [(); 2].map(|()| self.inside());
        let [a, c] = [(); 2].map(|()| self.numbers());
        let plain = [1.0, 0.0];
        let [mut l, mut m, mut g, mut work] = [(); 4].map(|()| self.host.blocks().unwrap());
        let on_host = self.blocks(&x);
        assert!(self.host.factor(&on_host, &mut l).unwrap());
        let (root, failed) = self.each_cone(SECOND_ORDER_ROOT, [&x; 3], c.clone(), plain);
        assert!(!failed);
        self.assert_near(&root, l.diagonal.plain(), "root");
        for (scale, is_near) in [(500, 0.0), (-500, 0.0), (0, 2.0), (0, f64::NAN)] {
            let mut spoilt: Vec<T> = x.iter().map(|x| x.ldexp(scale)).collect();
            let last = self.tables.rows[0];
            let place = (last.first + last.order - 1) as usize;
            if is_near != 0.0 && last.order > 1 {
                spoilt[place] = T::from_f64(is_near * 2.0);
            }
            let (found, failed) = self.each_cone(SECOND_ORDER_ROOT, [&spoilt; 3], c.clone(), plain);
            assert_eq!(failed, is_near != 0.0, "{scale} {is_near}");
            if !failed {
                let found: Vec<T> = found.iter().map(|x| x.ldexp(-scale / 2)).collect();
                self.assert_near(&found, l.diagonal.plain(), "root of other exponents");
            }
        }
        self.host.invert_factor(&l, &mut m);
        let of_host = l.diagonal.plain();
        let (inverse, _) = self.each_cone(SECOND_ORDER_INVERT, [of_host; 3], c.clone(), plain);
        self.assert_near(&inverse, m.diagonal.plain(), "inverse");
        self.host.gram(&m, &mut g);
        let of_host = m.diagonal.plain();
        let (square, _) = self.each_cone(SECOND_ORDER_SQUARE, [of_host; 3], c.clone(), plain);
        self.assert_near(&square, g.diagonal.plain(), "square");

        let [u, d, v] = [&g.diagonal.plain().to_vec(), &a, &y].map(|x| self.blocks(x));
        for factors in [[1.0, 0.0], [0.3, -0.7], [-1.0, 1.0]] {
            let mut expected = self.blocks(&c);
            self.host.triple(factors[0], [&u, &d, &v], factors[1], &mut work, &mut expected);
            let of_host = [&u, &d, &v].map(|a| a.diagonal.plain());
            let (found, _) = self.each_cone(SECOND_ORDER_TRIPLE, of_host, c.clone(), factors);
            self.assert_near(&found, expected.diagonal.plain(), "triple product");
        }
        let (q, mut w) = (vec![1.0; x.len()], vec![0.0; x.len()]);
        self.host.congruence(&m, &d, &q, &mut w).unwrap();
        let ones = vec![T::ONE; x.len()];
        let of_host = [m.diagonal.plain(), &a, &ones];
        let (least, _) = self.each_cone(SECOND_ORDER_LEAST, of_host, c.clone(), plain);
        for cone in &self.tables.rows {
            let (found, expected) = (least[cone.first as usize].to_f64(), w[cone.first as usize]);
            let bound =
                64.0 * (f64::from(cone.order) + 32.0) * f64::EPSILON * expected.abs().max(1.0);
            assert!((found - expected).abs() <= bound, "{found} {expected}");
        }
        let (unit, _) = self.each_cone(SECOND_ORDER_IDENTITY, [&x; 3], c.clone(), [0.75, 0.0]);
        let mut expected = self.blocks(&c);
        self.host.identity(0.75, &mut expected);
        self.assert_near(&unit, expected.diagonal.plain(), "unit");
        self.schur(g.diagonal.plain(), &y);
    }

    fn schur(&self, u: &[T], v: &[T]) {
        let m = self.host.constraints();
        let mut expected = self.host.schur().unwrap();
        self.host.form_schur(&self.blocks(u), &self.blocks(v), &mut expected);
        let mut all = Matrix::<T>::zeros(m, m);
        match &expected {
            Schur::Dense(b) => all = b.clone(),
            Schur::Sparse(b) => b.entries().for_each(|(i, j, value)| all[(i, j)] = value),
        }
        let products: Vec<T> = u.iter().zip(v).map(|(&u, &v)| u * v).collect();
        let (mut weights, _) =
            self.each_cone(SECOND_ORDER_WEIGHTS, [u, u, v], products, [1.0, 0.0]);
        let diagonal = self.host.program().diagonal();
        let draft = Draft::of_diagonal(diagonal);
        let numbers: Vec<u32> = diagonal.numbers.iter().map(|&(number, _)| number as u32).collect();
        let (mut values, mut b) = (draft.values.plain().to_vec(), vec![T::ZERO; m * m]);
        let on_values = layout(&mut values);
        let entries = || Entries {
            rows: pointer(&draft.rows),
            cols: pointer(&draft.cols),
            starts: pointer(&draft.starts),
            constraints: pointer(&draft.constraints),
            values: on_values,
        };
        let square = Layout {
            rows: m as i64,
            cols: m as i64,
            column: (T::LIMBS * m) as i64,
            ..layout(&mut b)
        };
        let pattern = Pattern {
            count: draft.place_rows.len(),
            places: [&draft.place_rows, &draft.place_cols, &draft.place_starts].map(|x| pointer(x)),
            sources: [&draft.source_constraints, &draft.source_entries].map(|x| pointer(x)),
        };
        let (shape, of_diagonal) =
            pattern.of_diagonal(entries(), pointer(&numbers), [layout(&mut weights), square]);
        let (mut u, mut v) = (u.to_vec(), v.to_vec());
        let count = self.tables.parts.len();
        let mut products = vec![T::ZERO; 2 * count];
        let of_cones = OfCones {
            entries: entries(),
            parts: pointer(&self.tables.parts),
            constraints: pointer(&self.tables.constraints),
            count: count as i64,
            starts: pointer(&self.tables.starts),
            of_cones: pointer(&self.tables.of_cones),
            u: layout(&mut u),
            v: layout(&mut v),
            products: layout(&mut products),
            b: square,
        };
        // SAFETY: lists and columns are as large as each other say, as on a device.
        unsafe {
            self.kernels.launch(SCHUR_DIAGONAL, shape, &of_diagonal);
            self.kernels.launch(SECOND_ORDER_PRODUCTS, shape_of_products(count), &of_cones);
            self.kernels.launch(SECOND_ORDER_SCHUR, shape_of_schur(m), &of_cones);
        }
        let size = all.as_slice().iter().fold(1.0, |size: f64, x| size.max(x.abs().to_f64()));
        let bound = 64.0 * (u.len() as f64 + 32.0) * self.host.unit_roundoff() * size;
        for (i, j) in (0..m).flat_map(|j| (j..m).map(move |i| (i, j))) {
            let error = (b[i + j * m] - all[(i, j)]).abs().to_f64();
            assert!(error <= bound, "complement {i} {j}: {error:e} > {bound:e}");
        }
    }
}

/// Nothing is tested where there is no C++ compiler.
fn kernels_of<T: Scalar + cpu::Kernels>() {
    let Some(kernels) = Kernels::new(Kind::Limbs(T::LIMBS)) else { return };
    let has_cones_alone = |data: &Data| data.squares.is_empty() && !data.second_order.is_empty();
    let programs: Vec<Data> = dense().into_iter().chain(sparse()).filter(has_cones_alone).collect();
    assert_eq!(programs.len(), 2);
    for data in programs {
        let host = CpuCone::new(data.program::<T>(()), Cpu::default());
        let tables = Tables::new(&host.program().diagonal().second_order);
        let mut case = Case { kernels: &kernels, host, tables, random: Random::new(3) };
        case.check();
    }
}

#[test]
fn cones_of_f64() {
    kernels_of::<f64>();
}

#[test]
fn cones_of_dd() {
    kernels_of::<Dd>();
}

#[test]
fn cones_of_td() {
    kernels_of::<Td>();
}

#[test]
fn cones_of_qd() {
    kernels_of::<Qd>();
}
