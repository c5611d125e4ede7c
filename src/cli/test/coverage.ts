import type { Capability, Manifest } from '../../protocol/manifest.js'
import type { Result } from './run-case.js'

/** Parts of a capability that a case can cover: its success, and each way it may refuse. */
const RULES: { readonly [outcome: string]: (capability: Capability) => boolean } = {
  allowed: () => true,
  scope_insufficient: ({ minimum_scope }) => minimum_scope.length > 0,
  approval_required: ({ approval }) => approval !== undefined && approval.required !== 'handler',
  budget_exceeded: ({ cost }) => cost?.financial !== undefined,
  binding_missing: ({ requires_binding = [] }) => requires_binding.length > 0,
  binding_stale: ({ requires_binding = [] }) => requires_binding.some(({ max_age }) => max_age !== undefined),
  control_requirement_unsatisfied: ({ control_requirements = [] }) => control_requirements.length > 0,
  non_delegable_action: ({ requires_principal = [] }) => requires_principal.length > 0,
}

export interface TestCoverage {
  readonly rules: number
  readonly tested: number
  /** `book_flight: budget_exceeded`, in the order of the manifest. */
  readonly missing: readonly string[]
}

/** Returns the rules of a manifest that a passing case has covered. */
export function coverageOf({ capabilities }: Manifest, results: readonly Result[]): TestCoverage {
  const met = new Set(
    results.flatMap(({ case: { call }, outcome, problems }) =>
      problems.length > 0
        ? []
        : [
            `${call}: ${outcome.failure ?? outcome.decision}`,
            ...(outcome.approved ? [`${call}: approval_required`] : []),
          ],
    ),
  )
  const all = Object.entries(capabilities).flatMap(([name, capability]) =>
    Object.entries(RULES).flatMap(([outcome, applies]) => (applies(capability) ? [`${name}: ${outcome}`] : [])),
  )
  const missing = all.filter((rule) => !met.has(rule))
  return { rules: all.length, tested: all.length - missing.length, missing }
}
