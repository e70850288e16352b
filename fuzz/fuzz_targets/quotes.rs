#![no_main]

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| nonius_fuzz::quotes(bytes));
