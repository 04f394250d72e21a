//! A table of IPC objects: their keys, identifiers, owners and permissions.

use crate::errno::Errno;
use crate::identity::USER;
use std::collections::BTreeMap;

/// Flags of `shmget` and `semget`.
pub mod flag {
    /// Create the object if no object has the key.
    pub const CREATE: u32 = 0o1000;
    /// Fail if an object has the key. Used with [`CREATE`].
    pub const EXCLUSIVE: u32 = 0o2000;
}

/// The key of a new object that no other call can find.
pub const PRIVATE: u32 = 0;
/// Permissions of the owner: to read, and to change.
pub const READ: u32 = 0o400;
/// Permission to change the object.
pub const WRITE: u32 = 0o200;
/// Bits of the permissions of owner, group and others.
const PERMISSIONS: u32 = 0o777;
/// Distance of the identifiers that successive objects have in one slot.
const SLOTS: u32 = 32768;

/// Owner and permissions (`struct ipc_perm`).
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Permissions {
    /// Key, or [`PRIVATE`].
    pub key: u32,
    /// User and group of the owner.
    pub owner: [u32; 2],
    pub mode: u32,
    /// Sequence number: how many objects were created before.
    pub sequence: u32,
}

impl Permissions {
    /// Checks that the process, which has created the object, has all of these permissions of an owner.
    ///
    /// # Errors
    /// `EACCES`: one of them is missing.
    pub fn check(&self, wanted: u32) -> Result<(), Errno> {
        if wanted & !self.mode == 0 { Ok(()) } else { Err(Errno::EACCES) }
    }

    /// `struct ipc64_perm`: key, owner, creator, mode and sequence number, with reserved words at the end.
    pub fn encoded(&self) -> Vec<u8> {
        let [user, group] = self.owner;
        let words = [self.key, user, group, USER, USER, self.mode, self.sequence, 0, 0, 0, 0, 0];
        words.into_iter().flat_map(u32::to_be_bytes).collect()
    }

    /// Changes owner and permissions to those of a `struct ipc64_perm` (`IPC_SET`).
    pub fn set(&mut self, encoded: [u32; 6]) {
        let [_, user, group, _, _, mode] = encoded;
        self.owner = [user, group];
        self.mode = self.mode & !PERMISSIONS | mode & PERMISSIONS;
    }
}

/// An object with its permissions.
pub struct Entry<T> {
    /// Owner and permissions.
    pub permissions: Permissions,
    pub object: T,
}

/// Objects by slot. An identifier is made of slot and sequence number, so that the identifier of a removed object is not
/// that of a new one.
pub struct Table<T> {
    entries: BTreeMap<u32, Entry<T>>,
    created: u32,
}

impl<T> Default for Table<T> {
    fn default() -> Table<T> {
        Table { entries: BTreeMap::new(), created: 0 }
    }
}

impl<T> Table<T> {
    /// Finds or creates the object for a key, as `shmget` does. Returns its identifier. `fits` checks an object that is
    /// there; `create` makes a new one.
    ///
    /// # Errors
    /// `ENOENT`, `EEXIST`, `EACCES`, `ENOSPC`, or what the two functions fail with.
    pub fn get(
        &mut self,
        (key, flags): (u32, u32),
        slots: u32,
        fits: impl FnOnce(&T) -> Result<(), Errno>,
        create: impl FnOnce() -> Result<T, Errno>,
    ) -> Result<u32, Errno> {
        let known = self.entries.iter().find(|(_, entry)| key != PRIVATE && entry.permissions.key == key);
        if let Some((slot, entry)) = known {
            if flags & (flag::CREATE | flag::EXCLUSIVE) == flag::CREATE | flag::EXCLUSIVE {
                return Err(Errno::EEXIST);
            }
            fits(&entry.object)?;
            // Each of the three digits may ask for a permission.
            entry.permissions.check((flags | flags << 3 | flags << 6) & 0o700)?;
            return Ok(identifier(*slot, entry.permissions.sequence));
        }
        if key != PRIVATE && flags & flag::CREATE == 0 {
            return Err(Errno::ENOENT);
        }
        let slot = (0..slots).find(|slot| !self.entries.contains_key(slot)).ok_or(Errno::ENOSPC)?;
        let object = create()?;
        let sequence = self.created % (i32::MAX as u32 / SLOTS);
        self.created += 1;
        let permissions = Permissions { key, owner: [USER; 2], mode: flags & PERMISSIONS, sequence };
        self.entries.insert(slot, Entry { permissions, object });
        Ok(identifier(slot, sequence))
    }

    /// The object with an identifier.
    ///
    /// # Errors
    /// `EIDRM`: a newer object has its slot. `EINVAL`: no object has its slot.
    pub fn entry(&mut self, identifier: u32) -> Result<&mut Entry<T>, Errno> {
        let entry = self.entries.get_mut(&(identifier % SLOTS)).filter(|_| identifier as i32 >= 0);
        let entry = entry.ok_or(Errno::EINVAL)?;
        if entry.permissions.sequence == identifier / SLOTS { Ok(entry) } else { Err(Errno::EIDRM) }
    }

    /// The object in a slot, and its identifier.
    ///
    /// # Errors
    /// `EINVAL`: the slot is empty.
    pub fn entry_at(&mut self, slot: u32) -> Result<(u32, &mut Entry<T>), Errno> {
        let entry = self.entries.get_mut(&slot).ok_or(Errno::EINVAL)?;
        Ok((identifier(slot, entry.permissions.sequence), entry))
    }

    /// Removes the object with an identifier.
    ///
    /// # Errors
    /// As [`Table::entry`].
    pub fn remove(&mut self, identifier: u32) -> Result<T, Errno> {
        self.entry(identifier)?;
        self.entries.remove(&(identifier % SLOTS)).map(|entry| entry.object).ok_or(Errno::EINVAL)
    }

    /// Keeps only the objects for which a function returns true.
    pub fn retain(&mut self, keeps: impl Fn(&T) -> bool) {
        self.entries.retain(|_, entry| keeps(&entry.object));
    }

    pub fn objects(&self) -> impl Iterator<Item = &T> {
        self.entries.values().map(|entry| &entry.object)
    }

    /// All objects, to be changed.
    pub fn objects_mut(&mut self) -> impl Iterator<Item = &mut T> {
        self.entries.values_mut().map(|entry| &mut entry.object)
    }

    /// The last slot with an object, or 0.
    pub fn last_slot(&self) -> u32 {
        self.entries.keys().next_back().copied().unwrap_or(0)
    }
}

fn identifier(slot: u32, sequence: u32) -> u32 {
    sequence * SLOTS + slot
}

#[cfg(test)]
mod tests {
    use super::*;

    fn get(table: &mut Table<u32>, key: u32, flags: u32) -> Result<u32, Errno> {
        table.get((key, flags), 2, |_| Ok(()), || Ok(7))
    }

    #[test]
    fn keys_lead_to_objects_and_private_objects_have_none() {
        let mut table = Table::default();
        assert_eq!(get(&mut table, 5, 0o600), Err(Errno::ENOENT));
        let first = get(&mut table, 5, flag::CREATE | 0o600);
        assert!(first.is_ok());
        assert_eq!(get(&mut table, 5, 0o600), first);
        assert_eq!(get(&mut table, 5, flag::CREATE | flag::EXCLUSIVE), Err(Errno::EEXIST));
        assert_eq!(get(&mut table, 5, 0o100), Err(Errno::EACCES));
        assert_ne!(get(&mut table, PRIVATE, 0o600), first);
        assert_eq!(get(&mut table, PRIVATE, 0o600), Err(Errno::ENOSPC));
    }

    #[test]
    fn an_old_identifier_is_not_that_of_the_next_object_in_its_slot() {
        let mut table = Table::default();
        let old = get(&mut table, PRIVATE, 0).unwrap_or_default();
        assert_eq!(table.remove(old), Ok(7));
        assert_eq!(table.remove(old), Err(Errno::EINVAL));
        let new = get(&mut table, PRIVATE, 0).unwrap_or_default();
        assert!(old != new && table.entry(new).is_ok());
        assert_eq!(table.entry(old).err(), Some(Errno::EIDRM));
        assert_eq!(table.entry(u32::MAX).err(), Some(Errno::EINVAL));
    }
}
