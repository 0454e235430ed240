//! Reading the events of an archive: location by location, in the order of time, on several
//! threads. [`reading_tables`](crate::reading_tables) measures it.
//!
//! Both readers compute the same checksum over time, location and one field of every event, in the
//! order of reading.

use crate::Result;
use crate::measure::{Sample, process_cpu, resident};
use kymo_otf2::events::Event;
use kymo_otf2::read::{Archive, Events, InOrder, LocationReader, TimedRecord};
use std::hint::black_box;
use std::path::Path;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Instant;

/// A checksum that depends on the order of its values.
#[derive(Debug, Default)]
pub(crate) struct Sum(pub(crate) u64);

impl Sum {
    #[inline(always)]
    pub(crate) fn add(&mut self, location: u64, time: u64, value: u64) {
        self.0 = self.0.wrapping_mul(31).wrapping_add(time ^ value << 32 ^ location);
    }

    #[inline(always)]
    fn event(&mut self, location: u64, event: &TimedRecord<'_, Event<'_>>) {
        let value = match event.record {
            Event::Enter(enter) => enter.region.0.into(),
            Event::Leave(leave) => leave.region.0.into(),
            Event::CallingContextEnter(enter) => enter.calling_context.0.into(),
            Event::CallingContextLeave(leave) => leave.calling_context.0.into(),
            Event::MpiSend(send) => send.msg_length,
            Event::MpiRecv(receive) => receive.msg_length,
            Event::Metric(metric) => metric.metric_values.iter().next().map_or(0, |value| value.bits),
            _ => return,
        };
        self.add(location, event.time, value);
    }
}

/// A function that is called for each event.
type Callback = fn(&mut Sum, u64, &TimedRecord<'_, Event<'_>>);

/// Returns the callback as a function whose address the compiler does not know.
fn callback() -> Callback {
    black_box(|sum, location, event| sum.event(location, event))
}

type Opened = kymo_otf2::Result<u64>;

/// Reads location by location; returns the time after opening them.
fn by_location(
    archive: &Archive,
    mut read: impl FnMut(&mut LocationReader<Events>) -> kymo_otf2::Result<()>,
) -> Opened {
    let locations = archive.locations()?;
    let readers = locations.iter().map(|&location| archive.events(location));
    let readers: Vec<_> = readers.collect::<kymo_otf2::Result<_>>()?;
    let opened = process_cpu();
    readers.into_iter().try_for_each(|mut reader| read(&mut reader))?;
    Ok(opened)
}

/// Reads in the order of time; returns the time after opening all locations.
fn in_order(archive: &Archive, read: impl FnOnce(&mut InOrder<Events>) -> kymo_otf2::Result<()>) -> Opened {
    let mut events = archive.events_in_order(&archive.locations()?)?;
    let opened = process_cpu();
    read(&mut events)?;
    Ok(opened)
}

/// Reads an archive in one of the ways.
pub(crate) fn child(way: &str, anchor: &Path) -> Result<Sample> {
    let began = process_cpu();
    let archive = Archive::open(anchor)?;
    let (mut sum, callback) = (Sum::default(), callback());
    let opened = match way {
        "local-visitor" => by_location(&archive, |events| {
            let location = events.location();
            events.each(|event| {
                sum.event(location, event);
                Ok(())
            })
        }),
        "local-callback" => by_location(&archive, |events| {
            let location = events.location();
            events.each(|event| {
                callback(&mut sum, location, event);
                Ok(())
            })
        }),
        "local-next" => by_location(&archive, |events| {
            let location = events.location();
            while let Some(event) = events.next()? {
                sum.event(location, &event);
            }
            Ok(())
        }),
        "global-visitor" => in_order(&archive, |events| {
            events.each(|location, event| {
                sum.event(location, event);
                Ok(())
            })
        }),
        "global-callback" => in_order(&archive, |events| {
            events.each(|location, event| {
                callback(&mut sum, location, event);
                Ok(())
            })
        }),
        "global-next" => in_order(&archive, |events| {
            while let Some((location, event)) = events.next()? {
                sum.event(location, &event);
            }
            Ok(())
        }),
        other => return Err(format!("there is no way `{other}` to read").into()),
    }?;
    let read = process_cpu() - opened;
    Ok(Sample { recorded: read, total: process_cpu() - began, bytes: sum.0, memory: resident() })
}

/// Reads the locations of an archive on `threads` threads, each of which takes the next location.
/// Returns the nanoseconds on the clock, and those of CPU.
pub(crate) fn threads(threads: usize, anchor: &Path) -> Result<Sample> {
    let archive = Archive::open(anchor)?;
    let locations = archive.locations()?;
    let next = AtomicUsize::new(0);
    let read = || -> kymo_otf2::Result<u64> {
        let mut all = 0_u64;
        while let Some(&location) = locations.get(next.fetch_add(1, Ordering::Relaxed)) {
            let mut sum = Sum::default();
            archive.events(location)?.each(|event| {
                sum.event(location, event);
                Ok::<_, kymo_otf2::Error>(())
            })?;
            all = all.wrapping_add(sum.0);
        }
        Ok(all)
    };
    let (began, cpu) = (Instant::now(), process_cpu());
    let sums: Vec<_> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..threads).map(|_| scope.spawn(read)).collect();
        threads.into_iter().map(|thread| thread.join().map_err(|_| "a thread panicked")).collect()
    });
    let (wall, cpu) = (began.elapsed().as_nanos() as u64, process_cpu() - cpu);
    let sums: kymo_otf2::Result<Vec<u64>> =
        sums.into_iter().collect::<std::result::Result<Vec<_>, _>>()?.into_iter().collect();
    let bytes = sums?.into_iter().fold(0, u64::wrapping_add);
    Ok(Sample { recorded: wall, total: cpu, bytes, memory: resident() })
}
