/* A whole program without libc: functions of odd names, the first called once,
   the second twice, and so on. The names in capitals are for the test to
   replace by what an assembler does not take. */

   .macro function name:req, calls:req
   .pushsection .text.functions, "ax"
   .type "\name", @function
"\name":
   ret
   .size "\name", . - "\name"
   .popsection
   .rept \calls
   bl "\name"
   .endr
   .endm

   .text

   .globl _start
   .type _start, @function
_start:
   function "(12) id", 1
   function "(x) no id", 2
   function "()", 3
   function " blanks  between ", 4
   function "# hash # tag", 5
   function "größe", 6
   function "fn=(1)", 7
   function "+12", 8
   function "name+12", 9
   function "calls=3 4", 10
   function "0x10 5", 11
   function "CONTROL", 12
   function "LATIN", 13
   function "LONG", 14
   function "QUOTES", 15
   mov x8, #93
   mov x0, #0
   svc #0
   udf #0
   .size _start, . - _start

   .data
   .long 0
