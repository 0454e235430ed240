/* A plugin that wants no events: what remains is the cost of the runtime. */
#include <kymo/substrate.h>

static int init(void) {
    return 0;
}

SCOREP_SUBSTRATE_PLUGIN_ENTRY(nothing) {
    SCOREP_SubstratePluginInfo info = {.plugin_version = SCOREP_SUBSTRATE_PLUGIN_VERSION, .init = init};
    return info;
}
