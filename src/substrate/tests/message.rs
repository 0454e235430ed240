//! Messages consist of one line of limited length, whatever their text.

use std::fmt::{self, Display};

use kymo_substrate::{MESSAGE_MAX, Message};

#[test]
fn prefix_and_text() {
    assert_eq!(Message::new("kymo", format_args!("{} of {}", 3, "four")).text(), "kymo: 3 of four");
}

#[test]
fn control_characters_become_spaces() {
    assert_eq!(Message::new("kymo", format_args!("a\nb\tc\u{7}d\u{85}e")).text(), "kymo: a b c d e");
}

#[test]
fn long_text_is_truncated_between_characters() {
    for prefix in ["k", "ky", "kym"] {
        let message = Message::new(prefix, format_args!("{}x", "é".repeat(MESSAGE_MAX)));
        let text = message.text();
        assert!(text.len() == MESSAGE_MAX || text.len() == MESSAGE_MAX - 1, "{} bytes", text.len());
        assert!(text.ends_with('é'));
    }
}

#[test]
fn a_failing_argument_keeps_the_text_before_it() {
    struct Fails;

    impl Display for Fails {
        fn fmt(&self, _: &mut fmt::Formatter<'_>) -> fmt::Result {
            Err(fmt::Error)
        }
    }

    assert_eq!(Message::new("kymo", format_args!("before {Fails} after")).text(), "kymo: before ");
}
