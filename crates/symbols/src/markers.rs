//! The functions by which a program marks regions: those of our headers, and of the interfaces of
//! tools.
//!
//! Such a function has returned when the code in its region begins, so it is no caller of that: the
//! region has been entered by the function that called it.

use std::path::Path;

use crate::Function;

/// Headers whose functions mark regions.
const HEADERS: [&str; 2] = ["kymo/user.h", "scorep/SCOREP_User.h"];
/// The folder of the headers of NVTX.
const NVTX: &str = "nvtx3";
/// The beginnings of the names of Kokkos' files and functions for tools.
const KOKKOS_FILES: [&str; 2] = ["Kokkos_Tools_", "Kokkos_Profiling"];
const KOKKOS_FUNCTIONS: [&str; 2] = ["Kokkos::Tools::", "Kokkos::Profiling::"];
/// The functions of perfstubs that begin and end timers.
const PERFSTUBS: [&str; 7] = [
    "ps_timer_start_",
    "ps_timer_stop_",
    "ps_start_string_",
    "ps_stop_string_",
    "ps_stop_current_",
    "ps_dynamic_phase_start_",
    "ps_dynamic_phase_stop_",
];

impl Function {
    /// Returns whether the function marks a region, and is none itself.
    pub fn marks_region(&self) -> bool {
        let name = self.name.strip_prefix("void ").unwrap_or(&self.name);
        let file = Path::new(self.file.as_deref().unwrap_or_default());
        let file_name = file.file_name().and_then(|name| name.to_str()).unwrap_or_default();
        let is_header = file_name.ends_with(".h") || file_name.ends_with(".hpp");
        HEADERS.iter().any(|header| file.ends_with(header))
            || is_header && file.iter().any(|folder| folder == NVTX)
            || KOKKOS_FILES.iter().any(|begin| file_name.starts_with(begin))
            || KOKKOS_FUNCTIONS.iter().any(|begin| name.starts_with(begin))
            || PERFSTUBS.contains(&name)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn functions_of_the_interfaces_of_tools_mark_regions() {
        let marks = |name: &str, file: &str| {
            let (name, file) = (name.to_owned(), Some(file.to_owned()));
            Function { name, mangled: String::new(), file, line: 0 }.marks_region()
        };
        assert!(marks("nvtxRangePushA", "/opt/include/nvtx3/nvtxDetail/nvtxImplCore.h"));
        assert!(marks("kymo_user_region", "/usr/include/kymo/user.h"));
        assert!(marks("Kokkos::Tools::pushRegion(std::string const&)", "x.cpp"));
        assert!(marks("void Kokkos::Tools::Impl::begin_parallel_for<int>(int)", ""));
        assert!(marks("begin_parallel_for<int>", "/usr/include/impl/Kokkos_Tools_Generic.hpp"));
        assert!(marks("ps_start_string_", "timer.c"));
        assert!(!marks("Kokkos::parallel_for<int>", "/usr/include/Kokkos_Parallel.hpp"));
        assert!(!marks("solve", "/home/user/nvtx3/solve.c") && !marks("ps_timers", "timer.c"));
    }
}
