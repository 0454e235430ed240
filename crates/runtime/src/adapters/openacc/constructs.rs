//! The regions of OpenACC's constructs and operations.

use std::borrow::Cow;
use std::io::Write;
use std::path::Path;

use kymo_substrate::bindings::{SCOREP_PARADIGM_OPENACC, SCOREP_REGION_KERNEL_LAUNCH, SCOREP_REGION_WRAPPER};

use super::{OPENACC, define_paradigm};
use crate::adapters::annotations::{NamedPlace, RegionGroup};
use crate::adapters::call_sites::{SiteConstruct, SourcePlace};
use crate::host::host;
use crate::measurement::Region;

/// Declares the constructs: the variant, the number of the event that begins it, the name of the
/// region, and its kind. The event after it ends it.
macro_rules! constructs {
    ($($construct:ident $begin:literal $name:literal $kind:ident;)*) => {
        /// A construct that has a region.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub(super) enum AccConstruct {
            $($construct = $begin,)*
        }

        impl AccConstruct {
            /// All of them.
            pub(super) const ALL: &[Self] = &[$(Self::$construct),*];

            /// Returns the name of the region, without a place.
            fn name(self) -> &'static str {
                match self {
                    $(Self::$construct => $name,)*
                }
            }

            /// Returns the properties that the regions share.
            fn group(self) -> &'static RegionGroup {
                match self {
                    $(Self::$construct => {
                        static GROUP: RegionGroup = group_of($kind);
                        &GROUP
                    })*
                }
            }
        }
    };
}

constructs! {
    DeviceInit 1 "acc_init" SCOREP_REGION_WRAPPER;
    DeviceShutdown 3 "acc_shutdown" SCOREP_REGION_WRAPPER;
    EnterData 10 "acc_data_enter" SCOREP_REGION_WRAPPER;
    ExitData 12 "acc_data_exit" SCOREP_REGION_WRAPPER;
    Update 14 "acc_update" SCOREP_REGION_WRAPPER;
    Compute 16 "acc_compute" SCOREP_REGION_WRAPPER;
    Launch 18 "acc_launch_kernel" SCOREP_REGION_KERNEL_LAUNCH;
    Upload 20 "acc_upload" SCOREP_REGION_WRAPPER;
    Download 22 "acc_download" SCOREP_REGION_WRAPPER;
    Wait 24 "acc_wait" SCOREP_REGION_WRAPPER;
}

const fn group_of(kind: u32) -> RegionGroup {
    RegionGroup { description: Cow::Borrowed(b""), paradigm: SCOREP_PARADIGM_OPENACC, kind, named }
}

/// Returns the region that a text names: `acc_compute @/src/heat.c:12`, or a text without a path or
/// a line.
fn named(text: &str) -> NamedPlace<'_> {
    let placed = || {
        let (construct, place) = text.split_once(" @")?;
        let (file, line) = place.rsplit_once(':')?;
        let short = Path::new(file).file_name()?.to_str()?;
        let name = Cow::from(format!("{construct} @{short}:{line}"));
        Some(NamedPlace { canonical: name.clone(), name, file: Some(file), line: line.parse().ok()? })
    };
    placed().unwrap_or_else(|| NamedPlace::plain(text))
}

/// The longest name, with the path of its file. A longer one has no place.
const LONGEST: usize = 4096 + 64;

impl AccConstruct {
    /// Returns the region of the construct in a line that a library tells; no region if it is left
    /// out.
    pub(super) fn region_in(self, file: &[u8], line: u32) -> Region {
        let mut text = [0; LONGEST];
        let mut rest = &mut text[..];
        let written = write!(rest, "{} @", self.name())
            .and_then(|()| rest.write_all(file))
            .and_then(|()| write!(rest, ":{line}"));
        let length = LONGEST - rest.len();
        match written.ok().and_then(|()| text.get(..length)) {
            Some(text) => self.region_of(text),
            None => self.region_of(self.name().as_bytes()),
        }
    }

    fn region_of(self, text: &[u8]) -> Region {
        if let Some(host) = host() {
            define_paradigm(host);
        }
        OPENACC.region(self.group(), text)
    }
}

impl SiteConstruct for AccConstruct {
    fn number(self) -> usize {
        self as usize
    }

    fn define(self, place: &SourcePlace) -> Option<Region> {
        let text = match &place.file {
            Some(file) => format!("{} @{file}:{}", self.name(), place.line),
            None => format!("{}{}", self.name(), place.suffix),
        };
        Some(self.region_of(text.as_bytes())).filter(|region| *region != Region::default())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_the_file_and_the_line_of_a_region() {
        let place = named("acc_compute @/src/a b/heat.c:12");
        assert_eq!(
            (&*place.name, place.file, place.line),
            ("acc_compute @heat.c:12", Some("/src/a b/heat.c"), 12)
        );
        for plain in ["acc_init", "acc_update @heat+0x1f0", "acc_update @heat.c:x"] {
            assert_eq!(named(plain), NamedPlace::plain(plain));
        }
    }
}
