/* How the tool comes to be called in place of a function of Valgrind: it is
 * linked with --wrap=SYMBOL, so that whoever calls SYMBOL calls
 * __wrap_SYMBOL, and __real_SYMBOL is the function itself. Calls within the
 * file that defines it stay as they are. A declaration that ends with one of
 * these is of a C function that the linker knows by this name. */
#ifndef CG2_WRAP_H
#define CG2_WRAP_H

#define CG2_WRAP(symbol) __asm__("__wrap_" symbol)
#define CG2_REAL(symbol) __asm__("__real_" symbol)

#endif
