//! Matrices between host and device, where limbs change from side by side to planes, and heads and
//! words come together.
//!
//! The device does the change: raw numbers travel, and a kernel writes or reads the planes.

use nonius_gpu::{
    Buffer, Device, Entry, Error, Source, Stream, bytes_of, bytes_of_mut, kernel_parameters,
};
use nonius_linalg::{MatMut, MatRef, Matrix, Number};

use crate::host::{self, Place};
use crate::kind::Kind;
use crate::matrix::{DeviceMut, DeviceRef, Layout, assert_formats};
use crate::texts;
use crate::traffic::{Converter, Down, FromPlanes, Planes, Stage, ToPlanes, Up, Way, carry, shape};

/// How matrices travel.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Transfer {
    /// In one piece, the driver moving the host's ordinary memory.
    Synchronous,
    /// In pieces through locked memory and several streams: each thread of the current pool copies
    /// one piece while others are on the bus and in a kernel.
    #[default]
    Asynchronous,
    /// In pieces through locked memory that the kernels reach over the bus.
    Mapped,
}

kernel_parameters! {
    /// A rectangle over another of the same shape.
    struct Copied {
        to: Layout,
        from: Layout,
    }
}

const TO_PLANES: Entry<ToPlanes> = Entry::new(c"to_planes");
const FROM_PLANES: Entry<FromPlanes> = Entry::new(c"from_planes");
const COPY: Entry<Copied> = Entry::new(c"copy");
const MIRROR_LOWER: Entry<Layout> = Entry::new(c"mirror_lower");

fn source(lanes: usize) -> Source {
    texts::of_limbs("convert", lanes, "dense/convert.cu")
        .entry(TO_PLANES)
        .entry(FROM_PLANES)
        .entry(COPY)
        .entry(MIRROR_LOWER)
}

/// Every module of this capability, for numbers of `lanes` lanes.
pub(crate) fn sources(lanes: usize) -> Vec<Source> {
    vec![source(lanes)]
}

fn converter(mode: Transfer, lanes: usize, planes: Planes) -> Converter {
    Converter { planes, lanes, mapped: mode == Transfer::Mapped }
}

/// Writes a host matrix over a rectangle of the same shape.
pub(crate) fn upload<T: Number>(
    device: &Device,
    stream: &Stream,
    mode: Transfer,
    from: MatRef<'_, T>,
    to: DeviceMut<'_, T>,
) -> Result<(), Error> {
    assert_eq!(from.shape(), to.layout.shape(), "shape of an upload");
    assert_formats::<T, _>(to.format, [from.format()]);
    if to.layout.is_empty() {
        return Ok(());
    }
    let lanes = Kind::of::<T>(to.format).lanes();
    let kernel = device.module(&source(lanes))?.kernel(TO_PLANES)?;
    let converter = converter(mode, lanes, Planes::Written(kernel));
    if mode != Transfer::Synchronous {
        let stage = Stage { up: vec![Up { from, to: to.layout }], down: Vec::new() };
        return carry(device, stream, Way::Converted(&converter), vec![stage], |_| Ok(()));
    }
    let mut room;
    let gathered = match host::lanes_of(from) {
        Some(lanes) => lanes,
        None => {
            room = host::room(lanes * from.rows() * from.cols())?;
            host::gather(&mut room, from);
            &room
        }
    };
    let mut staging = Buffer::of_numbers(stream, Some(gathered.len()))?;
    // SAFETY: the driver has copied ordinary memory by the end of the call. Locked memory cannot be
    // seen to be such here; the stream is waited for below.
    unsafe { staging.write(stream, 0, bytes_of(gathered))? };
    converter.launch(stream, to.layout, staging.address())?;
    stream.synchronize()
}

/// The entries of a rectangle.
pub(crate) fn download<T: Number>(
    device: &Device,
    stream: &Stream,
    mode: Transfer,
    from: DeviceRef<'_, T>,
) -> Result<Matrix<T>, Error> {
    let (rows, cols) = from.layout.shape();
    let numbers = host::numbers::<T>(from.format, rows * cols)?;
    let mut matrix = Matrix::from_numbers(rows, cols, numbers).expect("as many as entries");
    download_to(device, stream, mode, from, matrix.view_mut())?;
    Ok(matrix)
}

/// Writes the entries of a rectangle over a host matrix of the same shape.
pub(crate) fn download_to<T: Number>(
    device: &Device,
    stream: &Stream,
    mode: Transfer,
    from: DeviceRef<'_, T>,
    to: MatMut<'_, T>,
) -> Result<(), Error> {
    assert_eq!(from.layout.shape(), to.shape(), "shape of a download");
    assert_formats::<T, _>(to.format(), [from.format]);
    let (rows, cols) = to.shape();
    if from.layout.is_empty() {
        // What was queued before may have failed.
        return stream.synchronize();
    }
    let lanes = Kind::of::<T>(from.format).lanes();
    let kernel = device.module(&source(lanes))?.kernel(FROM_PLANES)?;
    let converter = converter(mode, lanes, Planes::Read(kernel));
    if mode != Transfer::Synchronous {
        let down = vec![Down { from: from.layout, to: Place::new(to) }];
        let stages = vec![Stage::<T> { up: Vec::new(), down }];
        return carry(device, stream, Way::Converted(&converter), stages, |_| Ok(()));
    }
    let mut gathered = host::room(lanes * rows * cols)?;
    let staging = Buffer::of_numbers(stream, Some(gathered.len()))?;
    converter.launch(stream, from.layout, staging.address())?;
    // SAFETY: the stream is waited for before anyone looks; where waiting fails, nobody does.
    unsafe { staging.read(stream, 0, bytes_of_mut(&mut gathered))? };
    stream.synchronize()?;
    Place::new(to).fill(&gathered);
    Ok(())
}

/// Copies a rectangle over another on the device.
pub(crate) fn copy<T: Number>(
    device: &Device,
    stream: &Stream,
    from: DeviceRef<'_, T>,
    to: DeviceMut<'_, T>,
) -> Result<(), Error> {
    assert_eq!(from.layout.shape(), to.layout.shape(), "shape of a copy");
    assert_formats::<T, _>(to.format, [from.format]);
    if to.layout.is_empty() {
        return Ok(());
    }
    let lanes = Kind::of::<T>(to.format).lanes();
    let kernel = device.module(&source(lanes))?.kernel(COPY)?;
    let arguments = Copied { to: to.layout, from: from.layout };
    // SAFETY: both lie in matrices whose memory is freed in the order of the stream, and the
    // written one is borrowed mutably.
    unsafe { kernel.launch(stream, shape(to.layout, lanes), &arguments) }
}

/// Copies the triangle below the diagonal of a square matrix over the one above.
pub(crate) fn mirror_lower<T: Number>(
    device: &Device,
    stream: &Stream,
    matrix: DeviceMut<'_, T>,
) -> Result<(), Error> {
    let layout = matrix.layout;
    assert_eq!(layout.rows, layout.cols, "a square matrix");
    if layout.is_empty() {
        return Ok(());
    }
    let lanes = Kind::of::<T>(matrix.format).lanes();
    let kernel = device.module(&source(lanes))?.kernel(MIRROR_LOWER)?;
    // SAFETY: the matrix is borrowed mutably, and its memory is freed in the order of the stream;
    // what is read is not written.
    unsafe { kernel.launch(stream, shape(layout, lanes), &layout) }
}
