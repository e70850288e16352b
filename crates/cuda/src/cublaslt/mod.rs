//! cuBLASLt: products of matrices of bytes.
use nonius_gpu::{Buffer, Context, Error, Stream};

mod library;

use core::ffi::{c_int, c_void};
use core::{fmt, mem, ptr};
use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use self::library::{Algorithm, Functions, Handle, Heuristic, Status, check};

const COMPUTE_32I: c_int = 72;
const TYPE_8I: c_int = 3;
const TYPE_32I: c_int = 10;
const TRANSPOSED: c_int = 1;
const ATTRIBUTE_TRANSPOSE_A: c_int = 3;
const ATTRIBUTE_BATCH_COUNT: c_int = 5;
const ATTRIBUTE_BATCH_STRIDE: c_int = 6;
const ATTRIBUTE_WORKSPACE: c_int = 1;

/// Bytes that an algorithm may use.
const WORKSPACE: usize = 32 << 20;
/// Algorithms that are tried.
const TRIED: usize = 8;
/// Multiply-adds below which the algorithm said to be the best is taken without trying.
const LEAST_TRIED_MULTIPLY_ADDS: usize = 1 << 30;

/// Something of the library's, destroyed at the end.
struct Object {
    raw: Handle,
    destroy: unsafe extern "C" fn(Handle) -> Status,
}

impl Object {
    fn new(
        destroy: unsafe extern "C" fn(Handle) -> Status,
        create: impl FnOnce(*mut Handle) -> Status,
    ) -> Result<Self, Error> {
        let mut raw = ptr::null_mut();
        check(create(&mut raw), "preparing products of bytes")?;
        Ok(Self { raw, destroy })
    }

    /// Sets an attribute.
    fn set<V: Copy>(
        &self,
        set: unsafe extern "C" fn(Handle, c_int, *const c_void, usize) -> Status,
        attribute: c_int,
        value: V,
    ) -> Result<(), Error> {
        // SAFETY: the object is alive, and the library copies as many bytes as the value has.
        let status = unsafe { set(self.raw, attribute, (&raw const value).cast(), size_of::<V>()) };
        check(status, "preparing products of bytes")
    }
}

impl Drop for Object {
    fn drop(&mut self) {
        // SAFETY: created once, destroyed once.
        unsafe { (self.destroy)(self.raw) };
    }
}

/// `planes` products `c = aᵀ·b` of columns of bytes that lie contiguous, summed in 32 bits.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub(crate) struct Products {
    pub(crate) planes: usize,
    /// Columns of `a`, columns of `b`, terms: multiples of 16.
    pub(crate) m: usize,
    pub(crate) n: usize,
    pub(crate) k: usize,
    /// Bytes from one plane of `a` and `b` to the next, numbers from one of `c` to the next.
    pub(crate) strides: [usize; 3],
}

/// The algorithm of some products, unless there is none.
#[derive(Clone, Copy)]
enum Known {
    /// The one that the library says is the best, at the first time: trying all takes as long as
    /// many products.
    Proposed(Option<Algorithm>),
    /// The fastest.
    Tried(Option<Algorithm>),
}

/// The library opened for one device.
pub(crate) struct CublasLt {
    functions: &'static Functions,
    handle: Object,
    /// The algorithms of the products so far.
    known: Mutex<HashMap<Products, Known>>,
}

// SAFETY: the library's functions may be called from any thread.
unsafe impl Send for CublasLt {}
// SAFETY: as above.
unsafe impl Sync for CublasLt {}

impl fmt::Debug for CublasLt {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("cuBLASLt")
    }
}

impl CublasLt {
    /// Opens the library for a device; `None` where it is not on this machine, or does not work.
    pub(crate) fn open(context: &Context) -> Option<Self> {
        let functions = Functions::get()?;
        context.bind().ok()?;
        // SAFETY: a context is current; the pointer outlives the call.
        let handle =
            Object::new(functions.destroy, |raw| unsafe { (functions.create)(raw) }).ok()?;
        Some(Self { functions, handle, known: Mutex::default() })
    }

    /// Queues products; `false` where the library has no algorithm for them.
    ///
    /// # Safety
    /// The addresses are those of planes as `products` says, on the stream's device, until the
    /// stream has come so far, and nobody else uses `c` meanwhile.
    pub(crate) unsafe fn multiply(
        &self,
        stream: &Stream,
        products: Products,
        [a, b, c]: [u64; 3],
    ) -> Result<bool, Error> {
        stream.context().bind()?;
        let job = Job::new(self, products)?;
        let workspace = Buffer::new(stream, WORKSPACE)?;
        let run = |algorithm: &Algorithm| {
            let (one, zero) = (1_i32, 0_i32);
            // SAFETY: all objects are alive; the addresses are the caller's promise; one and zero
            // have the type of the scale.
            let status = unsafe {
                (self.functions.multiply)(
                    self.handle.raw,
                    job.operation.raw,
                    (&raw const one).cast(),
                    a,
                    job.a.raw,
                    b,
                    job.b.raw,
                    (&raw const zero).cast(),
                    c,
                    job.c.raw,
                    c,
                    job.c.raw,
                    algorithm,
                    workspace.address(),
                    WORKSPACE,
                    stream.raw().cast(),
                )
            };
            check(status, "multiplying bytes")
        };
        let lock = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        let known = lock().get(&products).copied();
        let known = match known {
            Some(tried @ Known::Tried(_)) => tried,
            None => Known::Proposed(job.algorithms(self)?.first().copied()),
            Some(Known::Proposed(_)) => {
                Known::Tried(best(stream, products, &job.algorithms(self)?, run)?)
            }
        };
        lock().insert(products, known);
        let (Known::Proposed(Some(algorithm)) | Known::Tried(Some(algorithm))) = known else {
            return Ok(false);
        };
        run(&algorithm)?;
        Ok(true)
    }
}

/// The fastest algorithm, by trying; all give the same result.
fn best(
    stream: &Stream,
    products: Products,
    algorithms: &[Algorithm],
    run: impl Fn(&Algorithm) -> Result<(), Error>,
) -> Result<Option<Algorithm>, Error> {
    let Products { planes, m, n, k, .. } = products;
    if algorithms.len() < 2 || planes * m * n * k < LEAST_TRIED_MULTIPLY_ADDS {
        return Ok(algorithms.first().copied());
    }
    let mut best = None;
    let mut least = f64::INFINITY;
    for algorithm in algorithms {
        if run(algorithm).is_err() {
            continue;
        }
        let start = stream.record()?;
        run(algorithm)?;
        let seconds = stream.record()?.seconds_since(&start)?;
        if seconds < least {
            (best, least) = (Some(*algorithm), seconds);
        }
    }
    Ok(best)
}

/// What describes products to the library.
struct Job {
    operation: Object,
    a: Object,
    b: Object,
    c: Object,
}

impl Job {
    fn new(lt: &CublasLt, products: Products) -> Result<Self, Error> {
        let functions = lt.functions;
        let Products { planes, m, n, k, strides } = products;
        // SAFETY: the pointer outlives the call.
        let operation = Object::new(functions.destroy_operation, |raw| unsafe {
            (functions.create_operation)(raw, COMPUTE_32I, TYPE_32I)
        })?;
        operation.set(functions.set_operation, ATTRIBUTE_TRANSPOSE_A, TRANSPOSED)?;
        let layout = |of: c_int, rows: usize, columns: usize, stride: usize| {
            // SAFETY: as above.
            let layout = Object::new(functions.destroy_layout, |raw| unsafe {
                (functions.create_layout)(raw, of, rows as u64, columns as u64, rows as i64)
            })?;
            layout.set(functions.set_layout, ATTRIBUTE_BATCH_COUNT, planes as i32)?;
            layout.set(functions.set_layout, ATTRIBUTE_BATCH_STRIDE, stride as i64)?;
            Ok(layout)
        };
        Ok(Self {
            operation,
            a: layout(TYPE_8I, k, m, strides[0])?,
            b: layout(TYPE_8I, k, n, strides[1])?,
            c: layout(TYPE_32I, m, n, strides[2])?,
        })
    }

    /// The algorithms that the library proposes, the one said to be the best first.
    fn algorithms(&self, lt: &CublasLt) -> Result<Vec<Algorithm>, Error> {
        let functions = lt.functions;
        // SAFETY: the pointer outlives the call.
        let preference = Object::new(functions.destroy_preference, |raw| unsafe {
            (functions.create_preference)(raw)
        })?;
        preference.set(functions.set_preference, ATTRIBUTE_WORKSPACE, WORKSPACE)?;
        // SAFETY: numbers, for which zero is a value.
        let mut found: [Heuristic; TRIED] = unsafe { mem::zeroed() };
        let mut count = 0;
        // SAFETY: all objects are alive; there is room for as many results as asked for.
        let status = unsafe {
            (functions.heuristic)(
                lt.handle.raw,
                self.operation.raw,
                self.a.raw,
                self.b.raw,
                self.c.raw,
                self.c.raw,
                preference.raw,
                TRIED as c_int,
                found.as_mut_ptr(),
                &mut count,
            )
        };
        // A failure says that there is none.
        let count = if status == 0 { count.clamp(0, TRIED as c_int) as usize } else { 0 };
        Ok(found[..count].iter().filter(|x| x.state == 0).map(|x| x.algorithm).collect())
    }
}
