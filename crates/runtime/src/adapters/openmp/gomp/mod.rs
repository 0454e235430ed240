//! gcc's OpenMP runtime, libgomp: its functions are interposed.
//!
//! Each exported function jumps to that of the runtime while nothing is recorded, otherwise to a C
//! function that knows where it was called from (`c/gomp.c`) and calls the hooks. Loops with a
//! static schedule, `master` and `flush` call no function and are not seen. LLVM's runtime has
//! functions with these names, too: it reports to [`super::ompt`], and nothing is recorded here.
//!
//! Invariants: the function of the runtime is called exactly once; it is the one that the program
//! would have called.

mod find;
mod hooks;

use std::ffi::c_void;
use std::sync::atomic::AtomicPtr;

use once_cell::race::OnceBool;

use crate::switch::Switch;

pub(super) use find::{forget, hold};

/// On while calls of gcc's runtime are recorded.
static SWITCH: Switch = Switch::new();
/// Whether the runtime that has the functions is LLVM's, once it is known.
static IS_LLVM: OnceBool = OnceBool::new();

pub(super) fn turn_on() {
    find::recognise_next();
    if IS_LLVM.get() != Some(true) {
        SWITCH.turn_on();
    }
}

pub(super) fn turn_off() {
    SWITCH.turn_off();
}

/// Exports functions that jump to the C function of this name, or, while nothing is recorded, to
/// that of the runtime.
macro_rules! export {
    ($($name:ident $through:ident $real:ident)*) => {
        unsafe extern "C" {
            $(static $real: AtomicPtr<c_void>;)*
        }

        /// Finds all functions, so that each exported one jumps to its own from the first call on.
        fn find_all() {
            // SAFETY: the places are variables of `c/gomp.c`.
            unsafe { $(find::keep(crate::next::c_name(concat!(stringify!($name), "\0")), &$real);)* }
        }

        $(
        const _: () = {
            unsafe extern "C" {
                fn $through();
            }

            crate::entry::entry!($name: SWITCH, $real, $through);
        };
        )*
    };
}

export! {
    GOMP_parallel kymo_gomp_GOMP_parallel kymo_gomp_real_GOMP_parallel
    GOMP_parallel_reductions kymo_gomp_GOMP_parallel_reductions kymo_gomp_real_GOMP_parallel_reductions
    GOMP_parallel_sections kymo_gomp_GOMP_parallel_sections kymo_gomp_real_GOMP_parallel_sections
    GOMP_parallel_loop_static kymo_gomp_GOMP_parallel_loop_static kymo_gomp_real_GOMP_parallel_loop_static
    GOMP_parallel_loop_dynamic kymo_gomp_GOMP_parallel_loop_dynamic kymo_gomp_real_GOMP_parallel_loop_dynamic
    GOMP_parallel_loop_guided kymo_gomp_GOMP_parallel_loop_guided kymo_gomp_real_GOMP_parallel_loop_guided
    GOMP_parallel_loop_runtime kymo_gomp_GOMP_parallel_loop_runtime kymo_gomp_real_GOMP_parallel_loop_runtime
    GOMP_parallel_loop_nonmonotonic_dynamic kymo_gomp_GOMP_parallel_loop_nonmonotonic_dynamic kymo_gomp_real_GOMP_parallel_loop_nonmonotonic_dynamic
    GOMP_parallel_loop_nonmonotonic_guided kymo_gomp_GOMP_parallel_loop_nonmonotonic_guided kymo_gomp_real_GOMP_parallel_loop_nonmonotonic_guided
    GOMP_parallel_loop_nonmonotonic_runtime kymo_gomp_GOMP_parallel_loop_nonmonotonic_runtime kymo_gomp_real_GOMP_parallel_loop_nonmonotonic_runtime
    GOMP_parallel_loop_maybe_nonmonotonic_runtime kymo_gomp_GOMP_parallel_loop_maybe_nonmonotonic_runtime kymo_gomp_real_GOMP_parallel_loop_maybe_nonmonotonic_runtime
    GOMP_loop_static_start kymo_gomp_GOMP_loop_static_start kymo_gomp_real_GOMP_loop_static_start
    GOMP_loop_dynamic_start kymo_gomp_GOMP_loop_dynamic_start kymo_gomp_real_GOMP_loop_dynamic_start
    GOMP_loop_guided_start kymo_gomp_GOMP_loop_guided_start kymo_gomp_real_GOMP_loop_guided_start
    GOMP_loop_runtime_start kymo_gomp_GOMP_loop_runtime_start kymo_gomp_real_GOMP_loop_runtime_start
    GOMP_loop_nonmonotonic_dynamic_start kymo_gomp_GOMP_loop_nonmonotonic_dynamic_start kymo_gomp_real_GOMP_loop_nonmonotonic_dynamic_start
    GOMP_loop_nonmonotonic_guided_start kymo_gomp_GOMP_loop_nonmonotonic_guided_start kymo_gomp_real_GOMP_loop_nonmonotonic_guided_start
    GOMP_loop_nonmonotonic_runtime_start kymo_gomp_GOMP_loop_nonmonotonic_runtime_start kymo_gomp_real_GOMP_loop_nonmonotonic_runtime_start
    GOMP_loop_maybe_nonmonotonic_runtime_start kymo_gomp_GOMP_loop_maybe_nonmonotonic_runtime_start kymo_gomp_real_GOMP_loop_maybe_nonmonotonic_runtime_start
    GOMP_loop_ordered_static_start kymo_gomp_GOMP_loop_ordered_static_start kymo_gomp_real_GOMP_loop_ordered_static_start
    GOMP_loop_ordered_dynamic_start kymo_gomp_GOMP_loop_ordered_dynamic_start kymo_gomp_real_GOMP_loop_ordered_dynamic_start
    GOMP_loop_ordered_guided_start kymo_gomp_GOMP_loop_ordered_guided_start kymo_gomp_real_GOMP_loop_ordered_guided_start
    GOMP_loop_ordered_runtime_start kymo_gomp_GOMP_loop_ordered_runtime_start kymo_gomp_real_GOMP_loop_ordered_runtime_start
    GOMP_loop_doacross_static_start kymo_gomp_GOMP_loop_doacross_static_start kymo_gomp_real_GOMP_loop_doacross_static_start
    GOMP_loop_doacross_dynamic_start kymo_gomp_GOMP_loop_doacross_dynamic_start kymo_gomp_real_GOMP_loop_doacross_dynamic_start
    GOMP_loop_doacross_guided_start kymo_gomp_GOMP_loop_doacross_guided_start kymo_gomp_real_GOMP_loop_doacross_guided_start
    GOMP_loop_doacross_runtime_start kymo_gomp_GOMP_loop_doacross_runtime_start kymo_gomp_real_GOMP_loop_doacross_runtime_start
    GOMP_loop_start kymo_gomp_GOMP_loop_start kymo_gomp_real_GOMP_loop_start
    GOMP_loop_ordered_start kymo_gomp_GOMP_loop_ordered_start kymo_gomp_real_GOMP_loop_ordered_start
    GOMP_loop_doacross_start kymo_gomp_GOMP_loop_doacross_start kymo_gomp_real_GOMP_loop_doacross_start
    GOMP_loop_ull_static_start kymo_gomp_GOMP_loop_ull_static_start kymo_gomp_real_GOMP_loop_ull_static_start
    GOMP_loop_ull_dynamic_start kymo_gomp_GOMP_loop_ull_dynamic_start kymo_gomp_real_GOMP_loop_ull_dynamic_start
    GOMP_loop_ull_guided_start kymo_gomp_GOMP_loop_ull_guided_start kymo_gomp_real_GOMP_loop_ull_guided_start
    GOMP_loop_ull_runtime_start kymo_gomp_GOMP_loop_ull_runtime_start kymo_gomp_real_GOMP_loop_ull_runtime_start
    GOMP_loop_ull_nonmonotonic_dynamic_start kymo_gomp_GOMP_loop_ull_nonmonotonic_dynamic_start kymo_gomp_real_GOMP_loop_ull_nonmonotonic_dynamic_start
    GOMP_loop_ull_nonmonotonic_guided_start kymo_gomp_GOMP_loop_ull_nonmonotonic_guided_start kymo_gomp_real_GOMP_loop_ull_nonmonotonic_guided_start
    GOMP_loop_ull_nonmonotonic_runtime_start kymo_gomp_GOMP_loop_ull_nonmonotonic_runtime_start kymo_gomp_real_GOMP_loop_ull_nonmonotonic_runtime_start
    GOMP_loop_ull_maybe_nonmonotonic_runtime_start kymo_gomp_GOMP_loop_ull_maybe_nonmonotonic_runtime_start kymo_gomp_real_GOMP_loop_ull_maybe_nonmonotonic_runtime_start
    GOMP_loop_ull_ordered_static_start kymo_gomp_GOMP_loop_ull_ordered_static_start kymo_gomp_real_GOMP_loop_ull_ordered_static_start
    GOMP_loop_ull_ordered_dynamic_start kymo_gomp_GOMP_loop_ull_ordered_dynamic_start kymo_gomp_real_GOMP_loop_ull_ordered_dynamic_start
    GOMP_loop_ull_ordered_guided_start kymo_gomp_GOMP_loop_ull_ordered_guided_start kymo_gomp_real_GOMP_loop_ull_ordered_guided_start
    GOMP_loop_ull_ordered_runtime_start kymo_gomp_GOMP_loop_ull_ordered_runtime_start kymo_gomp_real_GOMP_loop_ull_ordered_runtime_start
    GOMP_loop_ull_doacross_static_start kymo_gomp_GOMP_loop_ull_doacross_static_start kymo_gomp_real_GOMP_loop_ull_doacross_static_start
    GOMP_loop_ull_doacross_dynamic_start kymo_gomp_GOMP_loop_ull_doacross_dynamic_start kymo_gomp_real_GOMP_loop_ull_doacross_dynamic_start
    GOMP_loop_ull_doacross_guided_start kymo_gomp_GOMP_loop_ull_doacross_guided_start kymo_gomp_real_GOMP_loop_ull_doacross_guided_start
    GOMP_loop_ull_doacross_runtime_start kymo_gomp_GOMP_loop_ull_doacross_runtime_start kymo_gomp_real_GOMP_loop_ull_doacross_runtime_start
    GOMP_loop_ull_start kymo_gomp_GOMP_loop_ull_start kymo_gomp_real_GOMP_loop_ull_start
    GOMP_loop_ull_ordered_start kymo_gomp_GOMP_loop_ull_ordered_start kymo_gomp_real_GOMP_loop_ull_ordered_start
    GOMP_loop_ull_doacross_start kymo_gomp_GOMP_loop_ull_doacross_start kymo_gomp_real_GOMP_loop_ull_doacross_start
    GOMP_loop_end kymo_gomp_GOMP_loop_end kymo_gomp_real_GOMP_loop_end
    GOMP_loop_end_cancel kymo_gomp_GOMP_loop_end_cancel kymo_gomp_real_GOMP_loop_end_cancel
    GOMP_loop_end_nowait kymo_gomp_GOMP_loop_end_nowait kymo_gomp_real_GOMP_loop_end_nowait
    GOMP_sections_end kymo_gomp_GOMP_sections_end kymo_gomp_real_GOMP_sections_end
    GOMP_sections_end_cancel kymo_gomp_GOMP_sections_end_cancel kymo_gomp_real_GOMP_sections_end_cancel
    GOMP_sections_end_nowait kymo_gomp_GOMP_sections_end_nowait kymo_gomp_real_GOMP_sections_end_nowait
    GOMP_barrier kymo_gomp_GOMP_barrier kymo_gomp_real_GOMP_barrier
    GOMP_barrier_cancel kymo_gomp_GOMP_barrier_cancel kymo_gomp_real_GOMP_barrier_cancel
    GOMP_taskwait kymo_gomp_GOMP_taskwait kymo_gomp_real_GOMP_taskwait
    GOMP_taskgroup_start kymo_gomp_GOMP_taskgroup_start kymo_gomp_real_GOMP_taskgroup_start
    GOMP_taskgroup_end kymo_gomp_GOMP_taskgroup_end kymo_gomp_real_GOMP_taskgroup_end
    GOMP_critical_start kymo_gomp_GOMP_critical_start kymo_gomp_real_GOMP_critical_start
    GOMP_critical_end kymo_gomp_GOMP_critical_end kymo_gomp_real_GOMP_critical_end
    GOMP_ordered_start kymo_gomp_GOMP_ordered_start kymo_gomp_real_GOMP_ordered_start
    GOMP_ordered_end kymo_gomp_GOMP_ordered_end kymo_gomp_real_GOMP_ordered_end
    GOMP_single_start kymo_gomp_GOMP_single_start kymo_gomp_real_GOMP_single_start
    GOMP_single_copy_start kymo_gomp_GOMP_single_copy_start kymo_gomp_real_GOMP_single_copy_start
    GOMP_sections_next kymo_gomp_GOMP_sections_next kymo_gomp_real_GOMP_sections_next
    GOMP_sections_start kymo_gomp_GOMP_sections_start kymo_gomp_real_GOMP_sections_start
    GOMP_sections2_start kymo_gomp_GOMP_sections2_start kymo_gomp_real_GOMP_sections2_start
    GOMP_single_copy_end kymo_gomp_GOMP_single_copy_end kymo_gomp_real_GOMP_single_copy_end
    GOMP_taskwait_depend kymo_gomp_GOMP_taskwait_depend kymo_gomp_real_GOMP_taskwait_depend
    GOMP_critical_name_start kymo_gomp_GOMP_critical_name_start kymo_gomp_real_GOMP_critical_name_start
    GOMP_critical_name_end kymo_gomp_GOMP_critical_name_end kymo_gomp_real_GOMP_critical_name_end
    GOMP_task kymo_gomp_GOMP_task kymo_gomp_real_GOMP_task
    GOMP_target kymo_gomp_GOMP_target kymo_gomp_real_GOMP_target
    GOMP_target_ext kymo_gomp_GOMP_target_ext kymo_gomp_real_GOMP_target_ext
    GOMP_target_data kymo_gomp_GOMP_target_data kymo_gomp_real_GOMP_target_data
    GOMP_target_data_ext kymo_gomp_GOMP_target_data_ext kymo_gomp_real_GOMP_target_data_ext
    GOMP_target_end_data kymo_gomp_GOMP_target_end_data kymo_gomp_real_GOMP_target_end_data
    GOMP_target_update kymo_gomp_GOMP_target_update kymo_gomp_real_GOMP_target_update
    GOMP_target_update_ext kymo_gomp_GOMP_target_update_ext kymo_gomp_real_GOMP_target_update_ext
    GOMP_target_enter_exit_data kymo_gomp_GOMP_target_enter_exit_data kymo_gomp_real_GOMP_target_enter_exit_data
    omp_init_lock kymo_gomp_omp_init_lock kymo_gomp_real_omp_init_lock
    omp_destroy_lock kymo_gomp_omp_destroy_lock kymo_gomp_real_omp_destroy_lock
    omp_set_lock kymo_gomp_omp_set_lock kymo_gomp_real_omp_set_lock
    omp_unset_lock kymo_gomp_omp_unset_lock kymo_gomp_real_omp_unset_lock
    omp_test_lock kymo_gomp_omp_test_lock kymo_gomp_real_omp_test_lock
    omp_init_nest_lock kymo_gomp_omp_init_nest_lock kymo_gomp_real_omp_init_nest_lock
    omp_destroy_nest_lock kymo_gomp_omp_destroy_nest_lock kymo_gomp_real_omp_destroy_nest_lock
    omp_set_nest_lock kymo_gomp_omp_set_nest_lock kymo_gomp_real_omp_set_nest_lock
    omp_unset_nest_lock kymo_gomp_omp_unset_nest_lock kymo_gomp_real_omp_unset_nest_lock
    omp_test_nest_lock kymo_gomp_omp_test_nest_lock kymo_gomp_real_omp_test_nest_lock
    omp_init_lock_ kymo_gomp_omp_init_lock_ kymo_gomp_real_omp_init_lock_
    omp_destroy_lock_ kymo_gomp_omp_destroy_lock_ kymo_gomp_real_omp_destroy_lock_
    omp_set_lock_ kymo_gomp_omp_set_lock_ kymo_gomp_real_omp_set_lock_
    omp_unset_lock_ kymo_gomp_omp_unset_lock_ kymo_gomp_real_omp_unset_lock_
    omp_test_lock_ kymo_gomp_omp_test_lock_ kymo_gomp_real_omp_test_lock_
    omp_init_nest_lock_ kymo_gomp_omp_init_nest_lock_ kymo_gomp_real_omp_init_nest_lock_
    omp_destroy_nest_lock_ kymo_gomp_omp_destroy_nest_lock_ kymo_gomp_real_omp_destroy_nest_lock_
    omp_set_nest_lock_ kymo_gomp_omp_set_nest_lock_ kymo_gomp_real_omp_set_nest_lock_
    omp_unset_nest_lock_ kymo_gomp_omp_unset_nest_lock_ kymo_gomp_real_omp_unset_nest_lock_
    omp_test_nest_lock_ kymo_gomp_omp_test_nest_lock_ kymo_gomp_real_omp_test_nest_lock_
}
