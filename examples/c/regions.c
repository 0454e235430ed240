// Prints how often each region of an OTF2 archive was entered:
//
//     regions ARCHIVE/traces.otf2
//
// It uses only functions of libotf2, and builds with that library as well.

#include <otf2/otf2.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MOST = 4096 };

static char *strings[MOST];
static OTF2_StringRef region_names[MOST];
static unsigned long visits[MOST];
static OTF2_LocationRef locations[MOST];
static int location_count;

static OTF2_CallbackCode define_string(void *user, OTF2_StringRef self, const char *text) {
    (void)user;
    if (self < MOST && !strings[self]) strings[self] = strdup(text);
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_region(void *user, OTF2_RegionRef self, OTF2_StringRef name,
                                       OTF2_StringRef canonical, OTF2_StringRef description, OTF2_RegionRole role,
                                       OTF2_Paradigm paradigm, OTF2_RegionFlag flags, OTF2_StringRef file,
                                       uint32_t begin, uint32_t end) {
    (void)user, (void)canonical, (void)description, (void)role, (void)paradigm, (void)flags, (void)file;
    (void)begin, (void)end;
    if (self < MOST) region_names[self] = name;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode define_location(void *user, OTF2_LocationRef self, OTF2_StringRef name,
                                         OTF2_LocationType type, uint64_t events, OTF2_LocationGroupRef group) {
    (void)user, (void)name, (void)type, (void)events, (void)group;
    if (location_count < MOST) locations[location_count++] = self;
    return OTF2_CALLBACK_SUCCESS;
}

static OTF2_CallbackCode enter(OTF2_LocationRef location, OTF2_TimeStamp time, void *user,
                               OTF2_AttributeList *attributes, OTF2_RegionRef region) {
    (void)location, (void)time, (void)user, (void)attributes;
    if (region < MOST) visits[region]++;
    return OTF2_CALLBACK_SUCCESS;
}

static void read_definitions(OTF2_Reader *reader) {
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader);
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, define_string);
    OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, define_region);
    OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, define_location);
    OTF2_Reader_RegisterGlobalDefCallbacks(reader, definitions, callbacks, NULL);
    uint64_t count;
    OTF2_Reader_ReadAllGlobalDefinitions(reader, definitions, &count);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    OTF2_Reader_CloseGlobalDefReader(reader, definitions);
}

// Opens the events of all locations. Their own definitions map their ids to the global ones.
static void open_locations(OTF2_Reader *reader) {
    for (int i = 0; i < location_count; i++) OTF2_Reader_SelectLocation(reader, locations[i]);
    int have_definitions = OTF2_Reader_OpenDefFiles(reader) == OTF2_SUCCESS;
    OTF2_Reader_OpenEvtFiles(reader);
    for (int i = 0; i < location_count; i++) {
        OTF2_DefReader *definitions = have_definitions ? OTF2_Reader_GetDefReader(reader, locations[i]) : NULL;
        if (definitions) {
            uint64_t count;
            OTF2_Reader_ReadAllLocalDefinitions(reader, definitions, &count);
            OTF2_Reader_CloseDefReader(reader, definitions);
        }
        OTF2_Reader_GetEvtReader(reader, locations[i]);
    }
    if (have_definitions) OTF2_Reader_CloseDefFiles(reader);
}

static OTF2_ErrorCode read_events(OTF2_Reader *reader) {
    open_locations(reader);
    OTF2_GlobalEvtReader *events = OTF2_Reader_GetGlobalEvtReader(reader);
    OTF2_GlobalEvtReaderCallbacks *callbacks = OTF2_GlobalEvtReaderCallbacks_New();
    OTF2_GlobalEvtReaderCallbacks_SetEnterCallback(callbacks, enter);
    OTF2_Reader_RegisterGlobalEvtCallbacks(reader, events, callbacks, NULL);
    uint64_t count;
    OTF2_ErrorCode status = OTF2_Reader_ReadAllGlobalEvents(reader, events, &count);
    OTF2_GlobalEvtReaderCallbacks_Delete(callbacks);
    OTF2_Reader_CloseGlobalEvtReader(reader, events);
    OTF2_Reader_CloseEvtFiles(reader);
    return status;
}

int main(int argc, char **argv) {
    if (argc != 2) return 2;
    OTF2_Reader *reader = OTF2_Reader_Open(argv[1]);
    if (!reader) return 1;
    OTF2_Reader_SetSerialCollectiveCallbacks(reader);
    read_definitions(reader);
    OTF2_ErrorCode status = read_events(reader);
    for (int region = 0; region < MOST; region++) {
        OTF2_StringRef name = region_names[region];
        if (visits[region]) printf("%lu %s\n", visits[region], name < MOST && strings[name] ? strings[name] : "?");
    }
    OTF2_Reader_Close(reader);
    for (int string = 0; string < MOST; string++) free(strings[string]);
    return status != OTF2_SUCCESS;
}
