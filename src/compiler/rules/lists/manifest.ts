import type { Rule } from '../rule.js'
import { manifestsHaveCapabilities } from '../manifests-have-capabilities.js'
import { capabilitiesAreNotEmpty } from '../capabilities-are-not-empty.js'
import { capabilitiesAreAMapping } from '../capabilities-are-a-mapping.js'
import { capabilityNamesFitUrls } from '../capability-names-fit-urls.js'
import { capabilitiesAreDeclaredOnce } from '../capabilities-are-declared-once.js'
import { capabilityNamesDifferInLetters } from '../capability-names-differ-in-letters.js'
import { namesAreKeys } from '../names-are-keys.js'
import { servicesHaveIds } from '../services-have-ids.js'
import { jwksUriIsAPath } from '../jwks-uri-is-a-path.js'
import { sha256IsHexadecimal } from '../sha256-is-hexadecimal.js'
import { sha256IsComputed } from '../sha256-is-computed.js'
import { timesAreRfc3339 } from '../times-are-rfc3339.js'
import { manifestsExpireAfterIssue } from '../manifests-expire-after-issue.js'
import { manifestsAreCurrent } from '../manifests-are-current.js'
import { defaultLifetimesFitTheLongest } from '../default-lifetimes-fit-the-longest.js'
import { manifestsAreIssuedInThePast } from '../manifests-are-issued-in-the-past.js'
import { trustLevelIsKnown } from '../trust-level-is-known.js'
import { anchoredTrustHasACadence } from '../anchored-trust-has-a-cadence.js'
import { anchoringIsForAnchoredTrust } from '../anchoring-is-for-anchored-trust.js'
import { cadenceIsKnown } from '../cadence-is-known.js'
import { disclosureMembersAreKnown } from '../disclosure-members-are-known.js'
import { protocolVersionIsComplete } from '../protocol-version-is-complete.js'
import { protocolVersionIsSupported } from '../protocol-version-is-supported.js'
import { featuresExistInTheVersion } from '../features-exist-in-the-version.js'
import { contractVersionIsSemantic } from '../contract-version-is-semantic.js'
import { contractVersionHasNoV } from '../contract-version-has-no-v.js'
import { contractVersionHasNoLeadingZeros } from '../contract-version-has-no-leading-zeros.js'
import { contractVersionIsReleased } from '../contract-version-is-released.js'
import { contractVersionSaysSomething } from '../contract-version-says-something.js'
import { contractVersionIsItsOwn } from '../contract-version-is-its-own.js'

/** In the order of the interface document. */
export const MANIFEST: readonly Rule[] = [
  // Manifest [2.3]
  manifestsHaveCapabilities,
  capabilitiesAreNotEmpty,
  capabilitiesAreAMapping,
  capabilityNamesFitUrls,
  capabilitiesAreDeclaredOnce,
  capabilityNamesDifferInLetters,
  namesAreKeys,
  servicesHaveIds,
  jwksUriIsAPath,
  sha256IsHexadecimal,
  sha256IsComputed,
  timesAreRfc3339,
  manifestsExpireAfterIssue,
  manifestsAreCurrent,
  manifestsAreIssuedInThePast,
  defaultLifetimesFitTheLongest,
  // Trust and discovery [2.1]
  trustLevelIsKnown,
  anchoredTrustHasACadence,
  anchoringIsForAnchoredTrust,
  cadenceIsKnown,
  disclosureMembersAreKnown,
  // Versions [9]
  protocolVersionIsComplete,
  protocolVersionIsSupported,
  featuresExistInTheVersion,
  contractVersionIsSemantic,
  contractVersionHasNoV,
  contractVersionHasNoLeadingZeros,
  contractVersionIsReleased,
  contractVersionSaysSomething,
  contractVersionIsItsOwn,
]
