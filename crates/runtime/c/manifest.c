/* SPDX-License-Identifier: BSD-3-Clause */
/* The functions with which a host's plugins write the manifest of the experiment directory. They
   are in C because one of them takes variable arguments. */
#include <stdarg.h>
#include <stdio.h>

/* Writes a heading. */
void kymo_manifest_section(FILE* out, const char* title);
void kymo_manifest_section(FILE* out, const char* title)
{
    fprintf(out, "\n## %s\n\n", title);
}

/* Writes an entry for a file of the experiment directory: its name, then a description in printf format. */
void kymo_manifest_entry(FILE* out, const char* file, const char* format, ...);
void kymo_manifest_entry(FILE* out, const char* file, const char* format, ...)
{
    va_list arguments;
    fprintf(out, "* `%s`: ", file);
    va_start(arguments, format);
    vfprintf(out, format, arguments);
    va_end(arguments);
    fputc('\n', out);
}
