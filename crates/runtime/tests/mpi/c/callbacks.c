/* Functions of the program that MPI calls, and that call MPI: reduction, attributes, error handler.
 * Their calls are no events. */
#include "check.h"

static int copied, deleted, handled, reduced, order[2], ended;

static void add(void *in, void *inout, int *count, MPI_Datatype *type) {
    int bytes, r;
    MPI_Type_size(*type, &bytes);
    MPI_Comm_rank(MPI_COMM_WORLD, &r);
    for (int n = 0; n < *count; n++) ((int *)inout)[n] += ((int *)in)[n];
    reduced++;
}

static int copy(MPI_Comm comm, int keyval, void *extra, void *in, void *out, int *flag) {
    int members;
    MPI_Comm_size(comm, &members);
    *(void **)out = in;
    *flag = 1;
    copied++;
    (void)keyval, (void)extra;
    return MPI_SUCCESS;
}

static int delete(MPI_Comm comm, int keyval, void *value, void *extra) {
    int members;
    MPI_Comm_size(comm, &members);
    deleted++;
    (void)keyval, (void)value, (void)extra;
    return MPI_SUCCESS;
}

/* MPI_Finalize calls it, before anything else: MPI still works, and the last attribute is first. */
static int at_the_end(MPI_Comm comm, int keyval, void *value, void *extra) {
    int members, flag;
    MPI_Comm_size(comm, &members);
    MPI_Finalized(&flag);
    if (members == 1 && !flag && ended < 2) order[ended++] = *(int *)value;
    (void)keyval, (void)extra;
    return MPI_SUCCESS;
}

static void handle(MPI_Comm *comm, int *code, ...) {
    char text[MPI_MAX_ERROR_STRING];
    int length, r;
    MPI_Error_string(*code, text, &length);
    MPI_Comm_rank(*comm, &r);
    handled++;
}

int main(void) {
    MPI_Op op;
    MPI_Comm other;
    MPI_Errhandler handler;
    int key, last, sum[2] = {1, 2}, size_of_null;
    static int values[2] = {1, 2};
    begin(2);
    MPI_Op_create(add, 1, &op);
    MPI_Allreduce(MPI_IN_PLACE, sum, 2, MPI_INT, op, MPI_COMM_WORLD);
    CHECK(sum[1] == 4 && reduced);
    MPI_Op_free(&op);
    MPI_Comm_create_keyval(copy, delete, &key, NULL);
    MPI_Comm_set_attr(MPI_COMM_WORLD, key, sum);
    MPI_Comm_dup(MPI_COMM_WORLD, &other);
    CHECK(copied == 1);
    MPI_Comm_create_errhandler(handle, &handler);
    MPI_Comm_set_errhandler(other, handler);
    MPI_Comm_call_errhandler(other, MPI_ERR_OTHER);
    CHECK(handled == 1);
    MPI_Comm_set_errhandler(MPI_COMM_WORLD, MPI_ERRORS_RETURN);
    CHECK(MPI_Comm_size(MPI_COMM_NULL, &size_of_null) != MPI_SUCCESS);
    MPI_Comm_free(&other);
    CHECK(deleted == 1);
    MPI_Comm_delete_attr(MPI_COMM_WORLD, key);
    for (int n = 0; n < 2; n++) {
        MPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_the_end, &last, NULL);
        MPI_Comm_set_attr(MPI_COMM_SELF, last, &values[n]);
    }
    MPI_Finalize();
    if (ended == 2 && order[0] == 2 && order[1] == 1) return 0;
    fprintf(stderr, "%d attributes were deleted, %d first\n", ended, order[0]);
    return 3;
}
