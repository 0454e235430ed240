//! The order of regions, and their colours, which are those of the page
//! (`crates/viewer/src/colours.js`).

use std::cmp::Reverse;
use std::collections::{BTreeMap, HashMap};

use kymo_analysis::overview::Overview;
use kymo_otf2::references::RegionRef;

/// A bucket outside all calls.
pub(crate) const OUTSIDE: u16 = u16::MAX;

/// Red, green and blue.
pub(crate) type Colour = [u8; 3];

/// Colours that stay apart under protanopia, deuteranopia and tritanopia.
const COLOURS: [Colour; 10] = [
    [0x2d, 0x76, 0xa3],
    [0xfe, 0x8b, 0x85],
    [0x92, 0xe6, 0x2c],
    [0x3d, 0x31, 0xc7],
    [0x8b, 0x71, 0x22],
    [0x40, 0xb1, 0xb5],
    [0xd3, 0x45, 0x70],
    [0xdc, 0xa2, 0xff],
    [0x82, 0x2d, 0x22],
    [0xa7, 0x6e, 0xf8],
];

/// The regions, those with most exclusive time first.
#[derive(Debug)]
pub(crate) struct Palette {
    pub(crate) regions: Vec<RegionRef>,
    places: HashMap<RegionRef, usize>,
}

impl Palette {
    pub(crate) fn of(overview: &Overview) -> Self {
        let contexts = &overview.contexts;
        let mut by_context = vec![0; contexts.len()];
        for entry in overview.lanes.iter().flat_map(|(_, lane)| &lane.entries) {
            by_context[entry.context.index()] += entry.exclusive;
        }
        let mut times = BTreeMap::<RegionRef, u64>::new();
        for context in contexts.iter() {
            *times.entry(contexts.region(context)).or_default() += by_context[context.index()];
        }
        let mut regions: Vec<_> = times.keys().copied().collect();
        regions.sort_by_key(|it| Reverse(times[it]));
        let places = regions.iter().enumerate().map(|(place, region)| (*region, place)).collect();
        Self { regions, places }
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

/// Returns the colour of the region at a place.
pub(crate) fn colour(place: usize) -> Colour {
    let colour = COLOURS[place % COLOURS.len()];
    match place / COLOURS.len() % 3 {
        0 => colour,
        1 => mixed(colour, [255; 3], 0.4),
        _ => mixed(colour, [0; 3], 0.4),
    }
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
        let list = script.split("REGION_COLOURS = [").nth(1).unwrap().split(']').next().unwrap();
        let written: Vec<_> = list.split('"').filter(|it| it.starts_with('#')).collect();
        let own: Vec<_> = COLOURS.iter().map(|[r, g, b]| format!("#{r:02x}{g:02x}{b:02x}")).collect();
        assert_eq!(own, written);
    }
}
