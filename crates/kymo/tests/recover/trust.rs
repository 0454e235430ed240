//! How far notes and files found nearby are trusted, and which files `--clean` removes.

use std::fs;
use std::os::unix::fs::{MetadataExt, chown, symlink};
use std::process::Command;

use super::run::{Run, calls, process};
use kymo_recorder_testing::scratch::{Scratch, stream};

const FILE: &str = "shm/kymo-0-4000000-3e8.scratch";

fn one(run: &Run) -> Scratch {
    let scratch = process(0, 1, &stream(&calls(1000, 100)));
    run.rank(&scratch, 0, 1);
    scratch
}

/// Gives a file to another user, if that is permitted.
fn give_away(run: &Run, name: &str) -> bool {
    let given = chown(run.path(name), Some(12_345), None).is_ok();
    if !given {
        kymo_testdata::missing("the right to give files to other users (root)");
    }
    given
}

/// It was used and removed.
#[test]
fn a_scratch_file_of_another_user_is_neither_used_nor_removed() {
    let run = Run::new();
    one(&run);
    if !give_away(&run, FILE) {
        return;
    }
    run.recover(&["exp", "--clean"])
        .ends(4)
        .reports("kymo-0-4000000-3e8.scratch belongs to user 12345: to use it, give it as an argument");
    assert!(run.path(FILE).exists() && run.path("exp/kymo/recovery/0.note").exists());
    assert!(!run.path("exp-recovered").exists());
    // A file found through another option is no more trusted.
    run.recover(&["exp", "--scratch", "shm"]).ends(4);
    run.recover(&["exp", FILE]).ends(0).reports("100 events kept");
}

/// It was followed.
#[test]
fn a_link_in_place_of_a_scratch_file_is_not_followed() {
    let run = Run::new();
    one(&run);
    fs::rename(run.path(FILE), run.path("shm/another")).unwrap();
    symlink(run.path("shm/another"), run.path(FILE)).unwrap();
    run.recover(&["exp", "--clean"]).ends(4).reports("kymo-0-4000000-3e8.scratch is not a regular file");
    fs::remove_file(run.path(FILE)).unwrap();
    fs::hard_link(run.path("shm/another"), run.path(FILE)).unwrap();
    run.recover(&["exp", "--clean"]).ends(4).reports("kymo-0-4000000-3e8.scratch has 2 hard links");
    assert!(run.path(FILE).exists() && run.path("shm/another").exists());
}

/// It was trusted.
#[test]
fn a_note_of_another_node_or_boot_or_process_is_not_trusted() {
    let changes: [fn(&mut Scratch); 4] = [
        |it| it.node = "elsewhere".into(),
        |it| it.boot = "twice".into(),
        |it| it.process += 1,
        |it| it.started += 1,
    ];
    for change in changes {
        let run = Run::new();
        let mut scratch = one(&run);
        change(&mut scratch);
        let path = run.path(FILE);
        run.write("exp/kymo/recovery/0.note", scratch.note_text(path.to_str().unwrap(), 0, 1));
        run.recover(&["exp", "--clean"])
            .ends(4)
            .reports("kymo-0-4000000-3e8.scratch belongs to another process");
        // A note with fewer fields is not trusted either.
        run.write("exp/kymo/recovery/0.note", format!("scratch={}\n", path.display()));
        run.recover(&["exp", "--clean"])
            .ends(4)
            .reports("kymo-0-4000000-3e8.scratch belongs to another process");
        assert!(path.exists());
    }
}

/// It was removed, although it belongs to the original.
#[test]
fn the_scratch_file_of_a_copied_directory_is_kept() {
    let run = Run::new();
    let mut scratch = process(0, 1, &stream(&calls(1000, 100)));
    scratch.directory = run.path("exp/kymo").to_str().unwrap().to_owned();
    run.rank(&scratch, 0, 1);
    let copied = Command::new("cp").arg("-r").args([run.path("exp"), run.path("copy")]).status().unwrap();
    assert!(copied.success());
    run.recover(&["copy", "--clean"]).ends(0).reports("kymo-0-4000000-3e8.scratch is kept: it belongs to ");
    assert!(run.path(FILE).exists() && !run.path("copy/kymo/recovery").exists());
    run.recover(&["exp", "--clean"]).ends(0);
    assert!(!run.path(FILE).exists() && !run.path("exp/kymo/recovery").exists());
}

/// It was followed.
#[test]
fn clean_does_not_follow_a_link_in_place_of_the_folder() {
    let run = Run::new();
    one(&run);
    run.recover(&["exp", "-o", "done/kymo"]).ends(0);
    fs::create_dir(run.path("other")).unwrap();
    for name in ["7.note", "7.journal", "7.locations"] {
        run.write(&format!("other/{name}"), "of another run");
    }
    symlink(run.path("other"), run.path("done/kymo/recovery")).unwrap();
    run.recover(&["done", "--clean"]).ends(0);
    assert_eq!(run.files("other").len(), 3);
}

/// They were removed.
#[test]
fn clean_keeps_files_of_other_users() {
    let run = Run::new();
    one(&run);
    run.write("exp/kymo/recovery/5.journal", "of another user");
    if !give_away(&run, "exp/kymo/recovery/5.journal") {
        return;
    }
    run.recover(&["exp", "--clean"]).ends(0);
    assert_eq!(fs::metadata(run.path("exp/kymo/recovery/5.journal")).unwrap().uid(), 12_345);
    assert!(!run.path("exp/kymo/recovery/0.note").exists() && !run.path(FILE).exists());
}
