//! Where memory is that another library has allocated.

use core::ffi::{c_int, c_uint, c_void};
use core::ptr;

use cudarc::driver::sys::{self, CUmemorytype, CUpointer_attribute as Attribute};

use crate::context::Context;
use crate::driver::{check, init};
use crate::error::Error;

/// Where an address points.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Place {
    /// Memory of the GPU of that number.
    Gpu(usize),
    /// Memory that follows whoever uses it, and began on the GPU of that number.
    Managed(usize),
    /// Memory of the host that the driver has allocated or locked.
    LockedHost,
    /// The driver does not know it: ordinary memory of the host, or none.
    Unknown,
}

/// Where an address points, by the driver.
///
/// # Errors
/// Where there is no driver, one too old, or no GPU.
pub fn place_of(address: u64) -> Result<Place, Error> {
    const DOING: &str = "asking where memory is";
    init()?;
    let mut current = ptr::null_mut();
    // SAFETY: the driver is started, and `current` outlives the call.
    check(unsafe { sys::cuCtxGetCurrent(&mut current) }, DOING)?;
    let opened = if current.is_null() { Some(Context::new(0)?) } else { None };
    if let Some(context) = &opened {
        context.bind()?;
    }
    let (mut kind, mut ordinal, mut managed): (c_uint, c_int, c_uint) = (0, -1, 0);
    let mut attributes = [
        Attribute::CU_POINTER_ATTRIBUTE_MEMORY_TYPE,
        Attribute::CU_POINTER_ATTRIBUTE_DEVICE_ORDINAL,
        Attribute::CU_POINTER_ATTRIBUTE_IS_MANAGED,
    ];
    let mut values: [*mut c_void; 3] =
        [(&raw mut kind).cast(), (&raw mut ordinal).cast(), (&raw mut managed).cast()];
    // SAFETY: as many attributes as places for them, each of the size that the driver's manual
    // gives; they outlive the call. The address is looked up and not followed.
    let result = unsafe {
        let count = attributes.len() as c_uint;
        sys::cuPointerGetAttributes(count, attributes.as_mut_ptr(), values.as_mut_ptr(), address)
    };
    if let Some(context) = opened {
        // SAFETY: no context is current from now on, as before; the driver takes null for none.
        let cleared = unsafe { sys::cuCtxSetCurrent(ptr::null_mut()) };
        drop(context);
        check(cleared, DOING)?;
    }
    check(result, DOING)?;
    let is_of = |memory: CUmemorytype| kind == memory as c_uint;
    Ok(match usize::try_from(ordinal) {
        Ok(ordinal) if managed != 0 => Place::Managed(ordinal),
        Ok(ordinal) if is_of(CUmemorytype::CU_MEMORYTYPE_DEVICE) => Place::Gpu(ordinal),
        _ if is_of(CUmemorytype::CU_MEMORYTYPE_HOST) => Place::LockedHost,
        _ => Place::Unknown,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A machine without a GPU says so; one with a GPU does not know memory of the host.
    #[test]
    fn ordinary_memory_is_not_known() {
        let number = 1.0_f64;
        match place_of((&raw const number).expose_provenance() as u64) {
            Ok(place) => assert_eq!(place, Place::Unknown),
            Err(error) => assert!(matches!(
                error,
                Error::NoDriver | Error::NoDevice | Error::DriverTooOld { .. }
            )),
        }
    }
}
