/* SPDX-License-Identifier: BSD-3-Clause */
//@ generated OTF2_Definitions.h
#ifndef OTF2_DEFINITIONS_H
#define OTF2_DEFINITIONS_H

/**
 * @file
 * Enumerations and flags of definition records.
 */

#include "otf2_compiler.h"
#include <otf2/OTF2_ErrorCodes.h>
#include <otf2/OTF2_GeneralDefinitions.h>

#ifdef __cplusplus
extern "C" {
#endif

//@ enum SystemTreeDomain

//@ enum LocationGroupType

//@ enum LocationType

//@ enum RegionRole

//@ enum RegionFlag

//@ enum GroupType

//@ enum GroupFlag

//@ enum Base

//@ enum MetricOccurrence

//@ enum MetricType

//@ enum MetricValueProperty

//@ enum MetricTiming

//@ enum MetricMode

//@ enum MetricScope

//@ enum RecorderKind

//@ enum ParameterType

//@ enum CartPeriodicity

//@ enum InterruptGeneratorMode

//@ enum IoParadigmClass

//@ enum IoParadigmFlag

//@ enum IoParadigmProperty

//@ enum IoHandleFlag

//@ enum IoAccessMode

//@ enum IoStatusFlag

//@ enum CommFlag

//@ enum RmaWinFlag

#ifdef __cplusplus
}
#endif

#endif /* OTF2_DEFINITIONS_H */
