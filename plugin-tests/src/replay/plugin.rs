//! Loads substrate plugins and builds the tables of their event functions.
//!
//! A plugin `N` is `libscorep_substrate_N.so` with the entry `SCOREP_SubstratePlugin_N_get_info`. A
//! plugin that cannot be loaded is skipped with a warning; a plugin whose `init` fails is unloaded.
//! All others stay loaded until the process ends.

use crate::replay::Error;
use crate::replay::callbacks::{CALLBACKS, CALLBACKS_SIZE};
use crate::replay::events::{Function, NUM_EVENTS};
use crate::replay::host::report;
use crate::replay::release::HostRelease;
use kymo_substrate::bindings::*;
use kymo_substrate::hosting::entry_symbol;
use libloading::os::unix::{Library, RTLD_LOCAL, RTLD_NOW};
use std::env;
use std::fmt;
use std::ptr;

/// A loaded plugin.
pub(crate) struct Plugin {
    pub(crate) name: String,
    pub(crate) info: SCOREP_SubstratePluginInfo,
}

impl fmt::Debug for Plugin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Plugin").field("name", &self.name).finish_non_exhaustive()
    }
}

/// Returns the names in `SCOREP_SUBSTRATE_PLUGINS` in order, without duplicates.
pub(crate) fn names() -> Result<Vec<String>, Error> {
    let list = env::var("SCOREP_SUBSTRATE_PLUGINS").unwrap_or_else(|_| "kymo".to_owned());
    let separators = env::var("SCOREP_SUBSTRATE_PLUGINS_SEP").unwrap_or_else(|_| ",".to_owned());
    let names = split(&list, &separators);
    match names.iter().find(|name| entry_symbol(name).is_none()) {
        Some(name) => Err(Error::Usage(format!("the plugin name `{name}` is too long"))),
        None => Ok(names),
    }
}

/// Splits a list at every character in `separators`.
fn split(list: &str, separators: &str) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for name in list.split(|c| separators.contains(c)).filter(|name| !name.is_empty()) {
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

fn warn(message: &str) {
    report(&format!("warning: {message}"));
}

/// Loads and initialises the named plugins.
pub(crate) fn load(names: &[String], host: HostRelease) -> Vec<Plugin> {
    names.iter().filter_map(|name| Plugin::load(name, host)).collect()
}

/// Opens the library by its file name, which the loader searches for in `LD_LIBRARY_PATH`; failing
/// that, the one in the directory of this program.
fn open(name: &str) -> Result<Library, libloading::Error> {
    let file = format!("libscorep_substrate_{name}.so");
    // SAFETY: loading runs the plugin's constructors, as the user requested.
    unsafe { Library::open(Some(&file), RTLD_NOW | RTLD_LOCAL) }.or_else(|error| {
        let sibling = env::current_exe().ok().and_then(|program| Some(program.parent()?.join(&file)));
        match sibling.filter(|path| path.exists()) {
            // SAFETY: as above.
            Some(path) => unsafe { Library::open(Some(path), RTLD_NOW | RTLD_LOCAL) },
            None => Err(error),
        }
    })
}

impl Plugin {
    fn load(name: &str, host: HostRelease) -> Option<Self> {
        let library = match open(name) {
            Ok(library) => library,
            Err(error) => {
                warn(&format!("cannot load the substrate plugin `{name}`: {error}"));
                return None;
            }
        };
        // No name in `names` is too long.
        let symbol = entry_symbol(name)?;
        // SAFETY: the interface defines the type of the entry.
        let entry =
            unsafe { library.get::<unsafe extern "C" fn() -> SCOREP_SubstratePluginInfo>(symbol.as_bytes()) };
        let entry = match entry {
            Ok(entry) => entry,
            Err(error) => {
                warn(&format!("the substrate plugin `{name}` has no entry: {error}"));
                return None;
            }
        };
        // SAFETY: as above.
        let info = unsafe { entry() };
        warn_of_version(name, info.plugin_version, host.plugin_version());
        let plugin = Self { name: name.to_owned(), info };
        plugin.initialise(library).then_some(plugin)
    }

    /// Calls `init`; unloads the library if it fails, otherwise keeps it loaded.
    fn initialise(&self, library: Library) -> bool {
        // SAFETY: the library is loaded, and the function has no arguments. No other function of
        // `info` was called before.
        let result = self.info.init.map_or(0, |init| unsafe { init() });
        if result != 0 {
            warn(&format!("the substrate plugin `{}` is not used: its init returned {result}", self.name));
            return false;
        }
        let _ = library.into_raw();
        true
    }

    pub(crate) fn set_callbacks(&self) {
        if let Some(set_callbacks) = self.info.set_callbacks {
            // SAFETY: the table is constant.
            unsafe { set_callbacks(&raw const CALLBACKS, CALLBACKS_SIZE) };
        }
    }

    /// Returns the functions that the plugin registers for `mode`, by event.
    fn event_functions(&self, mode: usize) -> Vec<SCOREP_Substrates_Callback> {
        let Some(get_event_functions) = self.info.get_event_functions else { return Vec::new() };
        let mut functions = ptr::null_mut();
        // SAFETY: the plugin stays loaded, and `functions` is valid for the write of a pointer.
        let length = unsafe { get_event_functions(mode as SCOREP_Substrates_Mode, &raw mut functions) };
        if functions.is_null() {
            return Vec::new();
        }
        // SAFETY: the plugin's array of that length, copied immediately.
        unsafe { std::slice::from_raw_parts(functions, length as usize) }.to_vec()
    }
}

fn warn_of_version(name: &str, version: u32, own: u32) {
    if version > own {
        warn(&format!(
            "the substrate plugin `{name}` was made for version {version} of the interface; this host has {own}"
        ));
    }
}

/// For each event, the functions of the plugins that have one, in the order of the plugins.
#[derive(Debug)]
pub(crate) struct Table(Vec<Vec<Function>>);

impl Table {
    /// Queries every plugin. Events that `host` does not have receive no functions.
    pub(crate) fn of(plugins: &[Plugin], mode: usize, host: HostRelease) -> Self {
        let mut table = vec![Vec::new(); NUM_EVENTS];
        for plugin in plugins {
            let functions = plugin.event_functions(mode);
            let num_events = host.num_events();
            if functions.iter().skip(num_events).any(Option::is_some) {
                warn(&format!(
                    "the substrate plugin `{}` has functions for events from {num_events} on, which this host does not support (mode {mode})",
                    plugin.name
                ));
            }
            for (event, known) in table.iter_mut().enumerate() {
                let place = host.place_of(event);
                known.extend(place.and_then(|place| *functions.get(place)?));
            }
        }
        Self(table)
    }

    /// Returns the functions for an event.
    #[inline]
    pub(crate) fn functions(&self, number: u8) -> &[Function] {
        &self.0[number as usize]
    }
}

#[cfg(test)]
mod tests {
    use super::split;

    #[test]
    fn every_character_of_the_separator_separates() {
        assert_eq!(split("a,b;a,,c", ",;"), ["a", "b", "c"]);
        assert_eq!(split("a,b", ":"), ["a,b"]);
        assert!(split("", ",").is_empty());
    }
}
