//! Files that are there whole or not at all, whenever the process is killed.
//!
//! On its own, and down here, because everything of ours that keeps results needs the same: the run
//! directory, what an exploration keeps, a report.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};

/// Writes a file beside its place, and moves it there when it is whole. What was there before stays
/// until then; a write that fails leaves nothing behind.
pub fn write_whole(path: &Path, content: impl AsRef<[u8]>) -> io::Result<()> {
    write_whole_with(path, |mut file| file.write_all(content.as_ref()))
}

/// The same with a function that writes, which may keep the file and append to it later.
pub fn write_whole_with<T>(
    path: &Path,
    write: impl FnOnce(File) -> io::Result<T>,
) -> io::Result<T> {
    let before = match std::fs::metadata(path) {
        // A pipe or a terminal is not to be replaced by a file.
        Ok(before) if !before.is_file() => return File::create(path).and_then(write),
        before => before.ok(),
    };
    // Where a link leads to, and not the link.
    let path = path.canonicalize().unwrap_or_else(|_| path.to_owned());
    let part = unfinished(&path);
    let written = File::create(&part)
        .and_then(write)
        .and_then(|written| {
            before
                .map_or(Ok(()), |before| std::fs::set_permissions(&part, before.permissions()))?;
            Ok(written)
        })
        .and_then(|written| std::fs::rename(&part, &path).map(|()| written));
    if written.is_err() {
        // It has not come to be, or goes: there is nothing to say beyond the error itself.
        let _ = std::fs::remove_file(&part);
    }
    written
}

/// The name of a file while it is written. Nobody reads it; the next time that the file is written
/// it is replaced.
pub fn unfinished(path: &Path) -> PathBuf {
    let mut name = std::ffi::OsString::from(".");
    name.push(path.file_name().unwrap_or_default());
    name.push(".part");
    path.with_file_name(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A directory that is gone with the test.
    struct Place(PathBuf);

    impl Place {
        fn new(name: &str) -> Self {
            let place =
                std::env::temp_dir().join(format!("capuchin-{name}-{}", std::process::id()));
            std::fs::create_dir_all(&place).unwrap();
            Place(place)
        }

        fn names(&self) -> Vec<String> {
            let entries = std::fs::read_dir(&self.0).unwrap();
            let name = |entry: io::Result<std::fs::DirEntry>| entry.unwrap().file_name();
            let mut names: Vec<_> =
                entries.map(|entry| name(entry).into_string().unwrap()).collect();
            names.sort();
            names
        }
    }

    impl Drop for Place {
        fn drop(&mut self) {
            let _ = std::fs::remove_dir_all(&self.0);
        }
    }

    #[test]
    fn what_was_there_stays_until_the_new_file_is_whole() {
        let place = Place::new("whole");
        let path = place.0.join("a.capu");
        write_whole(&path, "old").unwrap();
        let read = || std::fs::read_to_string(&path).unwrap();
        // As if the process was killed in the middle: half of it stands beside.
        let seen = write_whole_with(&path, |mut file| {
            file.write_all(b"new and")?;
            Ok(read())
        });
        assert_eq!(seen.unwrap(), "old");
        assert_eq!(read(), "new and");
        let failed = write_whole_with(&path, |mut file| {
            file.write_all(b"half")?;
            Err::<(), _>(io::Error::other("the disk is full"))
        });
        assert!(failed.is_err());
        assert_eq!((read().as_str(), place.names()), ("new and", vec!["a.capu".to_owned()]));
        std::fs::write(unfinished(&path), "left behind by a kill, and longer").unwrap();
        write_whole(&path, "next").unwrap();
        assert_eq!((read().as_str(), place.names()), ("next", vec!["a.capu".to_owned()]));
    }

    #[cfg(unix)]
    #[test]
    fn a_link_and_permissions_stay_and_a_device_is_written_to() {
        use std::os::unix::fs::PermissionsExt;
        let place = Place::new("link");
        let (path, link) = (place.0.join("a"), place.0.join("b"));
        std::fs::write(&path, "old").unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_whole(&link, "new").unwrap();
        assert_eq!(std::fs::read_to_string(&path).unwrap(), "new");
        assert_eq!(std::fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o640);
        assert!(std::fs::symlink_metadata(&link).unwrap().is_symlink());
        let nowhere = Path::new("/dev/null");
        write_whole(nowhere, "gone").unwrap();
        assert!(!std::fs::metadata(nowhere).unwrap().is_file());
    }
}
