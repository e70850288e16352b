//! What the tests share.

/// Runs a generic test at every precision.
#[macro_export]
macro_rules! at_every_precision {
    ($check:ident $(, $argument:expr)*) => {
        $check::<f64>($($argument),*);
        $check::<nonius_num::Dd>($($argument),*);
        $check::<nonius_num::Td>($($argument),*);
        $check::<nonius_num::Qd>($($argument),*);
    };
}
