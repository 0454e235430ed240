/* SPDX-License-Identifier: BSD-3-Clause */
/*
 * Score-P substrate plugin interface: the functions of the host and the functions of the plugin.
 *
 * A plugin NAME is a shared object libscorep_substrate_NAME.so with one entry,
 * SCOREP_SUBSTRATE_PLUGIN_ENTRY( NAME ). Both structures are the same in Score-P 6.0, 7.x, 8.x and
 * 9.0.
 */
#ifndef KYMO_SUBSTRATE_H
#define KYMO_SUBSTRATE_H

#include <kymo/substrate_events.h>
#include <kymo/substrate_types.h>

#include <stdio.h>

/*
 * The highest version that a released host supports. A host warns about a plugin with a greater
 * version than its own (6.0: 2).
 */
#define SCOREP_SUBSTRATE_PLUGIN_VERSION 3

/* Pointers at the end of SCOREP_SubstratePluginInfo that must be null. */
#define SCOREP_SUBSTRATE_PLUGIN_UNDEFINED_MANAGEMENT_FUNCTIONS 99

/*
 * Functions of the host. Missing entries are null; a later host may append entries, so check the
 * size passed with the table. IPC functions return 0 on success, count elements (per process in
 * gather and scatter), and may be used from init_mpp on. Getters are valid until write_data
 * returns.
 */
typedef struct SCOREP_SubstratePluginCallbacks
{
    /* Experiment directory; null from init_mpp on if no plugin requires it */
    const char* (*SCOREP_GetExperimentDirName)(void);

    /* Communication between the processes of the program */
    int (*SCOREP_Ipc_GetSize)(void);
    int (*SCOREP_Ipc_GetRank)(void);
    int (*SCOREP_Ipc_Send)(const void* buf, int count, SCOREP_Ipc_Datatype datatype, int dest);
    int (*SCOREP_Ipc_Recv)(void* buf, int count, SCOREP_Ipc_Datatype datatype, int source);
    int (*SCOREP_Ipc_Barrier)(void);
    int (*SCOREP_Ipc_Bcast)(void* buf, int count, SCOREP_Ipc_Datatype datatype, int root);
    int (*SCOREP_Ipc_Gather)(
        const void* sendbuf, void* recvbuf, int count, SCOREP_Ipc_Datatype datatype, int root);
    int (*SCOREP_Ipc_Gatherv)(
        const void* sendbuf, int sendcount, void* recvbuf, const int* recvcnts, SCOREP_Ipc_Datatype datatype,
        int root);
    int (*SCOREP_Ipc_Allgather)(const void* sendbuf, void* recvbuf, int count, SCOREP_Ipc_Datatype datatype);
    int (*SCOREP_Ipc_Reduce)(
        const void* sendbuf, void* recvbuf, int count, SCOREP_Ipc_Datatype datatype,
        SCOREP_Ipc_Operation operation, int root);
    int (*SCOREP_Ipc_Allreduce)(
        const void* sendbuf, void* recvbuf, int count, SCOREP_Ipc_Datatype datatype,
        SCOREP_Ipc_Operation operation);
    int (*SCOREP_Ipc_Scatter)(
        const void* sendbuf, void* recvbuf, int count, SCOREP_Ipc_Datatype datatype, int root);
    int (*SCOREP_Ipc_Scatterv)(
        const void* sendbuf, const int* sendcounts, void* recvbuf, int recvcount,
        SCOREP_Ipc_Datatype datatype, int root);

    /* Locations, and one pointer per location and plugin */
    SCOREP_LocationType (*SCOREP_Location_GetType)(const struct SCOREP_Location* locationData);
    const char* (*SCOREP_Location_GetName)(const struct SCOREP_Location* locationData);
    uint32_t (*SCOREP_Location_GetId)(const struct SCOREP_Location* locationData);
    uint64_t (*SCOREP_Location_GetGlobalId)(const struct SCOREP_Location* locationData);
    void (*SCOREP_Location_SetData)(const struct SCOREP_Location* locationData, size_t plugin_id, void* data);
    void* (*SCOREP_Location_GetData)(const struct SCOREP_Location* locationData, size_t plugin_id);

    /* Calling contexts */
    SCOREP_RegionHandle (*SCOREP_CallingContextHandle_GetRegion)(SCOREP_CallingContextHandle handle);
    SCOREP_CallingContextHandle (*SCOREP_CallingContextHandle_GetParent)(SCOREP_CallingContextHandle handle);

    /* Metrics */
    SCOREP_MetricValueType (*SCOREP_MetricHandle_GetValueType)(SCOREP_MetricHandle handle);
    const char* (*SCOREP_MetricHandle_GetName)(SCOREP_MetricHandle handle);
    SCOREP_MetricProfilingType (*SCOREP_MetricHandle_GetProfilingType)(SCOREP_MetricHandle handle);
    SCOREP_MetricMode (*SCOREP_MetricHandle_GetMode)(SCOREP_MetricHandle handle);
    SCOREP_MetricSourceType (*SCOREP_MetricHandle_GetSourceType)(SCOREP_MetricHandle handle);

    /* Paradigms */
    SCOREP_ParadigmClass (*SCOREP_ParadigmHandle_GetClass)(SCOREP_ParadigmHandle handle);
    const char* (*SCOREP_ParadigmHandle_GetName)(SCOREP_ParadigmHandle handle);
    SCOREP_ParadigmType (*SCOREP_ParadigmHandle_GetType)(SCOREP_ParadigmHandle handle);

    /* Parameters */
    const char* (*SCOREP_ParameterHandle_GetName)(SCOREP_ParameterHandle handle);
    SCOREP_ParameterType (*SCOREP_ParameterHandle_GetType)(SCOREP_ParameterHandle handle);

    /* Regions (the file name may be null) */
    uint32_t (*SCOREP_RegionHandle_GetId)(SCOREP_RegionHandle handle);
    const char* (*SCOREP_RegionHandle_GetName)(SCOREP_RegionHandle handle);
    const char* (*SCOREP_RegionHandle_GetCanonicalName)(SCOREP_RegionHandle handle);
    const char* (*SCOREP_RegionHandle_GetFileName)(SCOREP_RegionHandle handle);
    SCOREP_LineNo (*SCOREP_RegionHandle_GetBeginLine)(SCOREP_RegionHandle handle);
    SCOREP_LineNo (*SCOREP_RegionHandle_GetEndLine)(SCOREP_RegionHandle handle);
    SCOREP_RegionType (*SCOREP_RegionHandle_GetType)(SCOREP_RegionHandle handle);
    SCOREP_ParadigmType (*SCOREP_RegionHandle_GetParadigmType)(SCOREP_RegionHandle handle);

    /* Sampling sets */
    uint8_t (*SCOREP_SamplingSetHandle_GetNumberOfMetrics)(SCOREP_SamplingSetHandle handle);
    const SCOREP_MetricHandle* (*SCOREP_SamplingSetHandle_GetMetricHandles)(SCOREP_SamplingSetHandle handle);
    SCOREP_MetricOccurrence (*SCOREP_SamplingSetHandle_GetMetricOccurrence)(SCOREP_SamplingSetHandle handle);
    bool (*SCOREP_SamplingSetHandle_IsScoped)(SCOREP_SamplingSetHandle handle);
    SCOREP_MetricScope (*SCOREP_SamplingSetHandle_GetScope)(SCOREP_SamplingSetHandle handle);
    SCOREP_SamplingSetClass (*SCOREP_SamplingSetHandle_GetSamplingSetClass)(SCOREP_SamplingSetHandle handle);

    /* Source files */
    const char* (*SCOREP_SourceFileHandle_GetName)(SCOREP_SourceFileHandle handle);

    /* Strings */
    const char* (*SCOREP_StringHandle_Get)(SCOREP_StringHandle handle);

    /* Metric values of the event being delivered; only inside an event function */
    void (*SCOREP_Metric_WriteStrictlySynchronousMetrics)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_Substrates_WriteMetricsCb cb);
    void (*SCOREP_Metric_WriteSynchronousMetrics)(
        struct SCOREP_Location* location, uint64_t timestamp, SCOREP_Substrates_WriteMetricsCb cb);
    void (*SCOREP_Metric_WriteAsynchronousMetrics)(
        struct SCOREP_Location* location, SCOREP_Substrates_WriteMetricsCb cb);

    /* Manifest of the experiment directory */
    void (*SCOREP_ConfigManifestSectionHeader)(FILE* out, const char* section);
    void (*SCOREP_ConfigManifestSectionEntry)(
        FILE* out, const char* fileName, const char* descriptionFormatString, ...);
} SCOREP_SubstratePluginCallbacks;

/*
 * Functions of a plugin, in the order in which a host reads them (not the order of calls). Null
 * means "not implemented".
 */
typedef struct SCOREP_SubstratePluginInfo
{
    /* Interface version the plugin was written for */
    uint32_t plugin_version;

    /* First call; no function of the host can be used yet. Returns 0, or the plugin is dropped */
    int (*init)(void);

    /* Key of the plugin's pointer in the locations */
    void (*assign_id)(size_t pluginId);

    /* From here on processes can communicate */
    void (*init_mpp)(void);

    /* Last call */
    void (*finalize)(void);

    /* Locations; delete_location is called after write_data */
    void (*create_location)(
        const struct SCOREP_Location* location, const struct SCOREP_Location* parentLocation);
    void (*activate_cpu_location)(
        const struct SCOREP_Location* location, const struct SCOREP_Location* parentLocation,
        uint32_t forkSequenceCount);
    void (*deactivate_cpu_location)(
        const struct SCOREP_Location* location, const struct SCOREP_Location* parentLocation);
    void (*delete_location)(const struct SCOREP_Location* location);

    /* Before and after definitions become global; all files are written in write_data */
    void (*pre_unify)(void);
    void (*write_data)(void);

    /* Tasks */
    void (*core_task_create)(const struct SCOREP_Location* location, SCOREP_TaskHandle taskHandle);
    void (*core_task_complete)(const struct SCOREP_Location* location, SCOREP_TaskHandle taskHandle);

    /* A new definition; called by any thread, possibly under a lock of the host */
    void (*new_definition_handle)(SCOREP_AnyHandle handle, SCOREP_HandleType type);

    /* Called once per mode: sets an array of event functions by number, returns its length */
    uint32_t (*get_event_functions)(SCOREP_Substrates_Mode mode, SCOREP_Substrates_Callback** functions);

    /* Called before any other function except init; size in bytes */
    void (*set_callbacks)(const SCOREP_SubstratePluginCallbacks* callbacks, size_t size);

    /* Always returns the same for a flag; false for unknown flags */
    bool (*get_requirement)(SCOREP_Substrates_RequirementFlag flag);

    /* Called on rank 0 only, when the experiment directory exists */
    void (*dump_manifest)(FILE* manifestFile, const char* relativeSourceDir, const char* targetDir);

    /* Null */
    void (*undeclared[SCOREP_SUBSTRATE_PLUGIN_UNDEFINED_MANAGEMENT_FUNCTIONS])(void);
} SCOREP_SubstratePluginInfo;

#ifdef __cplusplus
#define KYMO_SUBSTRATE_EXTERN extern "C"
#else
#define KYMO_SUBSTRATE_EXTERN
#endif

/* Head of the entry function's definition. */
#define SCOREP_SUBSTRATE_PLUGIN_ENTRY( name ) \
    KYMO_SUBSTRATE_EXTERN SCOREP_SubstratePluginInfo SCOREP_SubstratePlugin_##name##_get_info( void )

#endif /* KYMO_SUBSTRATE_H */
