//! Methods that builders share.

/// `device`, and where matrices are multiplied on the way `products`.
macro_rules! setters {
    (device) => {
        /// The device, [`Device::Auto`](crate::Device::Auto) by default.
        pub fn device(mut self, device: crate::Device) -> Self {
            self.device = device;
            self
        }
    };
    (products) => {
        /// How products of matrices on the way are computed.
        pub fn products(mut self, products: crate::dense::Products) -> Self {
            self.products = products;
            self
        }
    };
}

pub(crate) use setters;
