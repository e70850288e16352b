//! Matrices as kernels for numbers of any precision have them, in this machine's memory.

use nonius_cuda::{Factor, Layout};
use nonius_gpu::Pointer;
use nonius_linalg::mp::{Bits, Matrix, Mp, Numbers};
use nonius_num::Element;
use nonius_num::mp::Head;

/// A matrix whose lanes lie side by side, column by column.
pub(super) struct Lanes {
    bits: Bits,
    rows: usize,
    cols: usize,
    lanes: Vec<u64>,
}

impl Lanes {
    pub(super) fn new(rows: usize, cols: usize, numbers: &Numbers) -> Self {
        assert_eq!(numbers.len(), rows * cols);
        let bits = numbers.bits();
        let (heads, words) = numbers.as_slice().parts();
        let mut lanes = Vec::new();
        for (&head, words) in heads.iter().zip(words.chunks_exact(bits.words())) {
            lanes.extend_from_slice(words);
            lanes.push(head.to_bits().into());
        }
        Self { bits, rows, cols, lanes }
    }

    pub(super) fn of(a: &Matrix) -> Self {
        Self::new(a.rows(), a.cols(), a.numbers())
    }

    pub(super) fn column(x: &Numbers) -> Self {
        Self::new(x.len(), 1, x)
    }

    pub(super) fn zeros(bits: Bits, rows: usize, cols: usize) -> Self {
        Self::new(rows, cols, &Numbers::zeros(bits, rows * cols))
    }

    fn at(&self, data: u64) -> Layout {
        let (rows, cols, row) = (self.rows as i64, self.cols as i64, self.bits.words() as i64 + 1);
        Layout { data, rows, cols, row, column: row * rows, plane: 1 }
    }

    /// To be read.
    pub(super) fn layout(&self) -> Layout {
        self.at(self.lanes.as_ptr().expose_provenance() as u64)
    }

    /// To be written.
    pub(super) fn layout_mut(&mut self) -> Layout {
        let data = self.lanes.as_mut_ptr().expose_provenance() as u64;
        self.at(data)
    }

    /// The numbers, after kernels have written some.
    pub(super) fn numbers(&self) -> Numbers {
        let mut numbers = Numbers::with_capacity(self.bits, self.rows * self.cols);
        for lanes in self.lanes.chunks_exact(self.bits.words() + 1) {
            let (words, head) = lanes.split_at(self.bits.words());
            numbers.push(Mp::load(self.bits, Head::from_bits(head[0] as u32), words));
        }
        numbers
    }
}

/// A number that kernels take, and its lanes.
pub(super) struct Held {
    pub(super) number: Factor,
    _lanes: Lanes,
}

impl Held {
    pub(super) fn of(bits: Bits, x: f64) -> Self {
        let mut numbers = Numbers::zeros(bits, 1);
        numbers.set(0, Mp::from_f64(bits, x));
        let lanes = Lanes::column(&numbers);
        let words = if [0.0, 1.0, -1.0].contains(&x) { 0 } else { lanes.layout().data };
        let number = [lanes.lanes[bits.words()], words, 0, 0];
        // SAFETY: four numbers of eight bytes.
        let number = unsafe { core::mem::transmute::<[u64; 4], Factor>(number) };
        Self { number, _lanes: lanes }
    }
}

/// Where a list is that kernels read.
pub(super) fn pointer<P>(list: &[P]) -> Pointer<P> {
    Pointer::at(list.as_ptr().expose_provenance() as u64)
}
