//! How a product is cut so that its residues have room.
use nonius_gpu::Error;

/// Most terms whose sum is exact in 32 bits: products of bytes are `2^14` at most.
pub(super) const MOST_TERMS: usize = (1 << 17) - 1;
/// Fewest terms that a product of more is cut into: residues of fewer would be added more often
/// than it pays.
const LEAST_TERMS: usize = 4096;

/// Lines that a block packs.
pub(super) const PACK_LINES: usize = 16;
/// Bytes of which a line of a plane has a multiple.
pub(super) const PITCH_UNIT: usize = 32;
/// Rows that a warp rebuilds at a time.
pub(super) const STRIP: usize = 32;
/// Columns that a multiplier multiplies at a time, where there are many.
const WHOLE: usize = 256;

/// Most columns of a tile of `C`: beyond, products are not faster.
const MOST_COLUMNS: usize = 4096;
/// The residues of `op(A)` and of a tile of `C` may take the free memory divided by this.
const FREE_MEMORY_DIVISOR: u64 = 2;
/// Bytes for them that are there without asking.
const ASSUMED_FREE_BYTES: usize = 2 << 30;

/// Lines of the planes for `rows` rows and `columns` columns.
pub(super) fn padded([rows, columns]: [usize; 2]) -> [usize; 2] {
    [rows.next_multiple_of(STRIP), columns.next_multiple_of(PACK_LINES)]
}

/// What there is to cut.
#[derive(Clone, Copy, Debug)]
pub(super) struct Sizes {
    /// Rows and columns of `C`, and terms.
    pub(super) shape: [usize; 3],
    /// Whether only a triangle of `C` is computed.
    pub(super) triangle: bool,
    /// Planes of an operand.
    pub(super) planes: usize,
    /// Bytes of an entry's residues, and of its sums in all planes where these go to memory.
    pub(super) residue_bytes: usize,
    pub(super) sum_bytes: usize,
    /// Bytes for residues of columns of `op(B)`.
    pub(super) workspace: usize,
}

/// The pieces.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Cut {
    /// Terms that are summed before residues are made, but for the last ones.
    pub(super) terms: usize,
    /// Bytes of a line's `terms` terms in a plane, rounded up to a multiple of `PITCH_UNIT`.
    pub(super) pitch: usize,
    /// Rows of a tile, in whole strips, and columns, in whole groups of lines.
    pub(super) height: usize,
    pub(super) width: usize,
}

impl Cut {
    /// The pieces of a product with entries and terms; `free` is asked for the bytes of memory that
    /// are free where it matters.
    pub(super) fn new(
        sizes: Sizes,
        free: impl FnOnce() -> Result<u64, Error>,
    ) -> Result<Self, Error> {
        let Sizes { shape: [m, n, k], triangle, planes, residue_bytes, sum_bytes, workspace } =
            sizes;
        // Tiles that a triangle does not need are left out.
        let most = if triangle { n.div_ceil(4).max(256) } else { n };
        let widest = MOST_COLUMNS.min(most.next_multiple_of(PACK_LINES));
        let terms = if k <= MOST_TERMS {
            k
        } else {
            // The most with which tiles stay wide: rows are packed again for each tile.
            let fitting = workspace / (planes * widest);
            k.div_ceil(k.div_ceil(fitting.clamp(LEAST_TERMS, MOST_TERMS)))
        };
        let pitch = terms.next_multiple_of(PITCH_UNIT);
        let fitting = workspace / (planes * pitch);
        let unit = if (WHOLE..widest).contains(&fitting) { WHOLE } else { PACK_LINES };
        let width = (fitting / unit * unit).clamp(PACK_LINES, widest);
        // Residues so far, and those that come to them.
        let copies = if terms < k { 2 } else { 1 };
        let row = planes * pitch + (copies * residue_bytes + sum_bytes) * width;
        let mut height = m.next_multiple_of(STRIP);
        // Asking for the memory takes longer than a small product.
        if row.saturating_mul(height) > ASSUMED_FREE_BYTES {
            let fitting = (free()? / FREE_MEMORY_DIVISOR) as usize / row;
            height = (fitting / STRIP * STRIP).clamp(STRIP, height);
        }
        Ok(Self { terms, pitch, height, width })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(shape: [usize; 3], planes: usize, workspace: usize, free: u64) -> Cut {
        let sizes = Sizes {
            shape,
            triangle: false,
            planes,
            residue_bytes: planes,
            sum_bytes: 0,
            workspace,
        };
        Cut::new(sizes, || Ok(free)).unwrap()
    }

    #[test]
    fn what_fits_is_in_one_piece() {
        let whole = Cut { terms: 1000, pitch: 1024, height: 64, width: 48 };
        assert_eq!(cut([50, 40, 1000], 30, 512 << 20, 0), whole);
        assert_eq!(cut([50, 40, MOST_TERMS], 30, 512 << 20, 0).terms, MOST_TERMS);
    }

    #[test]
    fn more_terms_are_cut_evenly() {
        let halves = cut([50, 40, MOST_TERMS + 1], 30, 512 << 20, 0);
        assert_eq!((halves.terms, halves.width), (1 << 16, 48));
        for (n, workspace) in [(40, 0), (5000, 2 << 30), (1 << 20, 1 << 20), (1, usize::MAX)] {
            for k in [MOST_TERMS + 1, 150_001, 1 << 20, 10_000_019] {
                let Cut { terms, pitch, .. } = cut([50, n, k], 859, workspace, 0);
                assert!((LEAST_TERMS / 2..=MOST_TERMS).contains(&terms), "{terms}");
                assert!(pitch >= terms && pitch <= MOST_TERMS + 1);
                // No piece is empty.
                assert!(k.div_ceil(terms) * terms - k < terms);
            }
        }
    }

    #[test]
    fn tiles_have_room() {
        for k in [1, 4096, 100_000, 1 << 21] {
            for planes in [16, 30, 859, 1729] {
                let (workspace, free) = (1 << 31, 1 << 36);
                let Cut { pitch, height, width, .. } =
                    cut([1 << 20, 1 << 20, k], planes, workspace, free);
                assert!(width == PACK_LINES || width * pitch * planes <= workspace);
                assert!((height * planes * (pitch + width)) as u64 <= free / FREE_MEMORY_DIVISOR);
                assert!(width.is_multiple_of(PACK_LINES) && height.is_multiple_of(STRIP));
            }
        }
        // Tiles of the multiplier are whole where there are several.
        assert_eq!(cut([8192; 3], 100, 2200 << 20, 1 << 40).width, 2816);
        assert_eq!(cut([8192, 16, 8192], 30, 0, 1 << 40).width, 16);
    }
}
