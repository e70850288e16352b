//! What ranks tell each other in a step, from one device's memory to another's.
//!
//! Sums that other ranks wait for are gathered into one message for each of them, with the
//! displacements of nodes whose faces they press. So are, at the end of a step, its longest stable
//! length and its first failure. All of that is queued where ranks are linked by NCCL: the host
//! waits for nothing.

use core::mem::size_of;

use nonius_comm::dense::CudaWire;
use nonius_cuda::Cuda;
use nonius_gpu::{Buffer, Const, Error, Kernel, Pointer, Stream, copy};

use super::arguments::{JOIN, Join, PACK, Pack, UNPACK, Unpack};
use super::clock::{VERDICT, Verdict};
use super::failure::lost;
use super::nodes::Nodes;
use super::numbers::Format;
use crate::solid::{Failure, Link, NODES, Precision, Share, Whole};

/// A rank's messages.
pub(super) struct Halo {
    wire: CudaWire,
    pack: Kernel<Pack>,
    unpack: Kernel<Unpack>,
    join: Kernel<Join>,
    /// Bytes of a sum.
    force: usize,
    links: Vec<Linked>,
    verdict: Buffer,
    verdicts: Vec<(usize, Buffer)>,
    sizes: Sizes,
}

/// Another rank.
struct Linked {
    link: Link,
    /// Places of the sums that go, and the nodes whose displacements do.
    places: Buffer,
    shown: Buffer,
    given: Buffer,
    taken: Buffer,
}

/// A number of each group, and of each group its place among them.
type OfGroups = (Pointer<Const<f64>>, Pointer<Const<u32>>);

/// Sizes of accelerations of all groups.
struct Sizes {
    /// Those of each other rank.
    others: Vec<(usize, Buffer)>,
    /// Those of all ranks, one after the other, and of each group its place there.
    all: Buffer,
    places: Buffer,
    /// Where those of each rank begin.
    begin: Vec<usize>,
}

impl Halo {
    pub(super) fn new(
        cuda: &Cuda,
        wire: &CudaWire,
        precision: Precision,
        nodes: &Nodes,
        (share, whole): (&Share, &Whole),
    ) -> Result<Self, Error> {
        let stream = cuda.stream();
        let force = Format::of_elements(precision).force();
        let number = Format::of_nodes(precision).size();
        let bytes = |sums: usize, nodes: usize| force * sums + 3 * number * nodes;
        let linked = |link: &Link| {
            let given = bytes(link.sums.len(), link.nodes.len());
            let taken = bytes(link.sums_from.len(), link.nodes_from.len());
            Ok(Linked {
                places: cuda.numbers(&link.sums)?,
                shown: cuda.numbers(&link.nodes)?,
                given: Buffer::new(stream, given)?,
                taken: Buffer::new(stream, taken)?,
                link: link.clone(),
            })
        };
        let links = share.links.iter().map(linked).collect::<Result<_, Error>>()?;
        let mine = whole.ranks.rank();
        let others = || (0..whole.ranks.size()).filter(move |&rank| rank != mine);
        let room = |rank| Ok((rank, Buffer::new(stream, size_of::<Verdict>())?));
        Ok(Self {
            wire: wire.clone(),
            pack: nodes.module.kernel(PACK)?,
            unpack: nodes.module.kernel(UNPACK)?,
            join: nodes.module.kernel(JOIN)?,
            force,
            links,
            verdict: Buffer::new(stream, size_of::<Verdict>())?,
            verdicts: others().map(room).collect::<Result<_, Error>>()?,
            sizes: Sizes::new(cuda, whole)?,
        })
    }

    /// What carries the messages.
    pub(super) fn wire(&self) -> &CudaWire {
        &self.wire
    }

    /// Gathers what goes to other ranks, of sums that are there.
    ///
    /// # Safety
    /// Nobody else uses the memory of nodes until the stream has come so far.
    pub(super) unsafe fn pack(&self, stream: &Stream, nodes: &Nodes) -> Result<(), Error> {
        for Linked { link, places, shown, given, .. } in &self.links {
            let (sums, count) = (link.sums.len(), link.nodes.len());
            let arguments = Pack {
                nodes: nodes.arguments,
                places: places.pointer(),
                sums: sums as i64,
                shown: shown.pointer(),
                count: count as i64,
                to: given.pointer(),
                displacements: Pointer::at(given.address() + (self.force * sums) as u64),
            };
            // SAFETY: the message has room for so many; the rest is the caller's promise.
            unsafe { self.pack.launch(stream, Nodes::shape_of(sums + count), &arguments)? };
        }
        Ok(())
    }

    /// Sends what was gathered, and puts what comes in its place.
    ///
    /// # Safety
    /// As [`pack`](Self::pack); others may meanwhile use the rank's own sums and nodes.
    pub(super) unsafe fn exchange(
        &mut self,
        stream: &Stream,
        nodes: &Nodes,
    ) -> Result<(), Failure> {
        let (mut sends, mut receives) = (Vec::new(), Vec::new());
        for Linked { link, given, taken, .. } in &mut self.links {
            if given.bytes() > 0 {
                sends.push((link.rank, &*given));
            }
            if taken.bytes() > 0 {
                receives.push((link.rank, taken));
            }
        }
        self.wire.exchange(stream, sends, receives).map_err(Failure::Device)?;
        for Linked { link, taken, .. } in &self.links {
            let (sums, count) = (link.sums_from.len(), link.nodes_from.len());
            let first = nodes.sums.address() + (self.force * link.sums_from.start) as u64;
            let arguments = Unpack {
                nodes: nodes.arguments,
                from: taken.pointer(),
                sums: sums as i64,
                displacements: Pointer::at(taken.address() + (self.force * sums) as u64),
                count: count as i64,
                to: Pointer::at(first),
                first: link.nodes_from.start as i64,
            };
            let shape = Nodes::shape_of(sums + count);
            // SAFETY: sums and displacements have room for what comes; the rest is the caller's
            // promise.
            unsafe { self.unpack.launch(stream, shape, &arguments) }.map_err(lost)?;
        }
        Ok(())
    }

    /// Makes what all ranks have found known to the clock.
    ///
    /// # Safety
    /// As [`pack`](Self::pack).
    pub(super) unsafe fn join(&mut self, stream: &Stream, nodes: &Nodes) -> Result<(), Failure> {
        let (from, to) = (nodes.clock.address() + VERDICT as u64, self.verdict.address());
        // SAFETY: both have a verdict there; the rest is the caller's promise.
        unsafe { copy(stream, from, to, size_of::<Verdict>()) }.map_err(lost)?;
        let ranks: Vec<usize> = self.verdicts.iter().map(|&(rank, _)| rank).collect();
        let sends = ranks.into_iter().map(|rank| (rank, &self.verdict));
        let receives = self.verdicts.iter_mut().map(|(rank, taken)| (*rank, taken));
        self.wire.exchange(stream, sends, receives).map_err(Failure::Device)?;
        for (_, taken) in &self.verdicts {
            let arguments = Join { clock: nodes.clock.pointer(), other: taken.pointer() };
            // SAFETY: both are there; the rest is the caller's promise.
            unsafe { self.join.launch(stream, Nodes::one(), &arguments) }.map_err(lost)?;
        }
        Ok(())
    }

    /// Sizes of accelerations of all groups, and their places.
    ///
    /// # Safety
    /// As [`pack`](Self::pack).
    pub(super) unsafe fn sizes(
        &mut self,
        stream: &Stream,
        nodes: &Nodes,
        rank: usize,
    ) -> Result<OfGroups, Failure> {
        let Sizes { others, all, places, begin } = &mut self.sizes;
        let ranks: Vec<usize> = others.iter().map(|&(rank, _)| rank).collect();
        let has_own = nodes.sizes.bytes() > 0;
        let sends = ranks.into_iter().filter(|_| has_own).map(|rank| (rank, &nodes.sizes));
        let receives = others.iter_mut().filter(|(_, taken)| taken.bytes() > 0);
        let receives = receives.map(|(rank, taken)| (*rank, taken));
        self.wire.exchange(stream, sends, receives).map_err(Failure::Device)?;
        let others = others.iter().map(|(rank, taken)| (*rank, taken));
        for (rank, from) in others.chain([(rank, &nodes.sizes)]) {
            let to = all.address() + (size_of::<f64>() * begin[rank]) as u64;
            // SAFETY: there is room for the groups of each rank; the rest is the caller's promise.
            unsafe { copy(stream, from.address(), to, from.bytes()) }.map_err(lost)?;
        }
        Ok((all.pointer(), places.pointer()))
    }
}

impl Sizes {
    fn new(cuda: &Cuda, whole: &Whole) -> Result<Self, Error> {
        let groups: Vec<Vec<usize>> =
            (0..whole.ranks.size()).map(|rank| whole.groups_of(rank)).collect();
        let count = whole.nodes().div_ceil(NODES);
        let (mut places, mut begin, mut next) = (vec![0_u32; count], Vec::new(), 0);
        for own in &groups {
            begin.push(next);
            for &group in own {
                places[group] = next as u32;
                next += 1;
            }
        }
        let room = |(rank, own): (usize, &Vec<usize>)| {
            Ok((rank, Buffer::new(cuda.stream(), size_of::<f64>() * own.len())?))
        };
        let others = groups.iter().enumerate().filter(|&(rank, _)| rank != whole.ranks.rank());
        Ok(Self {
            others: others.map(room).collect::<Result<_, Error>>()?,
            all: Buffer::new(cuda.stream(), size_of::<f64>() * count)?,
            places: cuda.numbers(&places)?,
            begin,
        })
    }
}
