//! How many numbers a second one core reads from decimal text and writes to it: the best of several passes.
use std::hint::black_box;
use std::time::Instant;

use nonius_num::{Decimal, MultiFloat};

/// A pass takes less than a slice of the scheduler, so that the best one is undisturbed on a busy machine.
const COUNT: usize = 2_000;
const PASSES: usize = 400;

/// Numbers a second, in millions.
fn rate(mut pass: impl FnMut()) -> f64 {
    let seconds = (0..PASSES).map(|_| {
        let start = Instant::now();
        pass();
        start.elapsed().as_secs_f64()
    });
    COUNT as f64 / seconds.fold(f64::INFINITY, f64::min) / 1e6
}

/// Texts of `digits` random digits with exponents from −9 to 9.
fn texts(digits: usize) -> Vec<String> {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut random = move || {
        state =
            state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        state >> 33
    };
    let mut text = || {
        let sign = if random() % 2 == 0 { "-" } else { "" };
        let fraction: String =
            (1..digits).map(|_| char::from(b'0' + (random() % 10) as u8)).collect();
        format!("{sign}{}.{fraction}e{}", 1 + random() % 9, random() as i64 % 19 - 9)
    };
    (0..COUNT).map(|_| text()).collect()
}

fn measure<T: Decimal + Copy>(name: &str, texts: &[String]) {
    let read = rate(|| {
        for text in texts {
            black_box(T::from_decimal(black_box(text.as_bytes())).ok());
        }
    });
    let numbers: Vec<T> =
        texts.iter().filter_map(|text| T::from_decimal(text.as_bytes()).ok()).collect();
    let mut out = Vec::new();
    let written = rate(|| {
        out.clear();
        for &x in &numbers {
            black_box(x).append_decimal(&mut out);
            out.push(b'\n');
        }
        black_box(&out);
    });
    println!("{name:4} read {read:6.2} M/s   written {written:6.2} M/s");
}

fn main() {
    measure::<f64>("f64", &texts(17));
    measure::<MultiFloat<2>>("dd", &texts(33));
    measure::<MultiFloat<3>>("td", &texts(50));
    measure::<MultiFloat<4>>("qd", &texts(66));
}
