//! Colours of numbers.

/// Colours at equal distances along *viridis* (van der Walt and Smith, 2015, in the public domain),
/// whose steps look equal to all eyes, and in grey.
const TABLE: [[u8; 3]; 9] = [
    [0x44, 0x01, 0x54],
    [0x47, 0x2d, 0x7b],
    [0x3b, 0x52, 0x8b],
    [0x2c, 0x72, 0x8e],
    [0x21, 0x91, 0x8c],
    [0x28, 0xae, 0x80],
    [0x5e, 0xc9, 0x62],
    [0xad, 0xdc, 0x30],
    [0xfd, 0xe7, 0x25],
];
/// Where there is no number.
const NOTHING: [u8; 3] = [160, 160, 160];

/// Red, green and blue (sRGB) of a place in the bar of colours, from 0 to 1; beyond these as at the
/// nearer end, and grey where it is NaN.
pub fn colour(place: f64) -> [u8; 3] {
    if place.is_nan() {
        return NOTHING;
    }
    let last = TABLE.len() - 1;
    let at = place.clamp(0.0, 1.0) * last as f64;
    let below = (at as usize).min(last - 1);
    let part = at - below as f64;
    let [a, b] = [TABLE[below], TABLE[below + 1]];
    std::array::from_fn(|i| (f64::from(a[i]) * (1.0 - part) + f64::from(b[i]) * part).round() as u8)
}

#[cfg(test)]
mod tests {
    use super::{TABLE, colour};

    /// Lightness of CIELAB, from 0 to 100.
    fn lightness(rgb: [u8; 3]) -> f64 {
        let linear = rgb.map(|part| {
            let x = f64::from(part) / 255.0;
            if x <= 0.04045 { x / 12.92 } else { ((x + 0.055) / 1.055).powf(2.4) }
        });
        let y = 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2];
        116.0 * y.cbrt() - 16.0
    }

    #[test]
    fn lightness_grows_in_equal_steps() {
        let steps: Vec<f64> =
            TABLE.windows(2).map(|pair| lightness(pair[1]) - lightness(pair[0])).collect();
        let mean = steps.iter().sum::<f64>() / steps.len() as f64;
        assert!(steps.iter().all(|step| (step / mean - 1.0).abs() < 0.25), "{steps:?}");
    }

    #[test]
    fn ends_and_beyond() {
        assert_eq!(colour(0.0), TABLE[0]);
        assert_eq!(colour(-3.0), TABLE[0]);
        assert_eq!(colour(1.0), TABLE[8]);
        assert_eq!(colour(f64::INFINITY), TABLE[8]);
        assert_eq!(colour(0.5), TABLE[4]);
        assert_eq!(colour(f64::NAN), [160, 160, 160]);
    }
}
