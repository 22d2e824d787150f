//! Extended attributes of files. Without the Cargo feature `system`, and on systems other
//! than Linux, a file has none here.

use std::ffi::{CStr, CString};
use std::fs::File;
use std::io;

#[cfg(all(target_os = "linux", feature = "system"))]
use rustix::{
    fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr},
    io::Errno,
};

/// The access control list of a file. The system shows it as an attribute.
pub(super) const ACL: &CStr = c"system.posix_acl_access";

/// Attributes that the system makes from the content of a file.
#[cfg(all(target_os = "linux", feature = "system"))]
const OF_CONTENT: [&CStr; 2] = [c"security.ima", c"security.evm"];

/// Maximum size of a list of names, and of a value: that of Linux.
#[cfg(all(target_os = "linux", feature = "system"))]
const MAX_SIZE: usize = 1 << 16;

/// Returns the names of the attributes that a copy has, too. Those of other kinds belong to
/// a file system, which sets them.
#[cfg(all(target_os = "linux", feature = "system"))]
pub(super) fn names(file: &File) -> io::Result<Vec<CString>> {
    let kinds: [&[u8]; 4] = [b"user.", b"security.", b"system.", b"trusted."];
    let is_copied = |name: &&CStr| {
        let is_known = kinds.iter().any(|kind| name.to_bytes().starts_with(kind));
        is_known && !OF_CONTENT.contains(name)
    };
    let mut list = vec![0; MAX_SIZE];
    let size = match flistxattr(file, &mut list[..]) {
        Err(Errno::NOTSUP | Errno::NOSYS) => 0,
        size => size?,
    };
    let names = list[..size].split_inclusive(|&byte| byte == 0);
    let names = names.filter_map(|name| CStr::from_bytes_with_nul(name).ok());
    Ok(names.filter(is_copied).map(CStr::to_owned).collect())
}

/// Returns the value of an attribute; `None` if there is no such attribute.
#[cfg(all(target_os = "linux", feature = "system"))]
pub(super) fn get(file: &File, name: &CStr) -> io::Result<Option<Vec<u8>>> {
    let mut value = vec![0; MAX_SIZE];
    match fgetxattr(file, name, &mut value[..]) {
        Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => return Ok(None),
        size => value.truncate(size?),
    }
    Ok(Some(value))
}

#[cfg(all(target_os = "linux", feature = "system"))]
pub(super) fn set(file: &File, name: &CStr, value: &[u8]) -> io::Result<()> {
    Ok(fsetxattr(file, name, value, XattrFlags::empty())?)
}

/// Removes an attribute, which may be missing.
#[cfg(all(target_os = "linux", feature = "system"))]
pub(super) fn remove(file: &File, name: &CStr) -> io::Result<()> {
    match fremovexattr(file, name) {
        Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
        removed => Ok(removed?),
    }
}

#[cfg(not(all(target_os = "linux", feature = "system")))]
pub(super) fn names(_: &File) -> io::Result<Vec<CString>> {
    Ok(Vec::new())
}

#[cfg(not(all(target_os = "linux", feature = "system")))]
pub(super) fn get(_: &File, _: &CStr) -> io::Result<Option<Vec<u8>>> {
    Ok(None)
}

#[cfg(not(all(target_os = "linux", feature = "system")))]
pub(super) fn set(_: &File, _: &CStr, _: &[u8]) -> io::Result<()> {
    Ok(())
}

#[cfg(not(all(target_os = "linux", feature = "system")))]
pub(super) fn remove(_: &File, _: &CStr) -> io::Result<()> {
    Ok(())
}
