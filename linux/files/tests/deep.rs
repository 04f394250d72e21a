//! Tests of paths that are relative to directories deep in a tree.

use files::{Directory, Errno, Files, Last, Location, Open, Place, Reach};
use std::fs;
use std::os::unix::fs::symlink;
use tempfile::TempDir;

fn scene() -> (TempDir, Files) {
    let base = TempDir::new().unwrap();
    fs::create_dir(base.path().join("work")).unwrap();
    let files = Files::new(Reach::Cwd, &base.path().join("work"), &[]).unwrap();
    (base, files)
}

fn locate(files: &Files, from: &Directory, path: &str) -> Result<Location, Errno> {
    match files.resolve(from, path.as_bytes(), Last::Target)? {
        Place::Here(location) => Ok(location),
        Place::Machine(_) => Err(Errno::ENOENT),
    }
}

fn text(files: &Files, from: &Directory, path: &str) -> Result<String, Errno> {
    let read = Open { read: true, ..Open::default() };
    let file = locate(files, from, path)?.open(&read)?.ok_or(Errno::EISDIR)?;
    Ok(String::from_utf8(file.read_at(0, 100)?).unwrap())
}

#[test]
fn a_deep_nest_is_made_and_removed() {
    let (base, files) = scene();
    let mut at = files.here().clone();
    for _ in 0..500 {
        locate(&files, &at, "d").unwrap().create_directory(0o755).unwrap();
        at = locate(&files, &at, "d").unwrap().as_directory();
    }
    assert_eq!(at.path().len(), files.here().path().len() + 1000);
    let create = Open { write: true, create: true, mode: 0o644, ..Open::default() };
    locate(&files, &at, "../../bottom").unwrap().open(&create).unwrap();
    for n in 0..500 {
        at = locate(&files, &at, "..").unwrap().as_directory();
        locate(&files, &at, "d").unwrap().remove_directory().unwrap();
        if n == 1 {
            locate(&files, &at, "bottom").unwrap().remove_file().unwrap();
        }
    }
    assert_eq!(&at, files.here());
    assert_eq!(fs::read_dir(base.path().join("work")).unwrap().count(), 0);
    assert_eq!(locate(&files, &at, "..").unwrap().list().unwrap().len(), 1);
}

/// Other programs replace the directory in which a path begins.
#[test]
fn a_path_begins_in_the_directory_that_has_the_name_now() {
    let (base, files) = scene();
    let path = |name: &str| base.path().join("work").join(name);
    fs::create_dir_all(path("a/b")).unwrap();
    fs::create_dir(base.path().join("outside")).unwrap();
    fs::write(path("a/b/file"), "old").unwrap();
    fs::write(base.path().join("outside/file"), "secret").unwrap();
    let at = locate(&files, files.here(), "a/b").unwrap().as_directory();
    let file = || text(&files, &at, "file");
    assert_eq!(file(), Ok("old".into()));
    fs::rename(path("a/b"), path("a/c")).unwrap();
    assert_eq!(file(), Err(Errno::ENOENT));
    fs::create_dir(path("a/b")).unwrap();
    fs::write(path("a/b/file"), "new").unwrap();
    assert_eq!(file(), Ok("new".into()));
    fs::rename(path("a/b"), path("a/d")).unwrap();
    symlink(base.path().join("outside"), path("a/b")).unwrap();
    assert_eq!(file(), Err(Errno::EACCES));
    fs::remove_file(path("a/b")).unwrap();
    symlink("c", path("a/b")).unwrap();
    assert_eq!(file(), Ok("old".into()));
    assert_eq!(text(&files, &at, "../d/file"), Ok("new".into()));
    assert_eq!(text(&files, &at, "../../../outside/file"), Err(Errno::EACCES));
}
