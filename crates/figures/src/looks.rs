//! How curves are told apart: colours, dashes and markers.

/// Colours that differ for every kind of colour vision (Okabe and Ito, *Color universal design*,
/// 2008), yellow left out: on white nobody sees it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Colour {
    Blue,
    Vermillion,
    Green,
    Purple,
    Orange,
    Sky,
    /// Black on a light page, white on a dark one.
    Ink,
}

impl Colour {
    /// All, in the order in which curves get them.
    pub const ALL: [Self; 7] = [
        Self::Blue,
        Self::Vermillion,
        Self::Green,
        Self::Purple,
        Self::Orange,
        Self::Sky,
        Self::Ink,
    ];
}

/// What stands at a measured point.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(missing_docs, reason = "the names say it")]
pub enum Marker {
    Disc,
    Square,
    Triangle,
    Diamond,
    /// A triangle that stands on its tip.
    Wedge,
    Cross,
}

impl Marker {
    /// All, in the order in which curves get them.
    pub const ALL: [Self; 6] =
        [Self::Disc, Self::Square, Self::Triangle, Self::Diamond, Self::Wedge, Self::Cross];
}

/// How a curve looks.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Look {
    /// Its colour.
    pub colour: Colour,
    /// Its pattern: 0 is a whole line, 1 dashes, 2 dots, and each further one has a dot more.
    pub dash: usize,
    /// What stands at its points, if anything does.
    pub marker: Marker,
}

impl Look {
    /// The look of a panel's curve of that place, counted from 0, where nobody has chosen one.
    pub fn of(curve: usize) -> Self {
        Self {
            colour: Colour::ALL[curve % Colour::ALL.len()],
            dash: curve / Colour::ALL.len(),
            marker: Marker::ALL[curve % Marker::ALL.len()],
        }
    }

    /// Lengths of dashes and gaps in turns; empty for a whole line.
    pub(crate) fn dashes(self) -> Vec<f64> {
        let dots = |count: usize| (0..count).flat_map(|_| [2.0, 3.0]);
        match self.dash {
            0 => Vec::new(),
            1 => vec![7.0, 4.0],
            2 => vec![2.0, 3.0],
            more => [9.0, 3.0].into_iter().chain(dots(more - 2)).collect(),
        }
    }

    /// Whether two curves could be taken for one another. Markers count where both have them.
    fn is_like(self, other: Self, marked: bool) -> bool {
        self.colour == other.colour
            && self.dash == other.dash
            && (!marked || self.marker == other.marker)
    }
}

/// Looks for curves of which some have been given one, no two alike. Each curve says with `true`
/// that it has markers at all of its points.
pub(crate) fn assigned(wanted: &[(Option<Look>, bool)]) -> Vec<Look> {
    let mut taken: Vec<(Look, bool)> = Vec::with_capacity(wanted.len());
    let mut looks: Vec<Option<Look>> = vec![None; wanted.len()];
    let free = |look: Look, marked: bool, taken: &[(Look, bool)]| {
        !taken.iter().any(|&(other, also)| look.is_like(other, marked && also))
    };
    for (place, &(look, marked)) in looks.iter_mut().zip(wanted) {
        *place = look.filter(|&look| free(look, marked, &taken));
        taken.extend(place.map(|look| (look, marked)));
    }
    let mut next = 0;
    let mut unused = |marked: bool| {
        loop {
            let look = Look::of(next);
            next += 1;
            if free(look, marked, &taken) {
                return look;
            }
        }
    };
    looks.iter().zip(wanted).map(|(look, want)| look.unwrap_or_else(|| unused(want.1))).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn no_two_curves_look_alike() {
        let given = Look { colour: Colour::Green, dash: 0, marker: Marker::Disc };
        let other = Look { marker: Marker::Square, ..given };
        for wanted in [
            vec![(None, false); 100],
            vec![(Some(given), false), (Some(given), true), (None, true), (None, false)],
            vec![(Some(given), true), (Some(other), true), (Some(other), false), (None, true)],
        ] {
            let looks = assigned(&wanted);
            for i in 0..looks.len() {
                for j in 0..i {
                    let marked = wanted[i].1 && wanted[j].1;
                    assert!(!looks[i].is_like(looks[j], marked), "{i} {j}: {looks:?}");
                }
            }
        }
    }

    #[test]
    fn looks_that_differ_by_their_markers_are_kept() {
        let given = Look { colour: Colour::Green, dash: 0, marker: Marker::Disc };
        let other = Look { marker: Marker::Square, ..given };
        assert_eq!(assigned(&[(Some(given), true), (Some(other), true)]), [given, other]);
    }

    #[test]
    fn patterns_differ() {
        let patterns: Vec<Vec<f64>> =
            (0..20).map(|dash| Look { dash, ..Look::of(0) }.dashes()).collect();
        for i in 0..patterns.len() {
            assert!(patterns[i].len().is_multiple_of(2));
            assert!((0..i).all(|j| patterns[j] != patterns[i]), "{i}");
        }
    }
}
