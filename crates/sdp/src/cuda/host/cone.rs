//! A cone of which kernels compute what they do on a device.

use nonius_cuda::{Kind, Layout};
use nonius_gpu::{Arguments, Entry, Pointer, Shape};
use nonius_linalg::Error;
use nonius_linalg::backend::Cpu;
use nonius_linalg::dense::Transpose;
use nonius_linalg::dense::gemm::Products as Engines;
use nonius_linalg::mp::{Bits, Matrix, Mp, Numbers, Slice};

use super::launch::Kernels;
use super::memory::{Held, Lanes, pointer};
use crate::cone::{Cone, Congruent, Program, Square, least_eigenvalues};
use crate::cpu::{Blocks, CpuCone, Schur};
use crate::cuda::CudaSchurFormula;
use crate::cuda::arguments::{self, *};
use crate::cuda::draft::Draft;
use crate::cuda::filled::{Factors, Images, Pattern, sparse};
use crate::cuda::formula::{choose, is_long};
use crate::cuda::full::Lines;
use crate::cuda::launch::shape;
use crate::cuda::second_order::{Tables, shape_of_products, shape_of_schur};
use crate::cuda::small::{self, Position};

/// The lists of a part, and its numbers as kernels have them.
struct Part {
    draft: Draft<Mp>,
    constraints: Vec<u32>,
    values: Lanes,
    weights: Option<Lanes>,
    tasks: [Vec<u32>; 3],
}

impl Part {
    fn new(draft: Draft<Mp>) -> Self {
        let count = draft.constraints.len() as u32;
        Self {
            constraints: draft.constraints.iter().copied().chain([0]).collect(),
            values: Lanes::column(&draft.values),
            weights: draft.weights.as_ref().map(Lanes::column),
            tasks: [draft.matrices(false), draft.matrices(true), vec![count]],
            draft,
        }
    }

    fn entries(&self) -> Entries {
        Entries {
            rows: pointer(&self.draft.rows),
            cols: pointer(&self.draft.cols),
            starts: pointer(&self.draft.starts),
            constraints: pointer(&self.constraints),
            values: self.weights.as_ref().unwrap_or(&self.values).layout(),
        }
    }

    fn pattern(&self) -> Pattern {
        let Draft { place_rows, place_cols, place_starts, .. } = &self.draft;
        let Draft { source_constraints, source_entries, .. } = &self.draft;
        Pattern {
            count: place_rows.len(),
            places: [pointer(place_rows), pointer(place_cols), pointer(place_starts)],
            sources: [pointer(source_constraints), pointer(source_entries)],
        }
    }
}

pub(super) struct KernelCone {
    kernels: Kernels,
    bits: Bits,
    host: CpuCone<Mp>,
    positions: Vec<Position>,
    length: usize,
    table: Vec<arguments::Square>,
    squares: Vec<Part>,
    together: Part,
    diagonal: Part,
    numbers: Vec<u32>,
    cones: Tables,
    formula: Option<CudaSchurFormula>,
}

impl KernelCone {
    pub(super) fn new(
        kernels: &Kernels,
        program: Program<Mp>,
        formula: Option<CudaSchurFormula>,
    ) -> Self {
        let bits = program.objective().bits();
        let orders: Vec<usize> = program.squares().iter().map(|square| square.order).collect();
        let most_rows = small::most_rows(Kind::Mp(bits));
        let (positions, length) = small::positions(&orders, most_rows);
        let in_column = small::squares(program.squares(), &positions);
        Self {
            kernels: kernels.clone(),
            bits,
            table: small::table(&orders, &positions),
            squares: program.squares().iter().map(Draft::of_square).map(Part::new).collect(),
            together: Part::new(Draft::of_small(bits, in_column)),
            diagonal: Part::new(Draft::of_diagonal(program.diagonal())),
            numbers: program.diagonal().numbers.iter().map(|&(number, _)| number as u32).collect(),
            cones: Tables::new(&program.diagonal().second_order),
            host: CpuCone::new(program, Cpu::new(Engines::direct())),
            positions,
            length,
            formula,
        }
    }

    fn launch<A: Arguments>(&self, entry: Entry<A>, shape: Shape, arguments: &A) {
        // SAFETY: lists and matrices are as large as each other say, as on a device.
        unsafe { self.kernels.launch(entry, shape, arguments) };
    }

    fn squares(&self) -> &[Square<Mp>] {
        self.host.program().squares()
    }

    /// What there is of the large squares, of what there is of each square.
    fn large<A>(&self, all: impl Iterator<Item = A>) -> impl Iterator<Item = A> {
        let positions = all.zip(&self.positions);
        positions.filter(|(_, position)| matches!(position, Position::Alone(_))).map(|(one, _)| one)
    }

    /// The small squares one after the other.
    fn column(&self, a: &Blocks<Mp>) -> Lanes {
        let mut column = Numbers::with_capacity(self.bits, self.length);
        for (a, position) in a.squares.iter().zip(&self.positions) {
            if let Position::Among(at) = *position {
                assert_eq!(at, column.len());
                column.extend(a.numbers().as_slice());
            }
        }
        Lanes::column(&column)
    }

    /// Puts the small squares back.
    fn scatter(&self, column: &Lanes, a: &mut Blocks<Mp>) {
        let numbers = column.numbers();
        for (position, a) in self.positions.iter().zip(&mut a.squares) {
            if let Position::Among(at) = *position {
                let count = a.numbers().len();
                a.numbers_mut().copy_from(numbers.as_slice().range(at..at + count));
            }
        }
    }

    /// A kernel for the small squares; whether it reports a failure.
    fn each_small(
        &self,
        entry: Entry<Small>,
        (a, b): (&Blocks<Mp>, &Blocks<Mp>),
        to: &mut Blocks<Mp>,
        [alpha, beta]: [f64; 2],
    ) -> bool {
        let (a, b, mut c) = (self.column(a), self.column(b), self.column(to));
        let (alpha, beta) = (Held::of(self.bits, alpha), Held::of(self.bits, beta));
        let mut failed = [0_u32];
        let small = Small {
            squares: pointer(&self.table),
            count: self.table.len() as i64,
            a: a.layout(),
            b: b.layout(),
            c: c.layout_mut(),
            alpha: alpha.number,
            beta: beta.number,
            failed: Pointer::at(failed.as_mut_ptr().expose_provenance() as u64),
        };
        self.launch(entry, small::shape(self.table.len()), &small);
        self.scatter(&c, to);
        failed != [0]
    }

    /// A kernel for each large square.
    fn each_large(&self, entry: Entry<Layout>, a: &mut Blocks<Mp>) {
        for a in self.large(a.squares.iter_mut()) {
            let mut lanes = Lanes::of(a);
            let layout = lanes.layout_mut();
            self.launch(entry, shape(a.rows(), a.cols()), &layout);
            a.numbers_mut().copy_from(lanes.numbers().as_slice());
        }
    }

    /// A kernel for each second-order cone, on columns of the diagonal block's rows; whether it
    /// reports a failure. Without cones nothing is launched.
    fn each_cone(
        &self,
        entry: Entry<SecondOrder>,
        factors: [&Numbers; 3],
        to: &mut Numbers,
        [alpha, beta]: [f64; 2],
    ) -> bool {
        let count = self.cones.rows.len();
        if count == 0 {
            return false;
        }
        let ([u, d, v], mut lanes) = (factors.map(Lanes::column), Lanes::column(to));
        let (alpha, beta) = (Held::of(self.bits, alpha), Held::of(self.bits, beta));
        let mut failed = [0_u32];
        let arguments = SecondOrder {
            cones: pointer(&self.cones.rows),
            count: count as i64,
            u: u.layout(),
            d: d.layout(),
            v: v.layout(),
            to: lanes.layout_mut(),
            alpha: alpha.number,
            beta: beta.number,
            failed: Pointer::at(failed.as_mut_ptr().expose_provenance() as u64),
        };
        self.launch(entry, small::shape(count), &arguments);
        *to = lanes.numbers();
        failed != [0]
    }

    /// What cones add to the Schur complement beside the weights of rows.
    fn schur_of_cones(&self, u: Layout, v: Layout, b: Layout) {
        let Tables { parts, constraints, starts, of_cones, .. } = &self.cones;
        if parts.is_empty() {
            return;
        }
        let mut products = Lanes::zeros(self.bits, 2 * parts.len(), 1);
        let arguments = OfCones {
            entries: self.diagonal.entries(),
            parts: pointer(parts),
            constraints: pointer(constraints),
            count: parts.len() as i64,
            starts: pointer(starts),
            of_cones: pointer(of_cones),
            u,
            v,
            products: products.layout_mut(),
            b,
        };
        self.launch(SECOND_ORDER_PRODUCTS, shape_of_products(parts.len()), &arguments);
        self.launch(SECOND_ORDER_SCHUR, shape_of_schur(self.constraints()), &arguments);
    }

    fn largest_of(&self, all: impl Iterator<Item = Lanes>) -> f64 {
        let mut bits = [0_u64];
        for a in all {
            let (rows, cols) = a.layout().shape();
            let bits = Pointer::at(bits.as_mut_ptr().expose_provenance() as u64);
            self.launch(LARGEST, shape(rows, cols), &Largest { a: a.layout(), bits });
        }
        f64::from_bits(bits[0])
    }

    /// The large squares, the small ones together, then the diagonal block.
    fn lanes(&self, a: &Blocks<Mp>) -> Vec<Lanes> {
        let large = self.large(a.squares.iter()).map(Lanes::of);
        large.chain([self.column(a), Lanes::column(&a.diagonal)]).collect()
    }

    fn parts(&self) -> Vec<&Part> {
        self.large(self.squares.iter()).chain([&self.together, &self.diagonal]).collect()
    }

    fn products(&self, part: &Part, tasks: usize, factors: Factors, from: usize) {
        let all = &part.tasks[tasks];
        let own = &all[all.partition_point(|&matrix| (matrix as usize) < from)..];
        let (entry, shape, products) =
            factors.products(part.entries(), (pointer(own), own.len()), tasks > 0);
        self.launch(entry, shape, &products);
    }

    /// Adds products with all of some of the parts' matrices.
    fn products_with(&self, a: &Blocks<Mp>, tasks: &[usize], to: Layout, is_vector: bool) {
        let (all, parts) = (self.lanes(a), self.parts());
        let large = all.len() - 2;
        for (block, (part, a)) in parts.into_iter().zip(&all).enumerate() {
            let images = if block < large { Images::Same } else { Images::None };
            let to = if is_vector { to } else { to.block(block, 0, 1, 1) };
            let (a, order) = (a.layout(), a.layout().shape().0);
            let factors = Factors { a, order, images, columns: None, to };
            tasks.iter().for_each(|&tasks| self.products(part, tasks, factors, 0));
        }
    }

    fn sparse_columns(&self, s: usize, columns: &[u32], matrices: [Layout; 3]) {
        let (part, is_long) = (&self.squares[s], is_long(&self.squares()[s]));
        let (count, list) = (part.draft.constraints.len(), (pointer(columns), columns.len()));
        let (shape, sparse) = sparse(part.entries(), count, list, is_long, matrices);
        self.launch(SCHUR_SPARSE, shape, &sparse);
    }

    fn full_columns(&self, s: usize, matrices: &[u32], u: &Matrix, v: &Lanes, b: Layout) {
        let (part, n) = (&self.squares[s], u.rows());
        if matrices.is_empty() {
            return;
        }
        let lines = Lines::new(&self.squares()[s], matrices);
        let mut left = Lanes::zeros(self.bits, matrices.len() * n, n);
        let arguments = Left {
            lines: pointer(&lines.lines),
            count: lines.lines.len() as i64,
            rows: pointer(&lines.rows),
            entries: pointer(&lines.entries),
            values: part.values.layout(),
            v: v.layout(),
            to: left.layout_mut(),
            first: 0,
        };
        self.launch(SCHUR_LEFT, shape(n, lines.lines.len()), &arguments);
        let left = Matrix::from_numbers(matrices.len() * n, n, left.numbers()).unwrap();
        let mut product = Matrix::zeros_in(self.bits, matrices.len() * n, n);
        let (engines, no) = (Engines::direct(), Transpose::No);
        let (one, zero) = (Mp::one(self.bits), Mp::zero(self.bits));
        nonius_linalg::cpu::gemm::gemm(
            engines,
            no,
            no,
            one,
            left.view(),
            u.view(),
            zero,
            product.view_mut(),
        );
        let a = Lanes::of(&product);
        let columns = Some((pointer(matrices), matrices.len()));
        let factors = Factors { a: a.layout(), order: n, images: Images::Other, columns, to: b };
        for tasks in 0..2 {
            self.products(part, tasks, factors, matrices[0] as usize);
        }
    }
}

impl Cone for KernelCone {
    type Number = Mp;
    type Vector = Numbers;
    type Blocks = Blocks<Mp>;
    type Schur = Schur<Mp>;

    fn format(&self) -> Bits {
        self.bits
    }

    fn constraints(&self) -> usize {
        self.host.constraints()
    }

    fn squares(&self) -> Vec<usize> {
        Cone::squares(&self.host)
    }

    fn diagonal(&self) -> usize {
        self.host.diagonal()
    }

    fn second_order(&self) -> Vec<usize> {
        Cone::second_order(&self.host)
    }

    fn vector(&self) -> Result<Numbers, Error> {
        self.host.vector()
    }

    fn blocks(&self) -> Result<Blocks<Mp>, Error> {
        self.host.blocks()
    }

    fn schur(&self) -> Result<Schur<Mp>, Error> {
        let m = self.constraints();
        Ok(Schur::Dense(Matrix::zeros_in(self.bits, m, m)))
    }

    fn download_vector(&self, x: &Numbers) -> Result<Numbers, Error> {
        self.host.download_vector(x)
    }

    fn upload_vector<'a>(&self, x: impl Into<Slice<'a>>) -> Result<Numbers, Error> {
        self.host.upload_vector(x)
    }

    fn download_blocks(&self, a: &Blocks<Mp>) -> Result<Vec<Numbers>, Error> {
        self.host.download_blocks(a)
    }

    fn upload_blocks<'a, P>(&self, a: &'a [P]) -> Result<Blocks<Mp>, Error>
    where
        &'a P: Into<Slice<'a>>,
    {
        self.host.upload_blocks(a)
    }

    fn objective(&self) -> &Numbers {
        self.host.objective()
    }

    fn copy_vector(&self, x: &Numbers, y: &mut Numbers) {
        self.host.copy_vector(x, y);
    }

    fn scale_vector(&self, alpha: f64, x: &mut Numbers) {
        self.host.scale_vector(alpha, x);
    }

    fn add_vector(&self, alpha: f64, x: &Numbers, y: &mut Numbers) {
        self.host.add_vector(alpha, x, y);
    }

    fn dot(&self, x: &Numbers, y: &Numbers) -> Result<Mp, Error> {
        self.host.dot(x, y)
    }

    fn largest(&self, x: &Numbers) -> Result<f64, Error> {
        Ok(self.largest_of([Lanes::column(x)].into_iter()))
    }

    fn copy_blocks(&self, a: &Blocks<Mp>, b: &mut Blocks<Mp>) {
        self.host.copy_blocks(a, b);
    }

    fn identity(&self, alpha: f64, a: &mut Blocks<Mp>) {
        let before = a.clone();
        self.each_small(SMALL_IDENTITY, (&before, &before), a, [alpha, 0.0]);
        let held = Held::of(self.bits, alpha);
        let identity = |lanes: &mut Lanes, is_column: bool| {
            let (a, alpha) = (lanes.layout_mut(), held.number);
            let (rows, cols) = a.shape();
            let diagonal = arguments::Diagonal { a, alpha, is_column: is_column.into() };
            self.launch(IDENTITY, shape(rows, cols), &diagonal);
        };
        for a in self.large(a.squares.iter_mut()) {
            let mut lanes = Lanes::of(a);
            identity(&mut lanes, false);
            a.numbers_mut().copy_from(lanes.numbers().as_slice());
        }
        let mut lanes = Lanes::column(&a.diagonal);
        identity(&mut lanes, true);
        a.diagonal = lanes.numbers();
        let factors = [&before.diagonal; 3];
        self.each_cone(SECOND_ORDER_IDENTITY, factors, &mut a.diagonal, [alpha, 0.0]);
    }

    fn scale_blocks(&self, alpha: f64, a: &mut Blocks<Mp>) {
        self.host.scale_blocks(alpha, a);
    }

    fn add_blocks(&self, alpha: f64, a: &Blocks<Mp>, b: &mut Blocks<Mp>) {
        self.host.add_blocks(alpha, a, b);
    }

    fn triple(
        &self,
        alpha: f64,
        [u, d, v]: [&Blocks<Mp>; 3],
        beta: f64,
        work: &mut Blocks<Mp>,
        c: &mut Blocks<Mp>,
    ) {
        let mut small = c.clone();
        self.each_small(SMALL_MULTIPLY, (d, v), work, [1.0, 0.0]);
        let before = work.clone();
        self.each_small(SMALL_MULTIPLY, (u, &before), &mut small, [alpha, beta]);
        let mut cones = c.diagonal.clone();
        let factors = [u, d, v].map(|a| &a.diagonal);
        self.each_cone(SECOND_ORDER_TRIPLE, factors, &mut cones, [alpha, beta]);
        self.host.triple(alpha, [u, d, v], beta, work, c);
        let rows = self.host.diagonal() - Cone::second_order(&self.host).iter().sum::<usize>();
        (rows..cones.len()).for_each(|i| c.diagonal.set(i, cones.at(i)));
        let symmetric = small.clone();
        self.each_small(SMALL_SYMMETRIZE, (&symmetric, &symmetric), &mut small, [1.0, 0.0]);
        self.scatter(&self.column(&small), c);
    }

    fn symmetrize(&self, a: &mut Blocks<Mp>) {
        self.each_large(SYMMETRIZE, a);
        let before = a.clone();
        self.each_small(SMALL_SYMMETRIZE, (&before, &before), a, [1.0, 0.0]);
    }

    fn inner(&self, a: &Blocks<Mp>, b: &Blocks<Mp>) -> Result<Mp, Error> {
        self.host.inner(a, b)
    }

    fn largest_entry(&self, a: &Blocks<Mp>) -> Result<f64, Error> {
        Ok(self.largest_of(self.lanes(a).into_iter()))
    }

    fn factor(&self, a: &Blocks<Mp>, l: &mut Blocks<Mp>) -> Result<bool, Error> {
        // The host's part.
        let mut others = a.clone();
        let mut units = self.host.blocks()?;
        self.host.identity(1.0, &mut units);
        self.scatter(&self.column(&units), &mut others);
        let is_definite = self.host.factor(&others, l)?;
        for l in &mut l.squares {
            (0..l.cols()).for_each(|j| (0..j).for_each(|i| l.set(i, j, Mp::nan(self.bits))));
        }
        self.each_large(CLEAR_UPPER, l);
        let failed = self.each_small(SMALL_FACTOR, (a, a), l, [1.0, 0.0]);
        let factors = [&a.diagonal; 3];
        let is_outside = self.each_cone(SECOND_ORDER_ROOT, factors, &mut l.diagonal, [1.0, 0.0]);
        Ok(is_definite && !failed && !is_outside)
    }

    fn invert_factor(&self, l: &Blocks<Mp>, m: &mut Blocks<Mp>) {
        self.host.invert_factor(l, m);
        self.each_small(SMALL_INVERT, (l, l), m, [1.0, 0.0]);
        self.each_cone(SECOND_ORDER_INVERT, [&l.diagonal; 3], &mut m.diagonal, [1.0, 0.0]);
    }

    fn gram(&self, m: &Blocks<Mp>, a: &mut Blocks<Mp>) {
        self.host.gram(m, a);
        for a in &mut a.squares {
            (0..a.cols()).for_each(|j| (0..j).for_each(|i| a.set(i, j, Mp::nan(self.bits))));
        }
        self.each_large(MIRROR, a);
        self.each_small(SMALL_GRAM, (m, m), a, [1.0, 0.0]);
        self.each_cone(SECOND_ORDER_SQUARE, [&m.diagonal; 3], &mut a.diagonal, [1.0, 0.0]);
    }

    fn least_eigenvalues<const N: usize>(
        &self,
        pairs: [(&Blocks<Mp>, &Blocks<Mp>); N],
        enough: f64,
    ) -> Result<[f64; N], Error> {
        least_eigenvalues(self, pairs, enough)
    }

    fn constraint_products(&self, a: &Blocks<Mp>, v: &mut Numbers) {
        let mut to = Lanes::zeros(self.bits, v.len(), 1);
        self.products_with(a, &[0, 1], to.layout_mut(), true);
        *v = to.numbers();
    }

    fn constant_product(&self, a: &Blocks<Mp>) -> Result<Mp, Error> {
        let mut to = Lanes::zeros(self.bits, self.parts().len(), 1);
        self.products_with(a, &[2], to.layout_mut(), false);
        let products = to.numbers();
        Ok(products.as_slice().iter().rev().reduce(|x, y| x + y).unwrap())
    }

    fn combine(&self, x: &Numbers, alpha: f64, a: &mut Blocks<Mp>) {
        let (x, alpha) = (Lanes::column(x), Held::of(self.bits, alpha));
        *a = self.host.blocks().unwrap();
        let mut sums = self.lanes(a);
        for (part, a) in self.parts().into_iter().zip(&mut sums) {
            let (values, weights) = (part.values.layout(), (x.layout(), alpha.number));
            let (shape, combination) = part.pattern().combination(values, weights, a.layout_mut());
            self.launch(COMBINE, shape, &combination);
        }
        let large = self.large(a.squares.iter_mut()).zip(&sums);
        large.for_each(|(a, sum)| a.numbers_mut().copy_from(sum.numbers().as_slice()));
        self.scatter(&sums[sums.len() - 2], a);
        a.diagonal = sums[sums.len() - 1].numbers();
    }

    fn form_schur(&self, u: &Blocks<Mp>, v: &Blocks<Mp>, b: &mut Schur<Mp>) {
        let Schur::Dense(b) = b else { panic!("a dense matrix") };
        let mut to = Lanes::zeros(self.bits, b.rows(), b.cols());
        let layout = to.layout_mut();
        let (x, y) = (Lanes::column(&u.diagonal), Lanes::column(&v.diagonal));
        let (pattern, numbers) = (self.diagonal.pattern(), pointer(&self.numbers));
        let mut weights = u.diagonal.clone();
        (0..weights.len()).for_each(|i| weights.set(i, u.diagonal.at(i) * v.diagonal.at(i)));
        let factors = [&u.diagonal, &u.diagonal, &v.diagonal];
        self.each_cone(SECOND_ORDER_WEIGHTS, factors, &mut weights, [1.0, 0.0]);
        let weights = Lanes::column(&weights);
        let matrices = [weights.layout(), layout];
        let (shape, of_diagonal) = pattern.of_diagonal(self.diagonal.entries(), numbers, matrices);
        self.launch(SCHUR_DIAGONAL, shape, &of_diagonal);
        self.schur_of_cones(x.layout(), y.layout(), layout);
        for (s, square) in self.squares().iter().enumerate() {
            let (u, on_u, v) = (&u.squares[s], Lanes::of(&u.squares[s]), Lanes::of(&v.squares[s]));
            let formulas = choose(square, Kind::Mp(self.bits), self.formula);
            let of = |formula| -> Vec<u32> {
                let numbered = (0..).zip(&formulas);
                numbered.filter(|&(_, &one)| one == formula).map(|(matrix, _)| matrix).collect()
            };
            let columns = of(CudaSchurFormula::Sparse);
            self.sparse_columns(s, &columns, [on_u.layout(), v.layout(), layout]);
            self.full_columns(s, &of(CudaSchurFormula::Full), u, &v, layout);
        }
        b.numbers_mut().copy_from(to.numbers().as_slice());
    }

    fn schur_sizes(&self, u: &Blocks<Mp>, v: &Blocks<Mp>) -> Result<Vec<f64>, Error> {
        self.host.schur_sizes(u, v)
    }

    fn factor_schur(&self, shifts: &[f64], b: &mut Schur<Mp>) -> Result<bool, Error> {
        if let (Schur::Dense(b), false) = (&mut *b, shifts.is_empty()) {
            let mut numbers = Numbers::with_capacity(self.bits, shifts.len());
            shifts.iter().for_each(|&shift| numbers.push(Mp::from_f64(self.bits, shift)));
            let (shifts, mut lanes) = (Lanes::column(&numbers), Lanes::of(b));
            let arguments = Shifts { a: lanes.layout_mut(), shifts: shifts.layout() };
            self.launch(ADD_TO_DIAGONAL, shape(b.rows(), 1), &arguments);
            b.numbers_mut().copy_from(lanes.numbers().as_slice());
        }
        self.host.factor_schur(&[], b)
    }

    fn solve_schur(&self, factor: &Schur<Mp>, x: &mut Numbers) {
        self.host.solve_schur(factor, x);
    }
}

impl Congruent for KernelCone {
    fn congruence(
        &self,
        m: &Blocks<Mp>,
        a: &Blocks<Mp>,
        q: &[f64],
        w: &mut [f64],
    ) -> Result<(), Error> {
        self.host.congruence(m, a, q, w)?;
        let mut x = Numbers::with_capacity(self.bits, q.len());
        q.iter().for_each(|&q| x.push(Mp::from_f64(self.bits, q)));
        let first = q.len() - m.diagonal.len();
        let of_diagonal = Numbers::from(x.as_slice().range(first..q.len()));
        let mut least = Numbers::zeros(self.bits, of_diagonal.len());
        let factors = [&m.diagonal, &a.diagonal, &of_diagonal];
        self.each_cone(SECOND_ORDER_LEAST, factors, &mut least, [1.0, 0.0]);
        for row in self
            .host
            .program()
            .diagonal()
            .second_order
            .cones
            .iter()
            .flat_map(|cone| cone.rows.clone())
        {
            w[first + row] = least.at(row).to_f64();
        }
        let (x, mut y) = (Lanes::column(&x), Lanes::zeros(self.bits, q.len(), 1));
        let (m, a) = (self.column(m), self.column(a));
        let congruence = Congruence {
            squares: pointer(&self.table),
            count: self.table.len() as i64,
            m: m.layout(),
            a: a.layout(),
            q: x.layout(),
            w: y.layout_mut(),
        };
        self.launch(SMALL_CONGRUENCE, small::shape(self.table.len()), &congruence);
        let y = y.numbers();
        for square in &self.table {
            let rows = square.row as usize..(square.row + square.order) as usize;
            rows.for_each(|row| w[row] = y.at(row).to_f64());
        }
        Ok(())
    }
}
