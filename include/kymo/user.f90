! Manual instrumentation for Fortran (2003 and later): regions, parameters, counters, switching
! recording off and on.
!
! Compile this file with the program, and before the files that use it:
!
!     gfortran -c <prefix>/include/kymo/user.f90
!
!     use kymo_user
!     integer(kymo_handle), save :: solve = 0      ! 0 until its first use
!     call kymo_region_begin(solve, 'solve')
!     call kymo_region_end(solve)
!
! Linking is not necessary. Under `kymo record` the calls reach the runtime; in any other run each
! of them looks for it once and then does nothing. C libraries before glibc 2.34 need -ldl.
! <kymo/runtime.h> documents the calls.
module kymo_user
    use, intrinsic :: iso_c_binding
    implicit none
    private

    integer, parameter, public :: kymo_handle = c_int64_t
    public :: kymo_region_begin, kymo_region_end, kymo_region_begin_by_name, kymo_region_end_by_name
    public :: kymo_parameter, kymo_counter
    public :: kymo_recording_on, kymo_recording_off, kymo_recording_is_on, kymo_is_measuring

    !> A value of the current call: handle, name, value.
    interface kymo_parameter
        module procedure parameter_int, parameter_long, parameter_string
    end interface

    !> A value at a point in time: handle, name, unit, value.
    interface kymo_counter
        module procedure counter_int, counter_long, counter_double
    end interface

    integer(c_int32_t), parameter :: common_region = 0, no_line = 0
    integer(c_int32_t), parameter :: metric_int64 = 0, metric_double = 2, global = 0

    !> The functions of the runtime; not associated without it.
    abstract interface
        subroutine call_begin(handle, name, kind, file, line) bind(c)
            import
            integer(c_int64_t) :: handle
            character(kind=c_char) :: name(*)
            integer(c_int32_t), value :: kind, line
            type(c_ptr), value :: file
        end subroutine
        subroutine call_begin_by_name(name, kind, file, line) bind(c)
            import
            character(kind=c_char) :: name(*)
            integer(c_int32_t), value :: kind, line
            type(c_ptr), value :: file
        end subroutine
        subroutine call_name(name) bind(c)
            import
            character(kind=c_char) :: name(*)
        end subroutine
        subroutine call_handle(handle) bind(c)
            import
            integer(c_int64_t), value :: handle
        end subroutine
        subroutine call_parameter_int64(handle, name, number) bind(c)
            import
            integer(c_int64_t) :: handle
            character(kind=c_char) :: name(*)
            integer(c_int64_t), value :: number
        end subroutine
        subroutine call_parameter_string(handle, name, text) bind(c)
            import
            integer(c_int64_t) :: handle
            character(kind=c_char) :: name(*), text(*)
        end subroutine
        subroutine call_define(handle, name, unit, kind, context) bind(c)
            import
            integer(c_int64_t) :: handle
            character(kind=c_char) :: name(*), unit(*)
            integer(c_int32_t), value :: kind, context
        end subroutine
        subroutine call_int64(handle, number) bind(c)
            import
            integer(c_int64_t), value :: handle, number
        end subroutine
        subroutine call_double(handle, number) bind(c)
            import
            integer(c_int64_t), value :: handle
            real(c_double), value :: number
        end subroutine
        subroutine call_plain() bind(c)
        end subroutine
        function call_int() bind(c)
            import
            integer(c_int) :: call_int
        end function
    end interface

    interface
        function dlsym(library, name) bind(c)
            import
            type(c_ptr), value :: library
            character(kind=c_char) :: name(*)
            type(c_funptr) :: dlsym
        end function
    end interface

contains

    !> Returns the function of this name, in whichever library it is.
    function found(name) result(address)
        character(*), intent(in) :: name
        type(c_funptr) :: address
        address = dlsym(c_null_ptr, name // c_null_char)
    end function

    !> Enters the region of a handle; the first call names it.
    subroutine kymo_region_begin(handle, name)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name
        procedure(call_begin), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (.not. is_known) call c_f_procpointer(found('kymo_user_region_begin'), reach)
        is_known = .true.
        if (associated(reach)) call reach(handle, trim(name) // c_null_char, common_region, c_null_ptr, no_line)
    end subroutine

    !> Leaves the region of a handle.
    subroutine kymo_region_end(handle)
        integer(kymo_handle), intent(in) :: handle
        procedure(call_handle), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (.not. is_known) call c_f_procpointer(found('kymo_user_region_end'), reach)
        is_known = .true.
        if (associated(reach)) call reach(handle)
    end subroutine

    !> Enters the region of this name.
    subroutine kymo_region_begin_by_name(name)
        character(*), intent(in) :: name
        procedure(call_begin_by_name), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (.not. is_known) call c_f_procpointer(found('kymo_user_region_begin_by_name'), reach)
        is_known = .true.
        if (associated(reach)) call reach(trim(name) // c_null_char, common_region, c_null_ptr, no_line)
    end subroutine

    !> Leaves the region of this name.
    subroutine kymo_region_end_by_name(name)
        character(*), intent(in) :: name
        procedure(call_name), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (.not. is_known) call c_f_procpointer(found('kymo_user_region_end_by_name'), reach)
        is_known = .true.
        if (associated(reach)) call reach(trim(name) // c_null_char)
    end subroutine

    subroutine parameter_long(handle, name, number)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name
        integer(c_int64_t), intent(in) :: number
        procedure(call_parameter_int64), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (.not. is_known) call c_f_procpointer(found('kymo_user_parameter_int64'), reach)
        is_known = .true.
        if (associated(reach)) call reach(handle, trim(name) // c_null_char, number)
    end subroutine

    subroutine parameter_int(handle, name, number)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name
        integer(c_int32_t), intent(in) :: number
        call parameter_long(handle, name, int(number, c_int64_t))
    end subroutine

    subroutine parameter_string(handle, name, text)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name, text
        procedure(call_parameter_string), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (.not. is_known) call c_f_procpointer(found('kymo_user_parameter_string'), reach)
        is_known = .true.
        if (associated(reach)) call reach(handle, trim(name) // c_null_char, trim(text) // c_null_char)
    end subroutine

    subroutine define(handle, name, unit, kind)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name, unit
        integer(c_int32_t), intent(in) :: kind
        procedure(call_define), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (.not. is_known) call c_f_procpointer(found('kymo_user_metric_define'), reach)
        is_known = .true.
        if (associated(reach)) call reach(handle, trim(name) // c_null_char, trim(unit) // c_null_char, kind, global)
    end subroutine

    subroutine counter_long(handle, name, unit, number)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name, unit
        integer(c_int64_t), intent(in) :: number
        procedure(call_int64), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (handle == 0) call define(handle, name, unit, metric_int64)
        if (.not. is_known) call c_f_procpointer(found('kymo_user_metric_int64'), reach)
        is_known = .true.
        if (associated(reach)) call reach(handle, number)
    end subroutine

    subroutine counter_int(handle, name, unit, number)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name, unit
        integer(c_int32_t), intent(in) :: number
        call counter_long(handle, name, unit, int(number, c_int64_t))
    end subroutine

    subroutine counter_double(handle, name, unit, number)
        integer(kymo_handle), intent(inout) :: handle
        character(*), intent(in) :: name, unit
        real(c_double), intent(in) :: number
        procedure(call_double), pointer, save :: reach => null()
        logical, save :: is_known = .false.
        if (handle == 0) call define(handle, name, unit, metric_double)
        if (.not. is_known) call c_f_procpointer(found('kymo_user_metric_double'), reach)
        is_known = .true.
        if (associated(reach)) call reach(handle, number)
    end subroutine

    !> Switches the recording of the whole process on.
    subroutine kymo_recording_on()
        procedure(call_plain), pointer :: reach
        call c_f_procpointer(found('kymo_user_recording_enable'), reach)
        if (associated(reach)) call reach()
    end subroutine

    !> Switches the recording of the whole process off.
    subroutine kymo_recording_off()
        procedure(call_plain), pointer :: reach
        call c_f_procpointer(found('kymo_user_recording_disable'), reach)
        if (associated(reach)) call reach()
    end subroutine

    !> Returns whether events are being recorded.
    function kymo_recording_is_on() result(is_on)
        logical :: is_on
        procedure(call_int), pointer :: reach
        is_on = .false.
        call c_f_procpointer(found('kymo_user_recording_is_on'), reach)
        if (associated(reach)) is_on = reach() /= 0
    end function

    !> Returns whether this process is being measured.
    function kymo_is_measuring() result(is_measured)
        logical :: is_measured
        procedure(call_int), pointer :: reach
        is_measured = .false.
        call c_f_procpointer(found('kymo_runtime_is_measuring'), reach)
        if (associated(reach)) is_measured = reach() /= 0
    end function

end module kymo_user
