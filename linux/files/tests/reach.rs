//! Tests that no file outside the current directory and the system roots is read or written, whatever names and links
//! a program uses.

use files::{Access, Errno, Files, Kind, Last, Open, Place, Reach, When};
use std::fs;
use std::os::unix::fs::symlink;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use tempfile::TempDir;

const READ: Open = Open {
    read: true,
    write: false,
    append: false,
    truncate: false,
    create: false,
    exclusive: false,
    directory: false,
    mode: 0,
};
const CREATE: Open = Open { read: false, write: true, create: true, mode: 0o644, ..READ };

/// `work/` is the current directory, beside `secret` and `outside/secret`; `root/` is a system root.
struct Scene {
    base: TempDir,
}

impl Scene {
    fn new() -> Scene {
        let base = TempDir::new().unwrap();
        for directory in ["work/inner", "outside", "root/lib", "root/etc"] {
            fs::create_dir_all(base.path().join(directory)).unwrap();
        }
        for secret in ["secret", "outside/secret"] {
            fs::write(base.path().join(secret), "secret").unwrap();
        }
        fs::write(base.path().join("work/own"), "own").unwrap();
        fs::write(base.path().join("root/lib/libc.so"), "libc").unwrap();
        Scene { base }
    }

    fn path(&self, below: &str) -> PathBuf {
        fs::canonicalize(self.base.path()).unwrap().join(below)
    }

    fn absolute(&self, below: &str) -> Vec<u8> {
        self.path(below).to_str().unwrap().as_bytes().to_vec()
    }

    fn files(&self, reach: Reach) -> Files {
        Files::new(reach, &self.path("work"), &[&self.path("root")]).unwrap().reserve(&["proc", "dev"])
    }

    fn link(&self, target: impl AsRef<Path>, name: &str) {
        symlink(target, self.path("work").join(name)).unwrap();
    }
}

fn text(files: &Files, path: impl AsRef<[u8]>) -> Result<String, Errno> {
    let bytes = files.open(path.as_ref(), &READ)?.read_at(0, 100)?;
    Ok(String::from_utf8(bytes).unwrap())
}

fn write(files: &Files, path: impl AsRef<[u8]>) -> Result<(), Errno> {
    files.open(path.as_ref(), &CREATE)?.write_at(0, b"written").map(|_| ())
}

#[test]
fn the_current_directory_is_reached_by_either_kind_of_path() {
    let scene = Scene::new();
    let files = scene.files(Reach::Cwd);
    assert_eq!(text(&files, "own").unwrap(), "own");
    assert_eq!(text(&files, "./inner/../own").unwrap(), "own");
    assert_eq!(text(&files, "../work/own").unwrap(), "own");
    assert_eq!(text(&files, scene.absolute("work/own")).unwrap(), "own");
    write(&files, scene.absolute("work/inner/new")).unwrap();
    assert_eq!(fs::read_to_string(scene.path("work/inner/new")).unwrap(), "written");
}

#[test]
fn names_that_lead_out_are_refused() {
    let scene = Scene::new();
    let files = scene.files(Reach::Cwd);
    for path in ["../secret", "inner/../../secret", "../outside/secret", "../work/../secret"] {
        assert_eq!(text(&files, path), Err(Errno::EACCES), "{path}");
        assert_eq!(write(&files, path), Err(Errno::EACCES), "{path}");
    }
    let absolute = scene.absolute("secret");
    assert_eq!(text(&files, &absolute), Err(Errno::EACCES));
    assert_eq!(write(&files, &absolute), Err(Errno::EACCES));
    // A program does not learn whether a file out of reach exists.
    assert_eq!(files.metadata(&scene.absolute("nothing")), Err(Errno::EACCES));
    assert_eq!(files.remove(&absolute), Err(Errno::EACCES));
    assert_eq!(files.rename(b"own", &absolute), Err(Errno::EACCES));
    assert_eq!(files.rename(b"own", b"../own"), Err(Errno::EACCES));
    assert_eq!(fs::read_to_string(scene.path("secret")).unwrap(), "secret");
}

#[test]
fn links_that_lead_out_are_refused() {
    let scene = Scene::new();
    scene.link("../secret", "up");
    scene.link(scene.path("secret"), "absolute");
    scene.link("../outside", "directory");
    scene.link("up", "twice");
    scene.link("/proc/self/cwd/../secret", "magic");
    scene.link("../not-there", "dangling");
    let files = scene.files(Reach::Cwd);
    for path in ["up", "absolute", "directory/secret", "twice", "dangling"] {
        assert_eq!(text(&files, path), Err(Errno::EACCES), "{path}");
        assert_eq!(write(&files, path), Err(Errno::EACCES), "{path}");
    }
    assert_eq!(text(&files, "magic"), Err(Errno::ENOENT));
    assert!(!scene.path("not-there").exists());
    // Symbolic links inside the current directory are within reach: a program may read, rename and remove the links.
    let up = files.locate(b"up", Last::Itself).unwrap();
    assert_eq!(up.metadata().unwrap().kind, Kind::Link);
    assert_eq!(up.read_link().unwrap(), b"../secret");
    files.remove(b"up").unwrap();
    assert_eq!(fs::read_to_string(scene.path("secret")).unwrap(), "secret");
}

#[test]
fn links_that_stay_inside_are_followed() {
    let scene = Scene::new();
    scene.link("inner/../own", "own-by-link");
    scene.link(scene.path("work/own"), "own-by-absolute-link");
    scene.link("/lib/libc.so", "libc");
    scene.link("../work/inner", "around");
    let files = scene.files(Reach::Cwd);
    assert_eq!(text(&files, "own-by-link").unwrap(), "own");
    assert_eq!(text(&files, "own-by-absolute-link").unwrap(), "own");
    assert_eq!(text(&files, "libc").unwrap(), "libc");
    write(&files, "around/new").unwrap();
    assert!(scene.path("work/inner/new").exists());
}

#[test]
fn system_roots_are_found_first_and_read_only() {
    let scene = Scene::new();
    let files = scene.files(Reach::All);
    assert_eq!(text(&files, "/lib/libc.so").unwrap(), "libc");
    assert_eq!(write(&files, "/lib/libc.so"), Err(Errno::EROFS));
    assert_eq!(files.remove(b"/lib/libc.so"), Err(Errno::EROFS));
    assert_eq!(files.rename(b"/lib/libc.so", b"/lib/other"), Err(Errno::EROFS));
    let there = |path: &[u8]| files.locate(path, Last::Name);
    let (libc, new) = (there(b"/lib/libc.so").unwrap(), there(b"new").unwrap());
    assert_eq!(libc.create_name(&new), Err(Errno::EXDEV));
    assert_eq!(libc.set_permissions(0o777), Err(Errno::EROFS));
    assert_eq!(libc.set_times(Some(When::Now), None), Err(Errno::EROFS));
    let open = libc.open(&READ).unwrap().unwrap();
    assert_eq!(open.set_permissions(0o777), Err(Errno::EROFS));
    assert_eq!(open.set_times(Some(When::Now), None), Err(Errno::EROFS));
    assert_eq!(libc.access(Access { write: true, ..Access::default() }), Err(Errno::EROFS));
    assert_eq!(libc.access(Access { read: true, ..Access::default() }), Ok(()));
    // A system root below the current directory is read only, too.
    let inside = Files::new(Reach::Cwd, &scene.path(""), &[&scene.path("root")]).unwrap();
    assert_eq!(write(&inside, "root/lib/libc.so"), Err(Errno::EROFS));
    assert_eq!(write(&inside, "root/new"), Err(Errno::EROFS));
    write(&inside, "outside/new").unwrap();
}

#[test]
fn a_system_root_hides_what_has_the_same_name_here() {
    let scene = Scene::new();
    fs::create_dir(scene.path("root/usr")).unwrap();
    symlink("/lib", scene.path("root/usr/lib")).unwrap();
    symlink("../../../../lib/libc.so", scene.path("root/etc/far")).unwrap();
    let files = scene.files(Reach::Cwd);
    // Absolute links start at the program's `/`, and no path leads above it.
    assert_eq!(text(&files, "/usr/lib/libc.so").unwrap(), "libc");
    assert_eq!(text(&files, "/etc/far").unwrap(), "libc");
    assert_eq!(text(&files, "/../../lib/libc.so").unwrap(), "libc");
    assert_eq!(text(&files, "/etc/hostname"), Err(Errno::ENOENT));
    assert_eq!(text(&files, "/boot/none"), Err(Errno::EACCES));
}

#[test]
fn without_files_nothing_is_there() {
    let scene = Scene::new();
    let files = Files::new(Reach::None, &scene.path("work"), &[]).unwrap();
    for path in [b"own".to_vec(), b"/etc/passwd".to_vec(), scene.absolute("work/own")] {
        assert_eq!(text(&files, &path), Err(Errno::EACCES));
        assert_eq!(write(&files, &path), Err(Errno::EACCES));
    }
    assert_eq!(files.metadata(b"/").unwrap().kind, Kind::Directory);
    assert_eq!(files.here().path(), b"/");
}

#[test]
fn all_is_what_the_user_may() {
    let scene = Scene::new();
    let files = scene.files(Reach::All);
    assert_eq!(text(&files, "own").unwrap(), "own");
    assert_eq!(text(&files, "../secret").unwrap(), "secret");
    write(&files, scene.absolute("outside/new")).unwrap();
    let plain = Files::new(Reach::All, &scene.path("work"), &[]).unwrap();
    assert_eq!(plain.open(b"/dev/zero", &READ).unwrap().read_at(0, 5).unwrap(), [0; 5]);
    assert_eq!(plain.open(b"/dev/zero", &READ).unwrap().read_at(0, usize::MAX).unwrap().len(), files::READ_BYTES_MAX);
}

#[test]
fn reserved_names_are_the_machines() {
    let scene = Scene::new();
    scene.link("/proc/self/fd/3", "descriptor");
    symlink("../proc/mounts", scene.path("root/etc/mtab")).unwrap();
    let files = scene.files(Reach::All);
    let machine = |path: &str| match files.resolve(files.here(), path.as_bytes(), Last::Target).unwrap() {
        Place::Machine(path) => String::from_utf8(path).unwrap(),
        Place::Here(location) => panic!("{location:?}"),
    };
    assert_eq!(machine("/proc/self/fd/3"), "/proc/self/fd/3");
    assert_eq!(machine("descriptor"), "/proc/self/fd/3");
    assert_eq!(machine("/etc/mtab"), "/proc/mounts");
    assert_eq!(machine("/lib/../dev/./null"), "/dev/null");
    assert_eq!(machine("/proc/self/../../dev/null"), "/dev/null");
    assert_eq!(text(&files, "/proc/../lib/libc.so").unwrap(), "libc");
}

#[test]
fn a_current_directory_below_a_reserved_name_is_still_the_users() {
    let scene = Scene::new();
    let top = scene.path("").iter().nth(1).unwrap().to_str().unwrap().to_string();
    let files = Files::new(Reach::Cwd, &scene.path("work"), &[]).unwrap().reserve(&[&top]);
    let place = |path: &[u8]| files.resolve(files.here(), path, Last::Target).unwrap();
    assert_eq!(text(&files, scene.absolute("work/own")).unwrap(), "own");
    assert!(matches!(place(&scene.absolute("work")), Place::Here(_)));
    assert!(matches!(place(format!("/{top}").as_bytes()), Place::Machine(_)));
    assert!(matches!(place(&scene.absolute("secret")), Place::Machine(_)));
    assert!(matches!(place(b"../secret"), Place::Machine(_)));
}

#[test]
fn pipes_sockets_and_devices_are_not_opened() {
    let scene = Scene::new();
    let pipe = scene.path("work/pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let _socket = std::os::unix::net::UnixListener::bind(scene.path("work/socket")).unwrap();
    let files = scene.files(Reach::All);
    for path in ["pipe", "socket"] {
        assert_eq!(text(&files, path), Err(Errno::ENXIO), "{path}");
        assert_eq!(write(&files, path), Err(Errno::ENXIO), "{path}");
    }
    assert!(files::read_whole(&pipe, 100).unwrap_err().to_string().contains("regular file"));
}

/// Another thread repeatedly replaces a directory by a link that points out of reach, and then restores the directory.
#[test]
fn a_link_swapped_in_meanwhile_leads_nowhere() {
    let scene = Scene::new();
    let (name, aside) = (scene.path("work/swapped"), scene.path("work/aside"));
    fs::create_dir(&name).unwrap();
    fs::write(name.join("secret"), "own").unwrap();
    let files = scene.files(Reach::Cwd);
    let done = AtomicBool::new(false);
    let mut seen = Vec::new();
    std::thread::scope(|scope| {
        scope.spawn(|| {
            while !done.load(Ordering::Relaxed) {
                fs::rename(&name, &aside).unwrap();
                symlink("../outside", &name).unwrap();
                fs::remove_file(&name).unwrap();
                fs::rename(&aside, &name).unwrap();
            }
        });
        for _ in 0..20_000 {
            seen.push(text(&files, "swapped/secret"));
            let _ = write(&files, "swapped/new");
        }
        done.store(true, Ordering::Relaxed);
    });
    seen.sort();
    seen.dedup();
    let refused = [Errno::ENOENT, Errno::EACCES, Errno::ENOTDIR, Errno::ELOOP];
    assert!(seen.contains(&Ok("own".to_string())));
    for what in seen {
        assert!(what.as_ref().map_or_else(|errno| refused.contains(errno), |text| text == "own"), "{what:?}");
    }
    assert!(!scene.path("outside/new").exists());
}

#[test]
fn links_in_circles_end() {
    let scene = Scene::new();
    scene.link("round", "round");
    scene.link(scene.path("work/b"), "a");
    scene.link(scene.path("work/a"), "b");
    scene.link("long/long", "long");
    let files = scene.files(Reach::Cwd);
    for path in ["round", "a", "long", "round/x"] {
        let error = text(&files, path).unwrap_err();
        assert!([Errno::ELOOP, Errno::ENAMETOOLONG].contains(&error), "{path}: {error}");
    }
    let mut chain = "own".to_string();
    for n in 0..41 {
        let name = format!("chain{n}");
        scene.link(&chain, &name);
        chain = name;
    }
    assert_eq!(text(&files, "chain39").unwrap(), "own");
    assert_eq!(text(&files, "chain40"), Err(Errno::ELOOP));
}
