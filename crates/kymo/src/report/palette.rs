//! The order of regions, and their colours, which are those of the page
//! (`crates/viewer/src/colours.js`): a class has a colour, and its regions have shades of it.

use super::add;
use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use kymo_analysis::overview::Overview;
use kymo_analysis::{Class, Trace};
use kymo_otf2::references::RegionRef;

/// A bucket outside all calls.
pub(crate) const OUTSIDE: u16 = u16::MAX;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// The number of regions of a class that have colours of their own.
const SHADES: usize = 4;

/// The colours of the classes of [`Class::ALL`], in shades for their regions. Colours of different
/// classes stay apart under protanopia, deuteranopia and tritanopia.
const CLASS_SHADES: [[Colour; SHADES]; 8] = [
    [[0x46, 0x60, 0xf3], [0x36, 0x49, 0xba], [0x57, 0x66, 0xbf], [0x60, 0x79, 0xff]],
    [[0xd3, 0x77, 0x32], [0xb8, 0x85, 0x5f], [0xc3, 0x68, 0x21], [0xb6, 0x76, 0x45]],
    [[0xfa, 0xcb, 0x39], [0xd3, 0xb9, 0x6a], [0xde, 0xb2, 0x2b], [0xf2, 0xe0, 0xa7]],
    [[0xa6, 0x9e, 0xc7], [0x97, 0x93, 0xa7], [0xb7, 0xb1, 0xcb], [0x8a, 0x82, 0xa9]],
    [[0x89, 0x4b, 0x73], [0x70, 0x3b, 0x5e], [0x6d, 0x50, 0x62], [0x95, 0x59, 0x80]],
    [[0x4f, 0xc3, 0x9c], [0x7d, 0xce, 0xb3], [0x5a, 0x8d, 0x7c], [0x60, 0xab, 0x92]],
    [[0x2f, 0x59, 0x1f], [0x42, 0x5d, 0x38], [0x58, 0x6b, 0x50], [0x23, 0x49, 0x16]],
    [[0x28, 0x00, 0x48], [0x3b, 0x10, 0x5e], [0x1a, 0x00, 0x2f], [0x4b, 0x25, 0x6a]],
];
const _: () = assert!(CLASS_SHADES.len() == Class::ALL.len());

/// The regions, those with most exclusive time first.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) regions: Vec<RegionRef>,
    /// The classes in which they spend most time, as places in [`Class::ALL`], and their colours.
    classes: Vec<usize>,
    colours: Vec<Colour>,
    places: HashMap<RegionRef, usize>,
}

impl Palette {
    pub(crate) fn of(trace: &Trace, overview: &Overview) -> Self {
        let contexts = &overview.contexts;
        let mut by_context = vec![0; contexts.len()];
        for entry in overview.lanes.iter().flat_map(|(_, lane)| &lane.entries) {
            add(&mut by_context[entry.context.index()], entry.exclusive);
        }
        let of_contexts = Class::of_contexts(trace, contexts);
        let mut times = BTreeMap::<RegionRef, u64>::new();
        let mut times_by_class = HashMap::<RegionRef, BTreeMap<Class, u64>>::new();
        for context in contexts.iter() {
            let (region, time) = (contexts.region(context), by_context[context.index()]);
            add(times.entry(region).or_default(), time);
            let by_class = times_by_class.entry(region).or_default();
            add(by_class.entry(of_contexts[context.index()]).or_default(), time);
        }
        // A function that samples have found belongs to the calls around it.
        let class = |region: &RegionRef| {
            let by_class = times_by_class.get(region).into_iter().flatten();
            let most = by_class.max_by_key(|(class, time)| (**time, Reverse(**class)));
            most.map_or_else(|| Class::of(trace, *region), |(class, _)| *class) as usize
        };
        let mut regions: Vec<_> = times.keys().copied().collect();
        regions.sort_by_key(|it| Reverse(times[it]));
        let places = regions.iter().enumerate().map(|(place, region)| (*region, place)).collect();
        let classes: Vec<_> = regions.iter().map(class).collect();
        let mut used = [0; Class::ALL.len()];
        let mut colour = |class: &usize| {
            used[*class] += 1;
            CLASS_SHADES[*class][(used[*class] - 1) % SHADES]
        };
        let colours = classes.iter().map(&mut colour).collect();
        Self { regions, classes, colours, places }
    }

    /// Returns the class in which the region at a place spends most of its time, as a place in
    /// [`Class::ALL`].
    pub(crate) fn class(&self, place: usize) -> usize {
        self.classes.get(place).copied().unwrap_or(0)
    }

    /// Returns the colour of the region at a place: that of its class, in a shade of its own.
    pub(crate) fn colour(&self, place: usize) -> Colour {
        self.colours.get(place).copied().unwrap_or([0x80; 3])
    }

    /// Returns the classes that occur, as places in [`Class::ALL`], each with the places of its
    /// regions.
    pub(crate) fn classes(&self) -> BTreeMap<usize, Vec<usize>> {
        let mut classes = BTreeMap::<_, Vec<_>>::new();
        for (place, class) in self.classes.iter().enumerate() {
            classes.entry(*class).or_default().push(place);
        }
        classes
    }

    /// Returns the place of a region in 16 bits; the last one is that of all others.
    pub(crate) fn short(&self, region: RegionRef) -> u16 {
        let place = self.places.get(&region).copied();
        place.map_or(OUTSIDE, |place| place.min(usize::from(OUTSIDE) - 1) as u16)
    }

    /// Returns the place of a region, 0 if it has none.
    pub(crate) fn place(&self, region: RegionRef) -> usize {
        self.places.get(&region).copied().unwrap_or(0)
    }
}

/// Returns the colour of a class.
pub(crate) fn class_colour(class: usize) -> Colour {
    CLASS_SHADES[class][0]
}

/// Returns a mix of two colours, of which the second has a part of 0 to 1.
pub(crate) fn mixed(one: Colour, other: Colour, part: f64) -> Colour {
    let mix =
        |at: usize| (f64::from(one[at]) + (f64::from(other[at]) - f64::from(one[at])) * part).round() as u8;
    [mix(0), mix(1), mix(2)]
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn colours_are_those_of_the_page() {
        let script = include_str!("../../../viewer/src/colours.js");
        let list = script.split("CLASS_SHADES = [").nth(1).unwrap().split("];").next().unwrap();
        let written: Vec<_> = list.split('"').filter(|it| it.starts_with('#')).collect();
        let own = CLASS_SHADES.as_flattened().iter().map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}"));
        assert_eq!(own.collect::<Vec<_>>(), written);
    }
}
