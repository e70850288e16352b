//! Matrices under way between host and device, both ways at once, while the device computes with
//! what is there.
//!
//! A journey has stages. Threads of the current pool copy pieces of the first stage's matrices to
//! locked memory and queue their way to the device, then those of the next stage. When all pieces
//! of a stage are queued, its work is queued. What that yields comes back while pieces of later
//! stages go. A thread waits for its own lanes and for work that others are queueing, so that one
//! thread alone carries everything too.

use core::ops::Range;
use nonius_num::Element;
use std::collections::VecDeque;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

use nonius_gpu::{
    Const, Device, Error, Event, Kernel, Lane, LaneLease, PIECE_BYTES, Pointer, Rectangle, Shape,
    Stream, copy_rectangle, count_received, count_sent, kernel_parameters,
};
use nonius_linalg::{MatRef, Number};

use crate::host::{self, Part, Place};
use crate::kind::Kind;
use crate::matrix::Layout;

/// Threads that carry pieces: more gain nothing (H100, 16 processors).
const WORKERS: usize = 16;
/// Lanes of a thread: while it copies a piece, another is on the bus.
const LANES_EACH: usize = 2;

/// Threads of a block.
const THREADS: u32 = 256;
/// Blocks at the most; threads take several numbers where there are more.
const BLOCKS: u64 = 1 << 16;

/// One thread for each lane of a matrix.
pub(crate) fn shape(layout: Layout, lanes: usize) -> Shape {
    let count = (layout.rows * layout.cols) as u64 * lanes as u64;
    let blocks = count.div_ceil(u64::from(THREADS)).min(BLOCKS);
    Shape { grid: [blocks as u32, 1, 1], block: [THREADS, 1, 1], shared: 0 }
}

/// How pieces cross.
#[derive(Clone, Copy)]
pub(crate) enum Way<'a> {
    /// The bus reaches the matrix, which lies as on the host, see
    /// [`DeviceMatrix::like_host`](crate::matrix::DeviceMatrix::like_host).
    Straight,
    /// A kernel moves lanes between the matrix and the lane's memory.
    Converted(&'a Converter),
}

kernel_parameters! {
    /// Planes of a matrix are written.
    pub(crate) struct ToPlanes {
        view: Layout,
        /// All numbers of the matrix, column by column, lanes side by side.
        interleaved: Pointer<Const<f64>>,
    }

    /// Planes of a matrix are read.
    pub(crate) struct FromPlanes {
        view: Layout,
        interleaved: Pointer<f64>,
    }
}

/// The kernel that writes or reads planes.
pub(crate) enum Planes {
    Written(Kernel<ToPlanes>),
    Read(Kernel<FromPlanes>),
}

/// What writes or reads the planes of a matrix.
pub(crate) struct Converter {
    pub(crate) planes: Planes,
    pub(crate) lanes: usize,
    /// Whether the kernel reaches over the bus, else copies go before or after it.
    pub(crate) mapped: bool,
}

impl Converter {
    /// Where the kernel finds a lane's numbers.
    fn address(&self, lane: &Lane) -> u64 {
        if self.mapped { lane.mapped() } else { lane.staging() }
    }

    /// For a rectangle whose numbers lie side by side from `address` on.
    pub(crate) fn launch(&self, stream: &Stream, view: Layout, address: u64) -> Result<(), Error> {
        let shape = shape(view, self.lanes);
        // SAFETY: the callers give a rectangle that they have borrowed, and memory for its numbers.
        // That memory lives until the stream is waited for or is freed in its order.
        unsafe {
            match &self.planes {
                Planes::Written(kernel) => {
                    let arguments = ToPlanes { view, interleaved: Pointer::at(address) };
                    kernel.launch(stream, shape, &arguments)
                }
                Planes::Read(kernel) => {
                    let arguments = FromPlanes { view, interleaved: Pointer::at(address) };
                    kernel.launch(stream, shape, &arguments)
                }
            }
        }
    }
}

/// A matrix that goes to the device.
pub(crate) struct Up<'a, T: Element> {
    pub(crate) from: MatRef<'a, T>,
    pub(crate) to: Layout,
}

/// A matrix that comes from the device.
pub(crate) struct Down<'a> {
    pub(crate) from: Layout,
    pub(crate) to: Place<'a>,
}

/// A part of a journey.
pub(crate) struct Stage<'a, T: Element> {
    /// What its work needs, of what no earlier stage has brought.
    pub(crate) up: Vec<Up<'a, T>>,
    /// What there is after its work.
    pub(crate) down: Vec<Down<'a>>,
}

/// Carries matrices, whose memory on the device is there in the order of `stream`; `work` queues
/// that of each stage there, on any thread. Everything has arrived when it returns; where it fails,
/// nothing is under way any more.
pub(crate) fn carry<T: Number>(
    device: &Device,
    stream: &Stream,
    way: Way<'_>,
    stages: Vec<Stage<'_, T>>,
    work: impl FnMut(usize) -> Result<(), Error> + Send,
) -> Result<(), Error> {
    let before = stream.record()?;
    let board = Board::new(stream, stages, work);
    let pieces = board.queue_next(board.lock())?;
    let serve = || board.serve(device, way, &before, LANES_EACH.min(pieces));
    match rayon::current_num_threads().min(WORKERS).min(pieces) {
        0 => {}
        1 => serve(),
        workers => rayon::scope(|scope| (0..workers).for_each(|_| scope.spawn(|_| serve()))),
    }
    board.state.into_inner().unwrap_or_else(PoisonError::into_inner).outcome
}

/// What is left to do; every thread looks here for its next piece.
struct Board<'a, T: Element, W> {
    stream: &'a Stream,
    state: Mutex<State<'a, T, W>>,
    /// Work was queued, or something failed.
    changed: Condvar,
}

struct State<'a, T: Element, W> {
    /// Pieces that nobody has taken, each with its stage.
    up: VecDeque<(usize, Up<'a, T>)>,
    /// Pieces that nobody has taken, each with the mark after which it is there.
    down: VecDeque<(Arc<Event>, Down<'a>)>,
    /// How many stages' work is queued, and the others.
    queued: usize,
    waiting: VecDeque<Waiting<'a>>,
    /// Pages of results that the system has not been asked to supply.
    pages: VecDeque<Range<usize>>,
    work: W,
    outcome: Result<(), Error>,
}

/// A stage whose work is not queued.
struct Waiting<'a> {
    /// Pieces that are not queued, and marks after those that are.
    open: usize,
    marks: Vec<Event>,
    down: Vec<Down<'a>>,
}

/// What a thread does next.
enum Errand<'a, T: Element> {
    Up(usize, Up<'a, T>),
    Down(Arc<Event>, Down<'a>),
}

/// The rows and columns of a piece of a matrix with `rows` rows, whose numbers have `lanes` lanes.
fn piece(rows: usize, lanes: usize) -> (usize, usize) {
    let numbers = PIECE_BYTES / (size_of::<f64>() * lanes);
    let height = rows.clamp(1, numbers);
    (height, numbers / height)
}

impl<'a, T: Number, W: FnMut(usize) -> Result<(), Error>> Board<'a, T, W> {
    fn new(stream: &'a Stream, stages: Vec<Stage<'a, T>>, work: W) -> Self {
        let (mut up, mut waiting) = (VecDeque::new(), VecDeque::new());
        let mut pages = VecDeque::new();
        for (stage, Stage { up: uploads, down }) in stages.into_iter().enumerate() {
            let before = up.len();
            for Up { from, to } in uploads {
                let lanes = Kind::of::<T>(from.format()).lanes();
                for part in host::parts(from.shape(), piece(from.rows(), lanes)) {
                    let Part { row, col, rows, cols } = part;
                    let from = from.block(row, col, rows, cols);
                    up.push_back((stage, Up { from, to: to.part(part) }));
                }
            }
            pages.extend(down.iter().flat_map(|Down { to, .. }| to.pages()));
            let cut = |Down { from, to }| {
                let size = piece(to.shape().0, to.lanes_each());
                to.cut(size).map(move |(part, to)| Down { from: from.part(part), to })
            };
            let down = down.into_iter().flat_map(cut).collect();
            waiting.push_back(Waiting { open: up.len() - before, marks: Vec::new(), down });
        }
        let (down, queued, outcome) = (VecDeque::new(), 0, Ok(()));
        let state = State { up, down, queued, waiting, pages, work, outcome };
        Self { stream, state: Mutex::new(state), changed: Condvar::new() }
    }

    fn lock(&self) -> MutexGuard<'_, State<'a, T, W>> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Queues the work of stages of which all pieces are queued, in their order; the pieces that
    /// there are to take.
    fn queue_next(&self, mut state: MutexGuard<'_, State<'a, T, W>>) -> Result<usize, Error> {
        while state.waiting.front().is_some_and(|stage| stage.open == 0)
            && let Some(stage) = state.waiting.pop_front()
        {
            stage.marks.iter().try_for_each(|mark| self.stream.wait(mark))?;
            let index = state.queued;
            (state.work)(index)?;
            state.queued += 1;
            let mark = Arc::new(self.stream.record()?);
            state.down.extend(stage.down.into_iter().map(|piece| (Arc::clone(&mark), piece)));
            self.changed.notify_all();
        }
        Ok(state.up.len() + state.down.len())
    }

    /// A piece is queued, as far as the mark.
    fn sent(&self, stage: usize, mark: Event) -> Result<(), Error> {
        let mut state = self.lock();
        let index = stage - state.queued;
        let waiting = &mut state.waiting[index];
        waiting.marks.push(mark);
        waiting.open -= 1;
        self.queue_next(state).map(drop)
    }

    /// The next piece: one that is ready on the device before one that goes there. Waits where
    /// others are about to queue work.
    fn take(&self) -> Option<Errand<'a, T>> {
        let mut state = self.lock();
        loop {
            if state.outcome.is_err() {
                return None;
            }
            let nothing_goes = state.up.is_empty();
            let first = state.down.front();
            if first.is_some_and(|(mark, _)| nothing_goes || mark.is_past())
                && let Some((mark, piece)) = state.down.pop_front()
            {
                return Some(Errand::Down(mark, piece));
            }
            if let Some((stage, piece)) = state.up.pop_front() {
                return Some(Errand::Up(stage, piece));
            }
            if state.waiting.is_empty() {
                return None;
            }
            state = self.changed.wait(state).unwrap_or_else(PoisonError::into_inner);
        }
    }

    fn fail(&self, error: Error) {
        let mut state = self.lock();
        // The first failure tells most.
        if state.outcome.is_ok() {
            state.outcome = Err(error);
        }
        self.changed.notify_all();
    }

    /// One thread's share.
    fn serve(&self, device: &Device, way: Way<'_>, before: &Event, lanes: usize) {
        let _watch = Watch(|| {
            let failure = "a thread panicked".to_string();
            self.fail(Error::driver(failure, "moving matrices"));
        });
        if let Err(error) = self.run_errands(device, way, before, lanes) {
            self.fail(error);
        }
    }

    fn run_errands(
        &self,
        device: &Device,
        way: Way<'_>,
        before: &Event,
        lanes: usize,
    ) -> Result<(), Error> {
        let lane = |_| Carrier::new(device, before);
        let mut lanes = (0..lanes).map(lane).collect::<Result<Vec<_>, _>>()?;
        for index in (0..lanes.len()).cycle() {
            let carrier = &mut lanes[index];
            carrier.arrive()?;
            let pages = self.lock().pages.pop_front();
            if let Some(pages) = pages {
                host::supply(pages);
            }
            match self.take() {
                None => break,
                Some(Errand::Up(stage, piece)) => self.sent(stage, carrier.send(way, piece)?)?,
                Some(Errand::Down(mark, piece)) => carrier.fetch(way, &mark, piece)?,
            }
        }
        lanes.iter_mut().try_for_each(Carrier::arrive)
    }
}

/// Says so where a thread panics: others may be waiting for it.
struct Watch<F: Fn()>(F);

impl<F: Fn()> Drop for Watch<F> {
    fn drop(&mut self) {
        if std::thread::panicking() {
            (self.0)();
        }
    }
}

/// A lane, and where the piece belongs that it brings.
struct Carrier<'d, 'a> {
    lane: LaneLease<'d>,
    brings: Option<Place<'a>>,
}

impl<'d, 'a> Carrier<'d, 'a> {
    fn new(device: &'d Device, before: &Event) -> Result<Self, Error> {
        let lane = device.lanes().lease()?;
        lane.stream().wait(before)?;
        Ok(Self { lane, brings: None })
    }

    /// Waits for the lane, and writes what it brings.
    fn arrive(&mut self) -> Result<(), Error> {
        self.lane.stream().synchronize()?;
        if let Some(mut place) = self.brings.take() {
            place.fill(self.lane.limbs(place.lanes()));
        }
        Ok(())
    }

    /// Copies a piece to the lane, which is idle, and queues its way; the mark at its end.
    fn send<T: Number>(&mut self, way: Way<'_>, piece: Up<'_, T>) -> Result<Event, Error> {
        let (lane, Up { from, to }) = (&mut *self.lane, piece);
        let limbs = Kind::of::<T>(from.format()).lanes() * from.rows() * from.cols();
        host::gather(lane.limbs_mut(limbs), from);
        match way {
            // SAFETY: the lane's memory, and a rectangle of the matrix that the caller has
            // borrowed.
            Way::Straight => unsafe {
                count_sent(size_of::<f64>() * limbs);
                copy_rectangle(lane.stream(), &straight(lane, to, true))?
            },
            Way::Converted(converter) => {
                if converter.mapped {
                    count_sent(size_of::<f64>() * limbs);
                } else {
                    // SAFETY: the lane's memory is written again only when the lane is idle.
                    unsafe { lane.send(limbs)? };
                }
                converter.launch(lane.stream(), to, converter.address(lane))?;
            }
        }
        lane.stream().record()
    }

    /// Queues the way of a piece that is there after a mark.
    fn fetch(&mut self, way: Way<'_>, mark: &Event, piece: Down<'a>) -> Result<(), Error> {
        let (lane, Down { from, to }) = (&mut *self.lane, piece);
        lane.stream().wait(mark)?;
        match way {
            // SAFETY: as in `send`.
            Way::Straight => unsafe {
                count_received(size_of::<f64>() * to.lanes());
                copy_rectangle(lane.stream(), &straight(lane, from, false))?
            },
            Way::Converted(converter) => {
                converter.launch(lane.stream(), from, converter.address(lane))?;
                if converter.mapped {
                    count_received(size_of::<f64>() * to.lanes());
                } else {
                    // SAFETY: the lane's memory is looked at only when the lane is idle.
                    unsafe { lane.fetch(to.lanes())? };
                }
            }
        }
        self.brings = Some(to);
        Ok(())
    }
}

/// The copy between a lane's locked memory and a part of a matrix that lies as on the host.
fn straight(lane: &Lane, matrix: Layout, up: bool) -> Rectangle {
    let (rows, cols) = matrix.shape();
    let bytes = |numbers: i64| size_of::<f64>() * numbers as usize;
    let (mut width, mut pitch) = (rows * bytes(matrix.row), bytes(matrix.column));
    let mut count = cols;
    if width == pitch {
        (width, pitch, count) = (width * cols, width * cols, 1);
    }
    let (here, there) = ((lane.mapped(), width), (matrix.data, pitch));
    let (from, to) = if up { (here, there) } else { (there, here) };
    Rectangle { from, to, width, rows: count }
}
