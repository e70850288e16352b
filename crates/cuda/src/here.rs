//! Kernels on the host, for tests: a C++ compiler compiles a module, and its blocks run one after
//! the other, with their threads in turns.
//!
//! Needs a C++ compiler. Where it is absent, as on machines that only test a GPU, tests say so and
//! pass, but not in continuous integration.

use nonius_gpu::{Arguments, Entry, Plain, Pointer, Shape, Source};
use nonius_linalg::{MatRef, Matrix, Number};
use nonius_testkit::cuda::{self, Library};

use crate::host::{Place, gather};
use crate::kind::Kind;
use crate::matrix::Layout;

/// What kernels need here.
const PRELUDE: &str = include_str!("here.cpp");

/// A module that was compiled; none where there is no compiler.
pub(crate) struct Here(Option<Library>);

impl Here {
    /// A module with some of its kernels, by names and types of what they take.
    pub(crate) fn new(source: &Source, kernels: &[(String, String)]) -> Self {
        let functions = kernels.iter().map(|(kernel, arguments)| {
            format!(
                "extern \"C\" void run_{kernel}(int columns, int rows, int threads, \
                 const {arguments} *p) {{\n    \
                 run_grid(columns, rows, threads, [=] {{ {kernel}(*p); }});\n}}\n"
            )
        });
        let main = [PRELUDE.to_string()].into_iter().chain(functions).collect::<String>();
        let text = source.text();
        let mut files = source.files();
        files.push(("module.cu", &text));
        Self(cuda::build(("here.cpp", &main), &files, &[]))
    }

    /// Runs a kernel; false where there is no compiler.
    ///
    /// # Safety
    /// As [`Kernel::launch`](nonius_gpu::Kernel::launch), with memory of the host.
    pub(crate) unsafe fn run<A: Arguments>(
        &self,
        entry: Entry<A>,
        Shape { grid, block, .. }: Shape,
        arguments: &A,
    ) -> bool {
        let Some(library) = &self.0 else { return false };
        let [columns, rows, threads] = [grid[0], grid[1], block[0]].map(|count| count as i32);
        let name = format!("run_{}\0", name_of(entry));
        // SAFETY: the library has a function of that name and type; the rest is the caller's
        // promise.
        unsafe {
            let run = library.get::<unsafe extern "C" fn(i32, i32, i32, &A)>(name.as_bytes());
            run.expect("the function")(columns, rows, threads, arguments);
        }
        true
    }
}

fn name_of<A: Arguments>(entry: Entry<A>) -> String {
    entry.name().to_string_lossy().into_owned()
}

/// A kernel's name, and the type of what it takes.
pub(crate) fn kernel<A: Arguments>(entry: Entry<A>) -> (String, String) {
    (name_of(entry), A::types())
}

/// A pointer of kernels to numbers here.
pub(crate) fn pointer<P: Plain>(numbers: &mut [P]) -> Pointer<P> {
    Pointer::at(numbers.as_mut_ptr().expose_provenance() as u64)
}

/// A matrix here as kernels see it, the lanes of numbers side by side.
pub(crate) struct Rectangle<T: Number> {
    lanes: Vec<f64>,
    shape: (usize, usize),
    format: T::Format,
}

impl<T: Number> Rectangle<T> {
    /// A copy of a matrix.
    pub(crate) fn of(matrix: MatRef<'_, T>) -> Self {
        let ((rows, cols), format) = (matrix.shape(), matrix.format());
        let mut lanes = vec![0.0; Kind::of::<T>(format).lanes() * rows * cols];
        gather(&mut lanes, matrix);
        Self { lanes, shape: (rows, cols), format }
    }

    /// Where it lies.
    pub(crate) fn layout(&mut self) -> Layout {
        let (rows, cols) = (self.shape.0 as i64, self.shape.1 as i64);
        let row = Kind::of::<T>(self.format).lanes() as i64;
        let data = self.lanes.as_mut_ptr().expose_provenance() as u64;
        Layout { data, rows, cols, row, column: row * rows, plane: 1 }
    }

    /// What is there.
    pub(crate) fn matrix(&self) -> Matrix<T> {
        let mut matrix = Matrix::zeros_in(self.format, self.shape.0, self.shape.1);
        Place::new(matrix.view_mut()).fill(&self.lanes);
        matrix
    }
}
