# CG2_VALGRIND(OLDEST)
#
# Finds an installed Valgrind: the one in --with-valgrind=DIR, else the one that
# pkg-config knows. Sets and substitutes
#   valgrind_prefix      DIR: holds bin, include/valgrind, libexec/valgrind
#   valgrind_home        the same where cg2 will run: DIR, or --with-valgrind-home
#   valgrind_version     its version
#   valgrind_lib         the directory of libcoregrind-*.a and libvex-*.a
#   valgrind_load        the address that tools are linked to
#   valgrind_platform    amd64-linux and the like
#
# The paths come from where valgrind.pc lies, not from what it says: the one of
# an unpacked Debian package says /usr.
AC_DEFUN([CG2_VALGRIND], [
   AC_ARG_WITH([valgrind],
      [AS_HELP_STRING([--with-valgrind=DIR],
         [build for the Valgrind whose prefix is DIR])])
   AC_ARG_WITH([valgrind-home],
      [AS_HELP_STRING([--with-valgrind-home=DIR],
         [the prefix of that Valgrind where cg2 will run, if it is not where it is now])])
   AC_PATH_TOOL([PKG_CONFIG], [pkg-config])
   AS_IF([test -z "$PKG_CONFIG"],
      [AC_MSG_ERROR([pkg-config not found: install it (apt-get install pkg-config)])])

   AC_MSG_CHECKING([for Valgrind])
   AS_CASE([$with_valgrind], [''|yes|no], [valgrind_pc=valgrind], [
      valgrind_pc=`ls "$with_valgrind"/lib*/pkgconfig/valgrind.pc \
                      "$with_valgrind"/lib/*/pkgconfig/valgrind.pc 2>/dev/null | head -n 1`
      AS_IF([test -z "$valgrind_pc"],
         [AC_MSG_ERROR([no lib*/pkgconfig/valgrind.pc in $with_valgrind: --with-valgrind takes the prefix of an installed Valgrind])])
   ])
   AS_IF([$PKG_CONFIG --exists "$valgrind_pc"], [],
      [AC_MSG_ERROR([Valgrind's development files not found: install them (apt-get install valgrind) or name another Valgrind with --with-valgrind=DIR])])

   valgrind_version=`$PKG_CONFIG --modversion "$valgrind_pc"`
   valgrind_platform=`$PKG_CONFIG --variable=platform "$valgrind_pc"`
   valgrind_load=`$PKG_CONFIG --variable=valt_load_address "$valgrind_pc"`
   valgrind_lib=`$PKG_CONFIG --variable=pcfiledir "$valgrind_pc"`
   valgrind_lib=`cd "$valgrind_lib/../valgrind" 2>/dev/null && pwd`
   AS_CASE([$with_valgrind],
      [''|yes|no], [valgrind_prefix=`$PKG_CONFIG --variable=prefix valgrind`],
      [valgrind_prefix=`cd "$with_valgrind" && pwd`])
   AC_MSG_RESULT([$valgrind_version in $valgrind_prefix])

   AS_VERSION_COMPARE([$valgrind_version], [$1],
      [AC_MSG_ERROR([Valgrind $valgrind_version in $valgrind_prefix is too old: cg2 needs $1 or later])])
   for valgrind_file in "$valgrind_prefix/bin/valgrind" \
      "$valgrind_prefix/include/valgrind/pub_tool_tooliface.h" \
      "$valgrind_prefix/libexec/valgrind/default.supp" \
      "$valgrind_lib/libcoregrind-$valgrind_platform.a" \
      "$valgrind_lib/libvex-$valgrind_platform.a"; do
      AS_IF([test ! -f "$valgrind_file"],
         [AC_MSG_ERROR([$valgrind_file not found: the Valgrind in $valgrind_prefix is not complete, install its development files too])])
   done

   AS_CASE([$with_valgrind_home],
      [''|yes|no], [valgrind_home=$valgrind_prefix],
      [/*], [valgrind_home=$with_valgrind_home],
      [AC_MSG_ERROR([--with-valgrind-home=$with_valgrind_home: a prefix begins with /])])

   AC_SUBST([valgrind_prefix])
   AC_SUBST([valgrind_home])
   AC_SUBST([valgrind_version])
   AC_SUBST([valgrind_lib])
   AC_SUBST([valgrind_load])
   AC_SUBST([valgrind_platform])
])

# CG2_PLATFORM(NAME, ARCHITECTURE, [FLAG], [CONDITION])
#
# Decides whether to build the tool for ARCHITECTURE on Linux, for which the
# compiler needs FLAG: when CONDITION holds, this Valgrind has the libraries, and
# the compiler links a static program without libc. Sets the condition NAME,
# substitutes NAME_FLAGS, and adds to cg2_platforms.
AC_DEFUN([CG2_PLATFORM], [
   AC_MSG_CHECKING([whether to build for $2-linux])
   $1_FLAGS="$3 -DVGA_$2=1 -DVGO_linux=1 -DVGP_$2_linux=1 -DVGPV_$2_linux_vanilla=1"
   cg2_build_$1=no
   AS_IF([test -f "$valgrind_lib/libcoregrind-$2-linux.a" && m4_default([$4], [:])], [
      cg2_saved_CFLAGS=$CFLAGS cg2_saved_LDFLAGS=$LDFLAGS cg2_saved_LIBS=$LIBS
      CFLAGS="$CFLAGS $$1_FLAGS -fno-pic -isystem $valgrind_prefix/include/valgrind"
      LDFLAGS="$LDFLAGS -static -nodefaultlibs -nostartfiles"
      LIBS="-lgcc"
      AC_LINK_IFELSE(
         [AC_LANG_SOURCE([[
            #include "pub_tool_basics.h"
            void _start(void);
            void _start(void) { for (;;) ; }]])],
         [cg2_build_$1=yes])
      CFLAGS=$cg2_saved_CFLAGS LDFLAGS=$cg2_saved_LDFLAGS LIBS=$cg2_saved_LIBS
   ])
   AC_MSG_RESULT([$cg2_build_$1])
   AM_CONDITIONAL([$1], [test $cg2_build_$1 = yes])
   AC_SUBST([$1_FLAGS])
   AS_IF([test $cg2_build_$1 = yes], [cg2_platforms="$cg2_platforms $2-linux"])
])

# CG2_INTERCEPT(ARCHITECTURE, WRAPPED, CALLED)
#
# Looks into Valgrind's libraries for the functions that repeatable runs need,
# which are no part of its interface to tools: those that the tool is called in
# place of, and those that it calls. Sets cg2_can_repeat, cg2_missing and the
# condition REPEATABLE, and substitutes what links the tool so for REPEAT_LINK.
AC_DEFUN([CG2_INTERCEPT], [
   AC_CHECK_TOOL([NM], [nm])
   AC_MSG_CHECKING([whether runs can be repeatable on $1-linux])
   $NM "$valgrind_lib/libcoregrind-$1-linux.a" "$valgrind_lib/libvex-$1-linux.a" \
      >conftest.symbols 2>/dev/null
   REPEAT_LINK= cg2_missing= cg2_can_repeat=yes
   for cg2_symbol in $2 $3; do
      grep -q " T $cg2_symbol\$" conftest.symbols || {
         cg2_can_repeat=no cg2_missing="$cg2_missing $cg2_symbol"; }
   done
   for cg2_symbol in $2; do
      REPEAT_LINK="$REPEAT_LINK -Wl,--wrap=$cg2_symbol"
   done
   AC_MSG_RESULT([$cg2_can_repeat])
   AM_CONDITIONAL([REPEATABLE], [test $cg2_can_repeat = yes])
   AC_SUBST([REPEAT_LINK])
])

# CG2_FIRST_FLAG(VARIABLE, ALWAYS, FLAGS)
#
# Substitutes for VARIABLE the first of FLAGS that the compiler takes together
# with ALWAYS, or nothing.
AC_DEFUN([CG2_FIRST_FLAG], [
   cg2_saved_CFLAGS=$CFLAGS
   $1=
   for cg2_flag in $3; do
      AC_MSG_CHECKING([whether $CC takes $cg2_flag])
      CFLAGS="$cg2_saved_CFLAGS $2 -Werror $cg2_flag"
      AC_COMPILE_IFELSE([AC_LANG_SOURCE([[int cg2_a_declaration;]])],
         [AC_MSG_RESULT([yes]); $1=$cg2_flag; break],
         [AC_MSG_RESULT([no])])
   done
   CFLAGS=$cg2_saved_CFLAGS
   AC_SUBST([$1])
])

# CG2_X86_LINKER
#
# Substitutes for X86_LINKER the option that chooses a linker, if one is needed,
# or "none" when no linker here will do.
# GNU ld 2.40 takes the `push name@GOT(%ebx)` that newer compilers write for a
# jump, and Debian's libcoregrind-x86-linux.a of Valgrind 3.27 has 118 of them.
AC_DEFUN([CG2_X86_LINKER], [
   AC_CHECK_TOOL([OBJDUMP], [objdump])
   cg2_saved_CFLAGS=$CFLAGS cg2_saved_LIBS=$LIBS
   X86_LINKER=none
   for cg2_flag in '' -fuse-ld=gold -fuse-ld=lld; do
      AC_MSG_CHECKING([whether $CC $cg2_flag links x86 code as it should])
      CFLAGS="$cg2_saved_CFLAGS -m32 -static -nodefaultlibs -nostartfiles $cg2_flag"
      LIBS=
      AC_LINK_IFELSE(
         [AC_LANG_SOURCE([[
            __asm__(".globl _start\n"
                    "_start: .byte 0xff, 0xb3\n"
                    "        .long 0\n"
                    "        .reloc _start + 2, R_386_GOT32X, _start\n");]])],
         [AS_IF([$OBJDUMP -d conftest$ac_exeext | grep -q push],
            [X86_LINKER=$cg2_flag])])
      AS_IF([test "$X86_LINKER" = none], [AC_MSG_RESULT([no])],
         [AC_MSG_RESULT([yes]); break])
   done
   CFLAGS=$cg2_saved_CFLAGS LIBS=$cg2_saved_LIBS
   AC_SUBST([X86_LINKER])
])
