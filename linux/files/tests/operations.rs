//! Tests that operations take effect, and fail as they do in Linux.

use files::{Errno, Files, Kind, Last, Location, Open, Reach, Stamp, When};
use std::fs;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::PathBuf;
use tempfile::TempDir;

struct Scene {
    base: TempDir,
    files: Files,
}

impl Scene {
    fn new() -> Scene {
        let base = TempDir::new().unwrap();
        let files = Files::new(Reach::Cwd, base.path(), &[]).unwrap();
        Scene { base, files }
    }

    fn path(&self, name: &str) -> PathBuf {
        self.base.path().join(name)
    }

    fn name(&self, path: &str) -> Location {
        self.files.locate(path.as_bytes(), Last::Name).unwrap()
    }

    fn open(&self, path: &str, how: Open) -> Result<files::File, Errno> {
        self.files.open(path.as_bytes(), &how)
    }
}

fn read() -> Open {
    Open { read: true, ..Open::default() }
}

fn create() -> Open {
    Open { write: true, create: true, mode: 0o640, ..Open::default() }
}

#[test]
fn a_file_is_made_written_and_read_at_any_place() {
    let scene = Scene::new();
    let file = scene.open("new", create()).unwrap();
    assert_eq!(file.write_at(3, b"def").unwrap(), 3);
    assert_eq!(file.read_at(0, 1), Err(Errno::EBADF));
    let again = scene.open("new", read()).unwrap();
    assert_eq!(again.read_at(0, 100).unwrap(), b"\0\0\0def");
    assert_eq!(again.read_at(6, 100).unwrap(), b"");
    assert_eq!(again.read_at(4, 1).unwrap(), b"e");
    assert_eq!(again.write_at(0, b"x"), Err(Errno::EBADF));
    assert_eq!(again.metadata().unwrap().permissions & 0o700, 0o600);
    file.set_size(2).unwrap();
    assert_eq!(again.metadata().unwrap().size_bytes, 2);
}

#[test]
fn what_is_appended_comes_last() {
    let scene = Scene::new();
    fs::write(scene.path("log"), "one").unwrap();
    let log = scene.open("log", Open { append: true, ..read() }).unwrap();
    log.write_at(0, b"two").unwrap();
    assert_eq!(log.read_at(0, 100).unwrap(), b"onetwo");
}

#[test]
fn flags_of_open_mean_what_they_say() {
    let scene = Scene::new();
    assert_eq!(scene.open("f", read()).unwrap_err(), Errno::ENOENT);
    scene.open("f", Open { exclusive: true, ..create() }).unwrap().write_at(0, b"text").unwrap();
    assert_eq!(scene.open("f", Open { exclusive: true, ..create() }).unwrap_err(), Errno::EEXIST);
    assert_eq!(scene.open("f", Open { directory: true, ..read() }).unwrap_err(), Errno::ENOTDIR);
    assert_eq!(scene.open("f/", read()).unwrap_err(), Errno::ENOTDIR);
    assert_eq!(scene.open("f/g", read()).unwrap_err(), Errno::ENOTDIR);
    assert_eq!(scene.open("new/", create()).unwrap_err(), Errno::EISDIR);
    assert_eq!(scene.open(".", create()).unwrap_err(), Errno::EISDIR);
    assert_eq!(scene.open("", read()).unwrap_err(), Errno::ENOENT);
    assert_eq!(scene.open(&"x".repeat(4096), read()).unwrap_err(), Errno::ENAMETOOLONG);
    assert_eq!(scene.open(&"x".repeat(256), read()).unwrap_err(), Errno::ENAMETOOLONG);
    scene.open("f", Open { truncate: true, append: true, ..create() }).unwrap();
    assert_eq!(fs::read(scene.path("f")).unwrap(), b"");
    // A file may be created for reading only.
    assert_eq!(scene.open("r", Open { write: false, read: true, ..create() }).unwrap().read_at(0, 1).unwrap(), b"");
}

#[test]
fn a_link_to_nothing_makes_what_it_names() {
    let scene = Scene::new();
    scene.name("link").create_link(b"target").unwrap();
    assert_eq!(scene.open("link", Open { exclusive: true, ..create() }).unwrap_err(), Errno::EEXIST);
    scene.open("link", create()).unwrap();
    assert!(scene.path("target").exists());
}

#[test]
fn directories_are_made_listed_and_removed() {
    let scene = Scene::new();
    scene.name("d/").create_directory(0o755).unwrap();
    assert_eq!(scene.name("d").create_directory(0o755), Err(Errno::EEXIST));
    for name in ["d/b", "d/a"] {
        scene.open(name, create()).unwrap();
    }
    scene.name("d/c").create_link(b"a").unwrap();
    let list = scene.name("d").list().unwrap();
    let names: Vec<_> = list.iter().map(|entry| (entry.name.as_slice(), entry.kind)).collect();
    assert_eq!(names, [(b"a".as_slice(), Kind::File), (b"b", Kind::File), (b"c", Kind::Link)]);
    assert_eq!(scene.name("d/a").list().unwrap_err(), Errno::ENOTDIR);
    assert_eq!(scene.name("d").remove_directory(), Err(Errno::ENOTEMPTY));
    assert_eq!(scene.name("d").remove_file(), Err(Errno::EISDIR));
    assert_eq!(scene.name("d/a").remove_directory(), Err(Errno::ENOTDIR));
    assert_eq!(scene.name("d/a/").remove_file(), Err(Errno::ENOTDIR));
    for name in ["d/a", "d/b", "d/c"] {
        scene.name(name).remove_file().unwrap();
    }
    scene.name("d/").remove_directory().unwrap();
    assert_eq!(scene.name("d").remove_directory(), Err(Errno::ENOENT));
    assert_eq!(scene.name(".").remove_directory(), Err(Errno::EBUSY));
}

#[test]
fn names_are_given_and_taken() {
    let scene = Scene::new();
    fs::write(scene.path("a"), "a").unwrap();
    scene.name("a").create_name(&scene.name("b")).unwrap();
    assert_eq!(scene.files.metadata(b"b").unwrap().links, 2);
    assert_eq!(scene.name("a").create_name(&scene.name("b")), Err(Errno::EEXIST));
    scene.name("d").create_directory(0o700).unwrap();
    scene.files.rename(b"a", b"d/c").unwrap();
    assert_eq!(scene.files.rename(b"a", b"e"), Err(Errno::ENOENT));
    assert_eq!(scene.files.rename(b"b", b"e/"), Err(Errno::ENOTDIR));
    assert_eq!(scene.files.rename(b"d/", b"d/c/e").unwrap_err(), Errno::ENOTDIR);
    scene.files.rename(b"d/", b"e/").unwrap();
    assert_eq!(fs::read_to_string(scene.path("e/c")).unwrap(), "a");
    scene.files.remove(b"b").unwrap();
    assert_eq!(scene.files.metadata(b"e/c").unwrap().links, 1);
}

#[test]
fn permissions_and_times_are_set() {
    let scene = Scene::new();
    fs::write(scene.path("f"), "").unwrap();
    let (early, late) = (Stamp { seconds: 1_000, ns: 5 }, Stamp { seconds: 2_000_000_000, ns: 999_999_999 });
    scene.name("f").set_times(Some(When::At(early)), Some(When::At(late))).unwrap();
    // The set-user-ID bit is dropped.
    scene.name("f").set_permissions(0o4751).unwrap();
    let known = fs::metadata(scene.path("f")).unwrap();
    assert_eq!((known.mtime(), known.mtime_nsec(), known.atime()), (2_000_000_000, 999_999_999, 1_000));
    assert_eq!(known.permissions().mode() & 0o7777, 0o751);
    let file = scene.open("f", Open { write: true, ..read() }).unwrap();
    file.set_times(None, Some(When::At(early))).unwrap();
    assert_eq!(file.metadata().unwrap().modified, early);
    assert_eq!(scene.files.metadata(b"f").unwrap().accessed, early);
    scene.name(".").set_times(Some(When::Now), None).unwrap();
    let before_1970 = Stamp { seconds: -2_128_347_135, ns: 5 };
    scene.name("f").set_times(Some(When::At(before_1970)), None).unwrap();
    file.set_times(None, Some(When::At(before_1970))).unwrap();
    let known = scene.files.metadata(b"f").unwrap();
    assert_eq!((known.accessed, known.modified), (before_1970, before_1970));
}

#[test]
fn directories_on_the_way_to_the_current_one_can_be_seen() {
    let scene = Scene::new();
    let base = fs::canonicalize(scene.base.path()).unwrap();
    let above = base.parent().unwrap().to_str().unwrap().as_bytes().to_vec();
    let way = scene.files.locate(&above, Last::Itself).unwrap();
    assert_eq!(way.metadata().unwrap().kind, Kind::Directory);
    assert_eq!(way.read_link(), Err(Errno::EINVAL));
    let list = way.list().unwrap();
    assert_eq!(list.len(), 1);
    assert_eq!(list[0].name, base.file_name().unwrap().as_encoded_bytes());
    assert_eq!(way.set_permissions(0), Err(Errno::EACCES));
}

#[test]
fn a_whole_file_has_a_limit() {
    let scene = Scene::new();
    fs::write(scene.path("f"), [1; 10]).unwrap();
    assert_eq!(files::read_whole(&scene.path("f"), 10).unwrap(), [1; 10]);
    assert_eq!(files::read_start(&scene.path("f"), 4).unwrap(), [1; 4]);
    assert_eq!(files::read_start(&scene.path("f"), 11).unwrap(), [1; 10]);
    assert!(files::read_whole(&scene.path("f"), 9).unwrap_err().to_string().contains("more than 9 B"));
    assert!(files::read_whole(scene.base.path(), 9).unwrap_err().to_string().contains("is a directory"));
    assert!(files::read_whole(&PathBuf::from("/dev/zero"), 9).unwrap_err().to_string().contains("a device"));
}

#[test]
fn choices_have_names() {
    for (name, reach) in Reach::NAMES {
        assert_eq!(name.parse(), Ok(reach));
        assert_eq!(reach.name(), name);
    }
    assert_eq!("some".parse::<Reach>().unwrap_err().to_string(), "files: `some` is not one of none, cwd, all");
}
