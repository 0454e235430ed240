//! Functions that create, name and free communicators, grids and groups.

use core::ffi::c_int;

use kymo_substrate::bindings::{SCOREP_COLLECTIVE_CREATE_HANDLE, SCOREP_COLLECTIVE_DESTROY_HANDLE};

use crate::adapters::mpi::call::{HandleKind, MpiCall};
use crate::adapters::mpi::events::When::{AtLast, Now};
use crate::adapters::mpi::function::{ArgumentPlace, Binding, NONE};
use crate::adapters::mpi::symbols::pmpi;
use crate::adapters::mpi::{Scope, communicators, groups, next_id, options, quietly, world};
use crate::current;
use crate::host::host;
use crate::measurement::Here;

use super::request::{PLAIN, Request, RequestKind};
use super::requests::track;

const NO_ROOT: i32 = -1;

/// Which communicator the end of the operation names.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Named {
    /// The one that the call was given.
    Parent,
    /// The new one, else `MPI_COMM_SELF`.
    New,
}

/// Runs a call that creates a communicator; `then` follows the definition.
pub(super) fn create(
    call: &mut MpiCall<'_>,
    parent: usize,
    new: ArgumentPlace,
    named: Named,
    then: impl FnOnce(&MpiCall<'_>, u32, usize),
) {
    let parent_definition = communicators::parent(parent);
    // Without a definition there is no communicator that the end could name.
    let begins = match named {
        Named::Parent => parent_definition != 0,
        Named::New => world::is_there(),
    };
    let scope = Scope::enter(call, |here| {
        if let Some(here) = here.filter(|_| begins) {
            here.mpi_collective_begin(AtLast);
        }
    });
    let is_done = call.execute();
    scope.leave(|here| {
        let comm = if is_done { call.handle_at(HandleKind::Comm, new, 0) } else { call.abi.comm_null };
        let definition = communicators::define(call.abi, comm, parent_definition);
        if definition != 0 {
            then(call, definition, comm);
        }
        let Some(here) = here else { return };
        if definition != 0 {
            here.comm_create(Now, definition);
        }
        let named = match named {
            Named::Parent => parent_definition,
            Named::New if definition != 0 => definition,
            Named::New => communicators::parent(call.abi.itself),
        };
        if begins {
            end(here, named, SCOREP_COLLECTIVE_CREATE_HANDLE);
        }
    });
}

fn end(here: &Here, comm: u32, kind: u32) {
    if comm != 0 {
        here.mpi_collective_end(Now, comm, NO_ROOT, kind, 0, 0);
    }
}

/// Returns the communicator that a call was given; the null communicator if it has none.
pub(super) fn given(call: &MpiCall<'_>, place: ArgumentPlace) -> usize {
    if place == NONE { call.abi.comm_null } else { call.handle(HandleKind::Comm, place) }
}

/// Returns the parent of an inter-communicator: the peer communicator on the leaders.
pub(super) fn peer(
    call: &MpiCall<'_>,
    local: ArgumentPlace,
    leader: ArgumentPlace,
    peer: ArgumentPlace,
) -> usize {
    let mut rank: c_int = -1;
    pmpi!(c"PMPI_Comm_rank", call.handle(HandleKind::Comm, local), &raw mut rank);
    if rank == call.int(leader) { call.handle(HandleKind::Comm, peer) } else { call.abi.comm_null }
}

pub(super) fn idup(call: &mut MpiCall<'_>, comm: ArgumentPlace, new: ArgumentPlace, request: ArgumentPlace) {
    let (parent, id) = (communicators::parent(call.handle(HandleKind::Comm, comm)), next_id());
    let scope = Scope::enter(call, |here| {
        if let Some(here) = here.filter(|_| parent != 0) {
            here.mpi_collective_request(AtLast, id);
        }
    });
    let is_done = call.execute();
    scope.leave(|_| {
        if is_done && parent != 0 {
            let flags = if call.slot.binding == Binding::C { 0 } else { PLAIN };
            let extra = call.word(new) as u64;
            track(
                call,
                request,
                Request { flags, extra, ..Request::new(RequestKind::Duplicate, id, parent) },
            );
        }
    });
}

pub(super) fn free(call: &mut MpiCall<'_>, comm: ArgumentPlace) {
    let mut old = 0;
    quietly(|| communicators::settle_all(Some(call.handle_at(HandleKind::Comm, comm, 0))));
    let scope = Scope::enter(call, |here| {
        // Another thread may receive the same handle as soon as it is free.
        old = communicators::forget(call.handle_at(HandleKind::Comm, comm, 0));
        if let Some(here) = here.filter(|_| old != 0) {
            here.mpi_collective_begin(AtLast);
        }
    });
    call.execute();
    scope.leave(|here| {
        if let Some(here) = here.filter(|_| old != 0) {
            here.comm_destroy(Now, old);
            end(here, old, SCOREP_COLLECTIVE_DESTROY_HANDLE);
        }
    });
}

pub(super) fn set_name(call: &mut MpiCall<'_>, comm: ArgumentPlace, name: ArgumentPlace) {
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave(|_| {
        let definition = communicators::parent(call.handle(HandleKind::Comm, comm));
        let Some(host) = host().filter(|_| is_done && definition != 0) else { return };
        let payload = host.definitions.payload(definition);
        let is_alone = payload.size == 1 && payload.remote == 0;
        let is_only = world::world().is_some_and(|world| world.size == 1);
        if payload.rank == 0 && (!is_alone || is_only) {
            host.definitions.name_communicator(definition, &call.text(name));
        }
    });
}

/// The name of a grid, such as `MPI_Cartesian_2x3`.
fn grid_name(prefix: &str, dimensions: &[(u32, bool)]) -> String {
    let sizes: Vec<String> = dimensions.iter().map(|(size, _)| size.to_string()).collect();
    format!("{prefix}MPI_Cartesian_{}", sizes.join("x"))
}

/// Defines a grid and the place of this process in it.
fn define_grid(prefix: &str, definition: u32, comm: usize, dimensions: &[(u32, bool)]) {
    let Some(host) = host() else { return };
    let mut rank: c_int = 0;
    let mut place = vec![0 as c_int; dimensions.len()];
    pmpi!(c"PMPI_Comm_rank", comm, &raw mut rank);
    pmpi!(c"PMPI_Cart_coords", comm, rank, place.len(), place.as_mut_ptr());
    let place: Vec<u32> = place.into_iter().map(c_int::cast_unsigned).collect();
    let name = grid_name(prefix, dimensions);
    let topology = host.definitions.cartesian(name.as_bytes(), definition, dimensions);
    let thread = current::location().map_or(0, |location| location.id);
    host.definitions.coordinates(topology, rank.cast_unsigned(), thread, &place);
}

pub(super) fn cart_create(
    call: &mut MpiCall<'_>,
    parent: usize,
    shape: [ArgumentPlace; 3],
    new: ArgumentPlace,
) {
    let [dimensions, sizes, periods] = shape;
    create(call, parent, new, Named::Parent, |call, definition, comm| {
        if options::has_topologies() {
            let count = usize::try_from(call.int(dimensions)).unwrap_or(0);
            let of = |place| (call.int_at(sizes, place).cast_unsigned(), call.int_at(periods, place) != 0);
            let dimensions: Vec<(u32, bool)> = (0..count).map(of).collect();
            define_grid("", definition, comm, &dimensions);
        }
    });
}

pub(super) fn cart_sub(call: &mut MpiCall<'_>, parent: usize, new: ArgumentPlace) {
    create(call, parent, new, Named::Parent, |_, definition, comm| {
        let mut count: c_int = 0;
        pmpi!(c"PMPI_Cartdim_get", comm, &raw mut count);
        let count = usize::try_from(count).unwrap_or(0);
        let mut parts = [0; 3].map(|zero: c_int| vec![zero; count]);
        let [sizes, periods, place] = &mut parts;
        let (sizes, periods, place) = (sizes.as_mut_ptr(), periods.as_mut_ptr(), place.as_mut_ptr());
        pmpi!(c"PMPI_Cart_get", comm, count, sizes, periods, place);
        let [sizes, periods, _] = parts;
        let pairs = sizes.into_iter().zip(periods);
        let dimensions: Vec<(u32, bool)> =
            pairs.map(|(size, period)| (size.cast_unsigned(), period != 0)).collect();
        define_grid("Sub ", definition, comm, &dimensions);
    });
}

pub(super) fn create_group(call: &mut MpiCall<'_>, group: ArgumentPlace) {
    let scope = Scope::enter(call, |_| {});
    let is_done = call.execute();
    scope.leave(|_| {
        if is_done {
            groups::add(call.abi, call.handle_at(HandleKind::Group, group, 0));
        }
    });
}

pub(super) fn free_group(call: &mut MpiCall<'_>, group: ArgumentPlace) {
    let scope = Scope::enter(call, |_| groups::remove(call.handle_at(HandleKind::Group, group, 0)));
    call.execute();
    scope.leave(|_| {});
}
