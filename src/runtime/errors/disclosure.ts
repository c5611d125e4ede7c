import type { ApprovalDecision } from '../../protocol/approval.js'
import { FAILURES, type Failure, type FailureType } from '../../protocol/failures.js'
import type { Manifest, MetadataDisclosure } from '../../protocol/manifest.js'
import type { DisclosureLevel } from '../../protocol/words.js'

const REDUCED_CHARACTERS = 200
const BUSINESS_SENTENCE = 'The capability could not do what was asked.'

/** Returns how much of a failure a caller of a class may read (section 2.1, metadata_disclosure). */
export function disclosureLevel({ metadata_disclosure }: Manifest, callerClass: string | undefined): DisclosureLevel {
  if (metadata_disclosure === undefined || saysManifestOnly(metadata_disclosure)) return 'full'
  const { failure_detail = 'policy', caller_class: levels = {} } = metadata_disclosure
  if (failure_detail !== 'policy') return failure_detail
  const known = callerClass !== undefined && Object.hasOwn(levels, callerClass) ? callerClass : 'default'
  return (Object.hasOwn(levels, known) ? levels[known] : undefined) ?? 'redacted'
}

/** Holds where failures are not spoken of, only readers of the manifest. */
const saysManifestOnly = ({ manifest, ...rest }: MetadataDisclosure): boolean =>
  manifest !== undefined && Object.keys(rest).length === 0

/** A failure as a caller may read it: what is needed to continue is never taken away. */
export function disclosed(failure: Failure, level: DisclosureLevel): Failure {
  if (level === 'full') return failure
  const { grantable_by: _, ...resolution } = failure.resolution
  const decided = failure.decision && { decision: decisionFor(failure.decision, level) }
  if (level === 'reduced') return { ...failure, ...decided, detail: shortened(failure.detail), resolution }
  const { action, recovery_class } = resolution
  return { ...failure, ...decided, detail: sentenceOf(failure.type), resolution: { action, recovery_class } }
}

/** Text about a failure of a type as a caller may read it; about none, all or nothing of it. */
export function disclosedText(text: string, type: string | null, level: DisclosureLevel): string | undefined {
  if (level === 'full') return text
  if (level === 'reduced') return shortened(text)
  return type === null ? undefined : sentenceOf(type)
}

/** The reason is the approver's text: cut, or left out, as a detail is. */
const decisionFor = ({ status, decided_at, reason }: ApprovalDecision, level: DisclosureLevel): ApprovalDecision => ({
  status,
  decided_at,
  reason: disclosedReason(reason, level),
})

export function disclosedReason(reason: string | null, level: DisclosureLevel): string | null {
  if (reason === null || level === 'full') return reason
  return level === 'redacted' ? null : shortened(reason)
}

/** Cut between characters, not inside one. */
const shortened = (text: string): string =>
  text.length <= REDUCED_CHARACTERS
    ? text
    : `${text.slice(0, REDUCED_CHARACTERS - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`

const sentenceOf = (type: string): string =>
  Object.hasOwn(FAILURES, type) ? FAILURES[type as FailureType].sentence : BUSINESS_SENTENCE
