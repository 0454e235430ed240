/* The data symbols by which Open MPI is recognised. Their addresses are its handles. */
int ompi_mpi_comm_world, ompi_mpi_comm_self, ompi_mpi_comm_null, ompi_mpi_group_null, ompi_mpi_win_null;
int ompi_mpi_file_null, ompi_request_null, ompi_mpi_datatype_null, ompi_message_no_proc, ompi_mpi_byte;
int ompi_mpi_errors_return, ompi_message_null;
