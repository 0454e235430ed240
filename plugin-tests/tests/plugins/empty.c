/* SPDX-License-Identifier: BSD-3-Clause */
/* A substrate plugin that implements nothing: every function of its description is null. */
#include <kymo/substrate.h>

SCOREP_SUBSTRATE_PLUGIN_ENTRY(empty)
{
    SCOREP_SubstratePluginInfo info = { .plugin_version = 2 };
    return info;
}
