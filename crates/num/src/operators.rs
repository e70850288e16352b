//! The operators and the order that numbers whose precision is chosen at run time have in common.

/// Implements arithmetic, order and equality for a number and its view, which has `wider_zero`, a
/// zero with the precision of the result of two, and `compare_magnitudes`.
macro_rules! operators {
    ($number:ident, $view:ident) => {
        $crate::operators::operators! { $number, $view, Add add AddAssign add_assign set_sum }
        $crate::operators::operators! { $number, $view, Sub sub SubAssign sub_assign set_difference }
        $crate::operators::operators! { $number, $view, Mul mul MulAssign mul_assign set_product }
        $crate::operators::operators! { $number, $view, Div div DivAssign div_assign set_quotient }

        impl core::ops::Neg for $number {
            type Output = $number;

            fn neg(mut self) -> $number {
                self.head = self.head.negated();
                self
            }
        }

        impl PartialOrd<$view<'_>> for $view<'_> {
            fn partial_cmp(&self, y: &$view<'_>) -> Option<core::cmp::Ordering> {
                use core::cmp::Ordering;
                let (x, y) = (*self, *y);
                if x.head().is_nan() || y.head().is_nan() {
                    return None;
                }
                if x.head().is_zero() && y.head().is_zero() {
                    return Some(Ordering::Equal);
                }
                Some(match (x.head().is_negative(), y.head().is_negative()) {
                    (false, false) => x.compare_magnitudes(y),
                    (true, true) => y.compare_magnitudes(x),
                    (true, false) => Ordering::Less,
                    (false, true) => Ordering::Greater,
                })
            }
        }

        impl PartialEq<$view<'_>> for $view<'_> {
            fn eq(&self, y: &$view<'_>) -> bool {
                self.partial_cmp(y) == Some(core::cmp::Ordering::Equal)
            }
        }

        impl PartialOrd for $number {
            fn partial_cmp(&self, y: &Self) -> Option<core::cmp::Ordering> {
                self.view().partial_cmp(&y.view())
            }
        }

        impl PartialEq for $number {
            fn eq(&self, y: &Self) -> bool {
                self.view() == y.view()
            }
        }
    };
    ($number:ident, $view:ident, $operator:ident $method:ident $assign:ident $assign_method:ident $set:ident) => {
        impl<'a> core::ops::$operator<$view<'a>> for $view<'_> {
            type Output = $number;

            fn $method(self, y: $view<'a>) -> $number {
                let mut z = self.wider_zero(y);
                z.$set(self, y);
                z
            }
        }

        impl<'a> core::ops::$operator<&'a $number> for &$number {
            type Output = $number;

            fn $method(self, y: &'a $number) -> $number {
                self.view().$method(y.view())
            }
        }

        impl core::ops::$operator for $number {
            type Output = $number;

            fn $method(self, y: $number) -> $number {
                self.view().$method(y.view())
            }
        }

        impl core::ops::$assign for $number {
            fn $assign_method(&mut self, y: $number) {
                *self = core::ops::$operator::$method(self.view(), y.view());
            }
        }
    };
}

pub(crate) use operators;
