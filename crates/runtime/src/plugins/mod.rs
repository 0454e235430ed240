//! Substrate plugins: search, loading, and the calls of their life cycle, each for all plugins in
//! the order of the list.
//!
//! A plugin `N` is `libscorep_substrate_N.so` with the entry `SCOREP_SubstratePlugin_N_get_info`. A
//! plugin that cannot be loaded is reported and left out; a plugin whose `init` fails is unloaded.
//! The others remain loaded until the process ends.

mod library;

pub(crate) use self::library::{Library, own_file};
use crate::locations::Location;
use crate::message::report;
use crate::thread;
use core::ffi::CStr;
use core::ptr;
use kymo_substrate::bindings::*;
use kymo_substrate::hosting::entry_symbol;

/// The highest version of the interface that this host supports.
const VERSION: u32 = SCOREP_SUBSTRATE_PLUGIN_VERSION;

/// The function that every plugin exports.
type PluginEntry = unsafe extern "C" fn() -> SCOREP_SubstratePluginInfo;

/// A loaded plugin.
pub(crate) struct Plugin {
    pub(crate) name: String,
    pub(crate) info: SCOREP_SubstratePluginInfo,
}

impl std::fmt::Debug for Plugin {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Plugin").field("name", &self.name).finish_non_exhaustive()
    }
}

/// The plugins, in the order of the list.
#[derive(Debug, Default)]
pub(crate) struct Plugins(pub(crate) Vec<Plugin>);

impl Plugin {
    fn load(name: &str, is_copy: bool) -> Result<Self, String> {
        let library = thread::owning(|| Library::open(&format!("libscorep_substrate_{name}.so"), is_copy))?;
        let symbol = entry_symbol(name).ok_or("its name is too long")?;
        // SAFETY: the interface specifies the type of the entry.
        let entry = unsafe { library.function::<PluginEntry>(&symbol) }?;
        // SAFETY: as above.
        let info = unsafe { entry() };
        if info.plugin_version > VERSION {
            let version = info.plugin_version;
            report(format_args!(
                "warning: the plugin `{name}` was built for version {version} of the interface; \
                     this host supports version {VERSION}"
            ));
        }
        // SAFETY: the first call of a function in `info`, without arguments.
        let result = info.init.map_or(0, |init| thread::owning(|| unsafe { init() }));
        if result != 0 {
            library.close();
            return Err(format!("its init returned {result}"));
        }
        Ok(Self { name: name.to_owned(), info })
    }
}

/// Calls a function of each plugin that has it. Memory that a plugin allocates is not the
/// program's: to record it would call the plugin again, which may hold a lock.
macro_rules! each {
    ($plugins:expr, $function:ident($($argument:expr),*)) => {
        for plugin in &$plugins.0 {
            if let Some(function) = plugin.info.$function {
                // SAFETY: a function of a plugin, called at the point that the interface specifies.
                thread::owning(|| unsafe { function($($argument),*) });
            }
        }
    };
}

fn address(location: Option<&Location>) -> *const SCOREP_Location {
    location.map_or(ptr::null(), |location| location.address().cast_const())
}

impl Plugins {
    /// Loads and initialises the named plugins. In a child made by `fork` they are copies, without
    /// state of the parent.
    pub(crate) fn load(names: &[String], is_copy: bool) -> Self {
        let mut plugins = Self::default();
        for name in names {
            match Plugin::load(name, is_copy) {
                Ok(plugin) => plugins.0.push(plugin),
                Err(why) => report(format_args!("the plugin `{name}` is not used: {why}")),
            }
        }
        plugins
    }

    /// Passes the functions of this host to the plugins.
    pub(crate) fn set_callbacks(&self, callbacks: &'static SCOREP_SubstratePluginCallbacks) {
        each!(self, set_callbacks(ptr::from_ref(callbacks), size_of::<SCOREP_SubstratePluginCallbacks>()));
    }

    pub(crate) fn announce(&self, handle: u32, kind: u32) {
        each!(self, new_definition_handle(handle, kind));
    }

    /// Returns whether any plugin has the requirement.
    pub(crate) fn require(&self, flag: u32) -> bool {
        let mut required = false;
        for plugin in &self.0 {
            // SAFETY: a function of a plugin, called at the point that the interface specifies.
            required |= plugin.info.get_requirement.is_some_and(|ask| unsafe { ask(flag) });
        }
        required
    }

    pub(crate) fn assign_ids(&self) {
        for (id, plugin) in self.0.iter().enumerate() {
            if let Some(assign_id) = plugin.info.assign_id {
                // SAFETY: as above.
                unsafe { assign_id(id) };
            }
        }
    }

    pub(crate) fn create_location(&self, location: &Location) {
        each!(self, create_location(location.address(), address(location.parent)));
        each!(self, core_task_create(location.address(), location.task()));
    }

    pub(crate) fn activate(&self, location: &Location) {
        each!(self, activate_cpu_location(location.address(), address(location.parent), location.sequence));
    }

    pub(crate) fn create_task(&self, location: &Location, task: *mut SCOREP_Task) {
        each!(self, core_task_create(location.address(), task));
    }

    pub(crate) fn complete_task(&self, location: &Location, task: *mut SCOREP_Task) {
        each!(self, core_task_complete(location.address(), task));
    }

    pub(crate) fn deactivate(&self, location: &Location) {
        each!(self, deactivate_cpu_location(location.address(), address(location.parent)));
    }

    pub(crate) fn delete_location(&self, location: &Location) {
        each!(self, core_task_complete(location.address(), location.task()));
        each!(self, delete_location(location.address()));
    }

    pub(crate) fn dump_manifest(&self, stream: *mut FILE, working: &CStr, directory: &CStr) {
        each!(self, dump_manifest(stream, working.as_ptr(), directory.as_ptr()));
    }

    pub(crate) fn init_mpp(&self) {
        each!(self, init_mpp());
    }

    pub(crate) fn pre_unify(&self) {
        each!(self, pre_unify());
    }

    pub(crate) fn write_data(&self) {
        each!(self, write_data());
    }

    pub(crate) fn finalize(&self) {
        each!(self, finalize());
    }
}
