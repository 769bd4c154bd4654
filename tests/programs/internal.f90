! An internal procedure that is passed on, which is called by a trampoline.
program internal
   implicit none
   integer :: total
   call run(7, total)
   if (total == 0) stop 1
end program internal

subroutine apply(f, n, total)
   implicit none
   integer, external :: f
   integer, intent(in) :: n
   integer, intent(out) :: total
   integer :: i
   total = 0
   do i = 1, n
      total = total + f(i)
   end do
end subroutine apply

subroutine run(scale, total)
   implicit none
   integer, intent(in) :: scale
   integer, intent(out) :: total
   call apply(inner, 4, total)
contains
   integer function inner(x)
      integer, intent(in) :: x
      inner = x * scale
   end function inner
end subroutine run
