//! Metrics over time, for all locations together.

use std::collections::BTreeMap;

use kymo_analysis::overview::Overview;
use kymo_otf2::references::MetricMemberRef;

/// The least, the mean and the largest of the values of all locations, by slice.
#[derive(Debug)]
pub(super) struct Band {
    pub(super) least: Vec<f64>,
    pub(super) mean: Vec<f64>,
    pub(super) most: Vec<f64>,
}

/// Returns the bands of all metrics.
pub(super) fn bands(overview: &Overview, slices: usize) -> BTreeMap<MetricMemberRef, Band> {
    let mut values = BTreeMap::<_, Vec<&[f64]>>::new();
    for (metric, curve) in overview.lanes.iter().flat_map(|(_, lane)| &lane.curves) {
        values.entry(*metric).or_default().push(curve);
    }
    values.into_iter().map(|(metric, curves)| (metric, Band::of(&curves, slices))).collect()
}

impl Band {
    fn of(curves: &[&[f64]], slices: usize) -> Self {
        let at = |slice: usize| curves.iter().map(move |it| it[slice]).filter(|it| !it.is_nan());
        // Numbers that are not known are ignored by minimum and maximum.
        let least = (0..slices).map(|it| at(it).fold(f64::NAN, f64::min)).collect();
        let most = (0..slices).map(|it| at(it).fold(f64::NAN, f64::max)).collect();
        let mean = (0..slices).map(|it| at(it).sum::<f64>() / at(it).count() as f64).collect();
        Self { least, mean, most }
    }
}
