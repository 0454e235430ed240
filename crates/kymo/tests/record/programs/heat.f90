! Heat in a rod: a module procedure called seven times, and an external one called once.
module heat
    implicit none
    real :: rod(16) = 0
contains
    subroutine step()
        rod(8) = rod(8) + 1
        rod(2:15) = rod(2:15) + 0.25 * (rod(1:14) - 2 * rod(2:15) + rod(3:16))
    end subroutine step
end module heat

subroutine report(total)
    real, intent(in) :: total
    print '(a, f6.3)', 'heat', total
end subroutine report

program rod_of_iron
    use heat
    implicit none
    integer :: i
    do i = 1, 7
        call step()
    end do
    call report(sum(rod))
    stop 4
end program rod_of_iron
