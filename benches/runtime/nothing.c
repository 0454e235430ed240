/* A plugin without event functions: only the cost of the runtime remains. */
#include <kymo/substrate.h>

static int init(void) {
    return 0;
}

SCOREP_SUBSTRATE_PLUGIN_ENTRY(nothing) {
    SCOREP_SubstratePluginInfo info = {.plugin_version = SCOREP_SUBSTRATE_PLUGIN_VERSION, .init = init};
    return info;
}
