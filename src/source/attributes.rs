//! The attributes of a file: owner, group, permissions, access control list and
//! extended attributes.

use std::ffi::CStr;
use std::fs::{File, Metadata, Permissions};
use std::io;
use std::os::unix::fs::{MetadataExt, PermissionsExt, fchown};

use super::reason::reason;

/// The permissions, and the bits that set user and group.
const ALL_BITS: u32 = 0o7777;

/// The attributes of a file, on their way to the one that replaces it.
pub(super) struct Attributes<'f> {
    old: &'f File,
    had: Metadata,
    new: &'f File,
    /// Attributes that the new file cannot have, with the reasons.
    losses: Vec<String>,
}

impl<'f> Attributes<'f> {
    /// Gives the attributes of a file to a new one, which only its owner may read so far.
    /// Returns what it cannot have. Nobody may do more with it than with the old file, even
    /// so.
    pub(super) fn give(old: &'f File, new: &'f File) -> io::Result<Vec<String>> {
        let had = old.metadata()?;
        let mut attributes = Attributes { old, had, new, losses: Vec::new() };
        // A list and a mode are about the group of the file, and `chown` clears bits of the
        // mode.
        let keeps_group = attributes.give_group();
        let keeps_owner = attributes.give_owner();
        attributes.give_extended()?;
        let keeps_list = attributes.give_list(keeps_group);
        attributes.give_mode([keeps_owner, keeps_group, keeps_list])?;
        Ok(attributes.losses)
    }

    fn give_group(&mut self) -> bool {
        let gid = self.had.gid();
        let has_it = self.new.metadata().is_ok_and(|new| new.gid() == gid);
        let given = if has_it { Ok(()) } else { fchown(self.new, None, Some(gid)) };
        self.note(&format!("its group (gid {gid})"), given)
    }

    fn give_owner(&mut self) -> bool {
        let uid = self.had.uid();
        let has_it = self.new.metadata().is_ok_and(|new| new.uid() == uid);
        let given = if has_it { Ok(()) } else { fchown(self.new, Some(uid), None) };
        self.note(&format!("its owner (uid {uid})"), given)
    }

    /// Sets all extended attributes but the access control list.
    fn give_extended(&mut self) -> io::Result<()> {
        let names = extended::names(self.old)?;
        for name in names.iter().filter(|&name| **name != *ACL) {
            let given = extended::get(self.old, name).and_then(|value| {
                // The system gives some to each new file, such as labels.
                let has_it = extended::get(self.new, name).is_ok_and(|has| has == value);
                let value = value.filter(|_| !has_it);
                value.map_or(Ok(()), |value| extended::set(self.new, name, &value))
            });
            self.note(&format!("its attribute '{}'", name.to_string_lossy()), given);
        }
        Ok(())
    }

    /// Sets the access control list, unless it would be about another group.
    fn give_list(&mut self, keeps_group: bool) -> bool {
        let given = extended::get(self.old, ACL).and_then(|list| match list {
            Some(list) if keeps_group => extended::set(self.new, ACL, &list),
            // A folder may give a list of its own to new files.
            None => extended::remove(self.new, ACL),
            Some(_) => {
                extended::remove(self.new, ACL)?;
                Err(io::Error::other("it would be about another group"))
            }
        });
        self.note("its access control list", given)
    }

    /// Sets the permissions, or fewer if others would get them.
    fn give_mode(&mut self, kept: [bool; 3]) -> io::Result<()> {
        let had = self.had.mode() & ALL_BITS;
        let mode = narrowed(had, kept);
        if self.new.metadata()?.mode() & ALL_BITS != mode {
            self.new.set_permissions(Permissions::from_mode(mode))?;
        }
        // The system may clear bits without an error.
        let has = self.new.metadata()?.mode() & ALL_BITS;
        if has != mode {
            self.losses.push(format!("its mode ({had:o}): the system made it {has:o}"));
        }
        Ok(())
    }

    /// Notes what is lost. Returns true if it is not.
    fn note(&mut self, what: &str, given: io::Result<()>) -> bool {
        let loss = given.err().map(|error| format!("{what}: {}", reason(&error)));
        self.losses.extend(loss.clone());
        loss.is_none()
    }
}

/// Returns the mode that gives nobody more rights than before, although the owner, the
/// group or the access control list is another one.
fn narrowed(mut mode: u32, [owner, group, list]: [bool; 3]) -> u32 {
    if !owner {
        // A program would run as somebody else.
        mode &= !0o4000;
    }
    if !group {
        // Those of the old group are among the others now, and some others are of the new
        // group.
        let both = mode & (mode >> 3) & 0o007;
        mode = (mode & !0o2077) | (both << 3) | both;
    }
    if !list {
        // Anybody may have been named in it.
        mode &= !0o077;
    }
    mode
}

/// The access control list of a file. The system shows it as an attribute.
const ACL: &CStr = c"system.posix_acl_access";

/// Extended attributes of files.
#[cfg(all(target_os = "linux", feature = "system"))]
mod extended {
    use std::ffi::{CStr, CString};
    use std::fs::File;
    use std::io;

    use rustix::fs::{XattrFlags, fgetxattr, flistxattr, fremovexattr, fsetxattr};
    use rustix::io::Errno;

    /// Attributes that the system makes from the content of a file.
    const OF_CONTENT: [&CStr; 2] = [c"security.ima", c"security.evm"];

    /// Maximum size of a list of names, and of a value: that of Linux.
    const MAX_SIZE: usize = 1 << 16;

    /// Returns the names of the attributes that a copy has, too. Those of other kinds belong to
    /// a file system, which sets them.
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
    pub(super) fn get(file: &File, name: &CStr) -> io::Result<Option<Vec<u8>>> {
        let mut value = vec![0; MAX_SIZE];
        match fgetxattr(file, name, &mut value[..]) {
            Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => return Ok(None),
            size => value.truncate(size?),
        }
        Ok(Some(value))
    }

    pub(super) fn set(file: &File, name: &CStr, value: &[u8]) -> io::Result<()> {
        Ok(fsetxattr(file, name, value, XattrFlags::empty())?)
    }

    /// Removes an attribute, which may be missing.
    pub(super) fn remove(file: &File, name: &CStr) -> io::Result<()> {
        match fremovexattr(file, name) {
            Err(Errno::NODATA | Errno::NOTSUP | Errno::NOSYS) => Ok(()),
            removed => Ok(removed?),
        }
    }
}

/// Extended attributes without the Cargo feature `system`, and on systems other than Linux: a file
/// has none.
#[cfg(not(all(target_os = "linux", feature = "system")))]
mod extended {
    use std::ffi::{CStr, CString};
    use std::fs::File;
    use std::io;

    pub(super) fn names(_: &File) -> io::Result<Vec<CString>> {
        Ok(Vec::new())
    }

    pub(super) fn get(_: &File, _: &CStr) -> io::Result<Option<Vec<u8>>> {
        Ok(None)
    }

    pub(super) fn set(_: &File, _: &CStr, _: &[u8]) -> io::Result<()> {
        Ok(())
    }

    pub(super) fn remove(_: &File, _: &CStr) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_gets_more() {
        let narrowed = |mode, kept| format!("{:o}", narrowed(mode, kept));
        assert_eq!(narrowed(0o6664, [true, true, true]), "6664");
        assert_eq!(narrowed(0o6664, [false, true, true]), "2664");
        assert_eq!(narrowed(0o2660, [true, false, true]), "600");
        assert_eq!(narrowed(0o664, [true, false, true]), "644");
        assert_eq!(narrowed(0o604, [true, false, true]), "600");
        assert_eq!(narrowed(0o664, [true, true, false]), "600");
    }
}
