//! Where the unwind distance of a record is stored.

use crate::control;

const ENTER: u8 = 66;
const SAMPLE: u8 = 68;
/// The length that a record has if its length is in the following eight bytes.
const LONG: u8 = u8::MAX;

/// Returns the index of the byte with the unwind distance in the bytes of a record of a calling
/// context, which begin at its [`offset`](super::TimedRecord::offset). Returns `None` if there is
/// none, or if the distance is not stored in one byte: if it is 0, undefined, or above 255.
pub fn unwind_distance_at(record: &[u8]) -> Option<usize> {
    let mut at = 0;
    loop {
        match *record.get(at)? {
            control::TIMESTAMP => at += control::TIMESTAMP_LEN,
            control::ATTRIBUTE_LIST => {
                let (length, data) = length(record, at)?;
                at = data.checked_add(length)?;
            }
            ENTER | SAMPLE => break,
            _ => return None,
        }
    }
    let (_, data) = length(record, at)?;
    let context = *record.get(data)?;
    // Undefined ids and ids above are no bytes of their own.
    let bytes = if usize::from(context) <= size_of::<u32>() { usize::from(context) } else { 0 };
    let distance = data + 1 + bytes;
    (*record.get(distance)? == 1).then_some(distance + 1)
}

/// Returns the length of the data of the record that begins at `at`, and where they begin.
fn length(record: &[u8], at: usize) -> Option<(usize, usize)> {
    match *record.get(at + 1)? {
        LONG => {
            let bytes = *record.get(at + 2..)?.first_chunk()?;
            Some((usize::try_from(u64::from_ne_bytes(bytes)).ok()?, at + 10))
        }
        length => Some((length.into(), at + 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::unwind_distance_at;
    use crate::attributes::Attribute;
    use crate::events::{CallingContextEnter, CallingContextSample, Leave};
    use crate::references::{AttributeRef, CallingContextRef, InterruptGeneratorRef, RegionRef};
    use crate::storage::{Memory, Storage};
    use crate::write::{EventWriter, StoragePieces};
    use crate::{FileName, read};

    #[test]
    fn distances_of_samples_and_enters_are_found_behind_times_and_attributes() {
        let (memory, file) = (Memory::new(), FileName::Events(0));
        memory.create().unwrap();
        let mut writer = EventWriter::new(StoragePieces::new(&memory, file, 1 << 16), 1 << 18).unwrap();
        let sample = |context, unwind_distance| CallingContextSample {
            calling_context: CallingContextRef(context),
            unwind_distance,
            interrupt_generator: InterruptGeneratorRef(0),
        };
        let enter = CallingContextEnter { calling_context: CallingContextRef(70_000), unwind_distance: 3 };
        let attribute = Attribute::new(AttributeRef(1), 5_u64);
        writer.record(1, &sample(0, 7)).unwrap();
        writer.record(1, &sample(300, 255)).unwrap();
        writer.record_with(2, &[attribute], &enter).unwrap();
        writer.record(3, &Leave { region: RegionRef(1) }).unwrap();
        writer.record(4, &sample(u32::MAX, 256)).unwrap();
        writer.finish().unwrap();
        let mut bytes = memory.read(file).unwrap();
        let offsets: Vec<u64> =
            read::events(&bytes, 1 << 18).unwrap().map(|event| event.unwrap().offset).collect();
        let at = |number: usize| {
            let offset = offsets[number] as usize;
            Some(offset + unwind_distance_at(&bytes[offset..])?)
        };
        let places = [0, 1, 2, 3, 4].map(at);
        assert_eq!([0, 1, 2].map(|number: usize| bytes[places[number].unwrap()]), [7, 255, 3]);
        assert_eq!(places[3..], [None, None]);
        bytes[places[2].unwrap()] = 9;
        let events = read::events(&bytes, 1 << 18).unwrap().map(|event| event.unwrap().record);
        let enter = CallingContextEnter { unwind_distance: 9, ..enter };
        assert_eq!(events.collect::<Vec<_>>()[2], enter.into());
    }
}
