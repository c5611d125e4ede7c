import type { Rule } from '../rule.js'
import { MANIFEST_CODES } from './codes.js'
import { capabilityNameConfusable } from './capability-name-confusable.js'
import { sha256Authored } from './sha256-authored.js'
import { expiresBeforeIssued } from './expires-before-issued.js'
import { manifestExpired } from './manifest-expired.js'
import { issuedInFuture } from './issued-in-future.js'
import { ttlDefaultAboveMax } from './ttl-default-above-max.js'
import { anchoredNeedsCadence } from './anchored-needs-cadence.js'
import { anchoringIgnored } from './anchoring-ignored.js'
import { protocolVersionTooNew } from './protocol-version-too-new.js'
import { featureTooNew } from './feature-too-new.js'
import { contractVersionPrerelease } from './contract-version-prerelease.js'
import { contractVersionZero } from './contract-version-zero.js'
import { contractVersionIsProtocol } from './contract-version-is-protocol.js'

/** The rules of this section; first those that another stage reports. */
export const MANIFEST_RULES: readonly Rule[] = [
  ...MANIFEST_CODES,
  // Manifest [2.3]
  capabilityNameConfusable,
  sha256Authored,
  expiresBeforeIssued,
  manifestExpired,
  issuedInFuture,
  ttlDefaultAboveMax,
  // Trust and discovery [2.1]
  anchoredNeedsCadence,
  anchoringIgnored,
  // Versions [9]
  protocolVersionTooNew,
  featureTooNew,
  contractVersionPrerelease,
  contractVersionZero,
  contractVersionIsProtocol,
]
