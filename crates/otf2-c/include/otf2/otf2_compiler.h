/* SPDX-License-Identifier: BSD-3-Clause */
#ifndef OTF2_COMPILER_H
#define OTF2_COMPILER_H

/**
 * @file
 * Words for compilers that the other headers use.
 *
 * A program that defines `OTF2_IGNORE_ATTRIBUTE_DEPRECATED` before it includes a header of OTF2 is
 * compiled without warnings about deprecated functions and constants.
 */

/**
 * @def __otf2_deprecated__
 * Marks a function or a constant that new programs should not use. Empty for compilers that cannot
 * mark constants: GCC before 6, and those of PGI.
 */
#if defined( OTF2_IGNORE_ATTRIBUTE_DEPRECATED ) || defined( __PGI )
#define __otf2_deprecated__
#elif defined( __clang__ ) || ( defined( __GNUC__ ) && __GNUC__ >= 6 )
#define __otf2_deprecated__ __attribute__( ( deprecated ) )
#else
#define __otf2_deprecated__
#endif

/**
 * @def __otf2_extension__
 * Precedes an enumeration whose values need 32 bits without a sign, which
 * ISO C did not allow before C23, and which all compilers accept.
 */
#if defined( __GNUC__ )
#define __otf2_extension__ __extension__
#else
#define __otf2_extension__
#endif

#endif /* OTF2_COMPILER_H */
