/* Cartesian and graph topologies on four ranks. Neighbourhood collectives have regions only. */
#include "check.h"

int main(void) {
    MPI_Comm grid, row, ring, directed;
    MPI_Request request;
    int dims[2] = {0, 0}, periods[2] = {1, 0}, coords[2], source, target, dimensions, kind, neighbours[4];
    int sent[4] = {1, 2, 3, 4}, received[4];
    begin(4);
    MPI_Dims_create(4, 2, dims);
    CHECK(dims[0] == 2 && dims[1] == 2);
    MPI_Cart_create(MPI_COMM_WORLD, 2, dims, periods, 0, &grid);
    MPI_Cart_coords(grid, rank, 2, coords);
    CHECK(coords[0] == rank / 2 && coords[1] == rank % 2);
    MPI_Cart_rank(grid, coords, &target);
    CHECK(target == rank);
    MPI_Cart_shift(grid, 1, 1, &source, &target);
    /* The open dimension: one of the two is MPI_PROC_NULL. */
    MPI_Sendrecv(sent, 2, MPI_INT, target, 1, received, 2, MPI_INT, source, 1, grid, MPI_STATUS_IGNORE);
    MPI_Cartdim_get(grid, &dimensions);
    MPI_Cart_get(grid, 2, dims, periods, coords);
    CHECK(dimensions == 2 && periods[0] && !periods[1]);
    MPI_Neighbor_allgather(sent, 1, MPI_INT, received, 1, MPI_INT, grid);
    MPI_Cart_sub(grid, (int[]){0, 1}, &row);
    MPI_Barrier(row);
    MPI_Graph_create(MPI_COMM_WORLD, 4, (int[]){2, 4, 6, 8}, (int[]){3, 1, 0, 2, 1, 3, 2, 0}, 0, &ring);
    MPI_Graph_neighbors_count(ring, rank, &dimensions);
    MPI_Graph_neighbors(ring, rank, 2, neighbours);
    MPI_Topo_test(ring, &kind);
    CHECK(dimensions == 2 && kind == MPI_GRAPH);
    source = (rank + 3) % 4, target = (rank + 1) % 4;
    MPI_Dist_graph_create_adjacent(MPI_COMM_WORLD, 1, &source, MPI_UNWEIGHTED, 1, &target, MPI_UNWEIGHTED,
                                   MPI_INFO_NULL, 0, &directed);
    MPI_Ineighbor_alltoall(&rank, 1, MPI_INT, received, 1, MPI_INT, directed, &request);
    MPI_Wait(&request, MPI_STATUS_IGNORE);
    CHECK(received[0] == source);
    MPI_Comm_free(&directed);
    MPI_Comm_free(&ring);
    MPI_Comm_free(&row);
    MPI_Comm_free(&grid);
    MPI_Finalize();
    return 0;
}
