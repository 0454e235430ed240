//! The plugins that have received the values of an event.

use core::sync::atomic::{AtomicUsize, Ordering::Relaxed};

/// The substrate plugins that have received the values of an event, by their functions. One event
/// can be followed by others at the same time, for which nothing is read.
#[derive(Debug, Default)]
pub(crate) struct Served([AtomicUsize; 4]);

impl Served {
    /// Returns whether a plugin asks for the first time. The plugins for which there is no room
    /// receive nothing.
    pub(crate) fn is_first(&self, writer: usize) -> bool {
        for place in &self.0 {
            match place.load(Relaxed) {
                0 => {
                    place.store(writer, Relaxed);
                    return true;
                }
                known if known == writer => return false,
                _ => {}
            }
        }
        false
    }

    pub(crate) fn forget(&self) {
        self.0.iter().for_each(|place| place.store(0, Relaxed));
    }
}

#[cfg(test)]
mod tests {
    use super::Served;

    #[test]
    fn a_plugin_receives_the_values_of_an_event_once() {
        let served = Served::default();
        assert_eq!([1, 2, 1, 2, 3].map(|writer| served.is_first(writer)), [true, true, false, false, true]);
        served.forget();
        assert!(served.is_first(2) && !served.is_first(2));
    }
}
