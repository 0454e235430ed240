! Every procedure of kymo/user.f90.
program user
    use kymo_user
    implicit none
    integer(kymo_handle), save :: phase = 0, size_handle = 0, mode = 0, residual = 0, count_handle = 0
    integer :: i
    call kymo_region_begin(phase, 'phase  ')
    call kymo_parameter(size_handle, 'size', 8)
    call kymo_parameter(mode, 'mode', 'fast')
    do i = 1, 2
        call kymo_counter(residual, 'residual', '1', 0.5d0 * i)
        call kymo_counter(count_handle, 'count', '1', i)
    end do
    call kymo_region_end(phase)
    call kymo_region_begin_by_name('named')
    call kymo_region_end_by_name('named')
    call kymo_recording_off()
    call kymo_recording_on()
    flush(6)
    print '(a, l1, a, l1)', 'recording ', kymo_recording_is_on(), ', measuring ', kymo_is_measuring()
end program user
