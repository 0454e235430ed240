//! Tests of the writer: reads back written traces.

use kymo_tau::{Error, Item, Reader, Writer};
use kymo_tau_testing::traces::{MAIN, START};
use tempfile::TempDir;

fn definitions(define: impl FnOnce(&mut Writer)) -> Vec<(Vec<u8>, Vec<u8>)> {
    let folder = TempDir::new().expect("a folder");
    let (trace, event_file) = (folder.path().join("tau.trc"), folder.path().join("tau.edf"));
    let mut writer = Writer::create(&trace, &event_file).expect("a writer");
    define(&mut writer);
    writer.enter(START, MAIN, 1).expect("room");
    writer.finish().expect("room");
    let mut reader = Reader::open(&trace, &event_file).expect("a reader");
    let items: Vec<Item> = reader.items().collect::<Result<_, Error>>().expect("no error");
    assert!(items.iter().all(|item| !matches!(item, Item::Complaint(_))), "{items:?}");
    let named = items.into_iter().filter_map(|item| match item {
        Item::State { name, group_name, .. } => Some((name, group_name)),
        Item::UserEvent { name, .. } => Some((name, Vec::new())),
        _ => None,
    });
    named.collect()
}

/// Non-UTF-8 bytes once became question marks.
#[test]
fn names_that_are_not_utf_8_are_unchanged() {
    let found = definitions(|writer| {
        writer.define_group(1, b"gr\xf6\xdfe");
        writer.define_state(1, b"l\xf6se", 1);
        writer.define_user_event(2, b"z\xe4hler", 0);
    });
    let expected: [(&[u8], &[u8]); 2] = [(b"l\xf6se", b"gr\xf6\xdfe"), (b"z\xe4hler", b"")];
    assert_eq!(found, expected.map(|(name, group)| (name.to_vec(), group.to_vec())));
}

/// A line without the word for the group would be unreadable.
#[test]
fn a_group_with_an_empty_name_is_treated_as_unnamed() {
    let found = definitions(|writer| {
        writer.define_group(1, "");
        writer.define_state(1, "main", 1);
    });
    assert_eq!(found, [(b"main".to_vec(), b"GROUP_1".to_vec())]);
}
