/** Metrics of a service (decisions, section 13). No label contains a principal, a token or a parameter. */
import type { AuditDraft, EntryType } from '../../protocol/audit.js'
import { metricFamilies, type Gauge } from './metric-families.js'

export interface ServiceMetrics {
  /** A call has ended; without a failure type it went well. */
  invoked(capability: string, failureType: string | undefined, ms: number): void
  /** An entry is on the trail. */
  recorded(draft: AuditDraft): void
  /** A batch of entries was committed. */
  committed(entries: number, ms: number): void
  /** An approval request was decided so long after it was opened. */
  decided(capability: string, entry: EntryType, ms: number): void
  /** A request was refused before it was an invocation. */
  refused(operation: string, failureType: string): void
  text(gauges: readonly Gauge[]): string
}

const SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30] as const
const DECISION_SECONDS = [1, 5, 15, 60, 300, 900, 3_600, 14_400, 86_400] as const
const BATCHES = [1, 2, 4, 8, 16, 32, 64, 128, 256] as const

/** Entries that change how many tokens there are, and those of approvals -> what they are called. */
const TOKENS: { readonly [type in EntryType]?: string } = { token_issued: 'issued', token_revoked: 'revoked' }
const APPROVALS: { readonly [type in EntryType]?: string } = {
  approval_requested: 'requested',
  approval_given: 'given',
  approval_granted: 'approved',
  approval_denied: 'denied',
  approval_returned: 'returned',
  approval_withdrawn: 'withdrawn',
  grant_revoked: 'grant_revoked',
}

export function serviceMetrics(
  capabilities: ReadonlyMap<string, unknown>,
  knownFailure: (type: string) => boolean,
): ServiceMetrics {
  const families = metricFamilies()
  const invocations = families.counter('svc_invocations_total', 'Invocations that have ended.', [
    'capability',
    'outcome',
    'failure_type',
  ])
  const durations = families.histogram(
    'svc_invocation_duration_seconds',
    'Duration of invocations, until durable.',
    ['capability'],
    SECONDS,
  )
  const tokens = families.counter('svc_tokens_total', 'Tokens that were issued and revoked, one by one.', ['event'])
  const ended = families.counter(
    'svc_tokens_ended_by_operators_total',
    'Tokens that operators ended, or the end of an API key.',
    [],
  )
  const approvals = families.counter('svc_approvals_total', 'Approval requests by what became of them.', [
    'capability',
    'state',
  ])
  const decisions = families.histogram(
    'svc_approval_decision_seconds',
    'Waiting time of approval requests until their decision.',
    ['capability'],
    DECISION_SECONDS,
  )
  const spent = families.counter('svc_spent_total', 'Reported cost of invocations, in major units.', ['currency'])
  const exceeded = families.counter('svc_cost_exceeded_total', 'Invocations that cost more than was checked.', [
    'capability',
  ])
  const commits = families.histogram(
    'svc_store_commit_seconds',
    'Duration of a batch commit in the store.',
    [],
    SECONDS,
  )
  const batches = families.histogram('svc_store_batch_entries', 'Entries that shared a commit.', [], BATCHES)
  const refusals = families.counter('svc_refusals_total', 'Requests that were refused.', ['operation', 'failure_type'])
  const capabilityLabel = (name: string): string => (capabilities.has(name) ? name : 'unknown')
  const failureLabel = (type: string): string => (knownFailure(type) ? type : 'other')
  return {
    invoked: (name, failureType, ms) => {
      const capability = capabilityLabel(name)
      invocations.add([
        capability,
        failureType === undefined ? 'success' : 'failure',
        failureType === undefined ? '' : failureLabel(failureType),
      ])
      durations.observe([capability], ms / 1000)
    },
    recorded: ({ entry_type, capability, cost_actual, cost_exceeded, operated }) => {
      const event = TOKENS[entry_type]
      if (event !== undefined) tokens.add([event])
      const state = APPROVALS[entry_type]
      if (state !== undefined) approvals.add([capabilityLabel(capability ?? ''), state])
      if (operated?.tokens !== undefined) ended.add([], operated.tokens)
      if (cost_actual !== null) spent.add([cost_actual.currency], cost_actual.amount)
      if (cost_exceeded === true) exceeded.add([capabilityLabel(capability ?? '')])
    },
    committed: (entries, ms) => {
      commits.observe([], ms / 1000)
      batches.observe([], entries)
    },
    decided: (capability, entry, ms) => {
      if (entry === 'approval_granted' || entry === 'approval_denied')
        decisions.observe([capabilityLabel(capability)], ms / 1000)
    },
    refused: (operation, failureType) => refusals.add([operation, failureLabel(failureType)]),
    text: families.text,
  }
}
