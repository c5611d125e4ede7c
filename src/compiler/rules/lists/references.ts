import type { Rule } from '../rule.js'
import { prerequisitesAreDeclared } from '../prerequisites-are-declared.js'
import { prerequisitesAreOthers } from '../prerequisites-are-others.js'
import { prerequisitesDoNotCycle } from '../prerequisites-do-not-cycle.js'
import { prerequisitesAreListedOnce } from '../prerequisites-are-listed-once.js'
import { prerequisitesHaveReasons } from '../prerequisites-have-reasons.js'
import { stepsAreNotPrerequisites } from '../steps-are-not-prerequisites.js'
import { refreshCapabilitiesAreDeclared } from '../refresh-capabilities-are-declared.js'
import { refreshCapabilitiesAreOthers } from '../refresh-capabilities-are-others.js'
import { refreshesDoNotCycle } from '../refreshes-do-not-cycle.js'
import { refreshingReads } from '../refreshing-reads.js'
import { verifyingCapabilitiesAreDeclared } from '../verifying-capabilities-are-declared.js'
import { verifyingCapabilitiesAreOthers } from '../verifying-capabilities-are-others.js'
import { verifyingReads } from '../verifying-reads.js'
import { readsAreNotVerified } from '../reads-are-not-verified.js'
import { referencesAreListedOnce } from '../references-are-listed-once.js'
import { referencesAreNotScopes } from '../references-are-not-scopes.js'
import { referencesStayInTheService } from '../references-stay-in-the-service.js'
import { prerequisitesAreShallow } from '../prerequisites-are-shallow.js'
import { crossServiceListsAreKnown } from '../cross-service-lists-are-known.js'
import { referencesHaveServiceAndCapability } from '../references-have-service-and-capability.js'
import { otherServicesAreOthers } from '../other-services-are-others.js'
import { crossReferencesAreListedOnce } from '../cross-references-are-listed-once.js'
import { otherServicesDeclareTheCapability } from '../other-services-declare-the-capability.js'
import { referencesAreMappings } from '../references-are-mappings.js'

/** In the order of the interface document. */
export const REFERENCES: readonly Rule[] = [
  // References [2.4]
  prerequisitesAreDeclared,
  prerequisitesAreOthers,
  prerequisitesDoNotCycle,
  prerequisitesAreListedOnce,
  prerequisitesHaveReasons,
  stepsAreNotPrerequisites,
  refreshCapabilitiesAreDeclared,
  refreshCapabilitiesAreOthers,
  refreshesDoNotCycle,
  refreshingReads,
  verifyingCapabilitiesAreDeclared,
  verifyingCapabilitiesAreOthers,
  verifyingReads,
  readsAreNotVerified,
  referencesAreListedOnce,
  referencesAreNotScopes,
  referencesStayInTheService,
  prerequisitesAreShallow,
  // Other services [2.9]
  crossServiceListsAreKnown,
  referencesHaveServiceAndCapability,
  otherServicesAreOthers,
  crossReferencesAreListedOnce,
  otherServicesDeclareTheCapability,
  referencesAreMappings,
]
