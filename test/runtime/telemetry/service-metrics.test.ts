/** What each entry of the trail counts for, under labels of which there are few. */
import { expect, it } from 'vitest'
import type { AuditDraft, EntryType } from '../../../src/protocol/audit.js'
import { EMPTY_ENTRY } from '../../../src/protocol/empty-entry.js'
import { serviceMetrics, type ServiceMetrics } from '../../../src/runtime/telemetry/service-metrics.js'

/** The samples that are not of a bucket, after something was counted. */
function after(count: (metrics: ServiceMetrics) => void): readonly string[] {
  const metrics = serviceMetrics(new Map([['book', {}]]), (type) => type === 'not_found')
  count(metrics)
  return metrics
    .text([])
    .split('\n')
    .filter((line) => line !== '' && !line.startsWith('#') && !line.includes('_bucket{'))
}
const recorded = (entry_type: EntryType, members: object = {}) =>
  after(({ recorded: note }) => note({ ...EMPTY_ENTRY, entry_type, capability: 'book', ...members } as AuditDraft))

it.each<[EntryType, object, readonly string[]]>([
  ['token_issued', {}, ['svc_tokens_total{event="issued"} 1']],
  ['token_revoked', {}, ['svc_tokens_total{event="revoked"} 1']],
  ['approval_requested', {}, ['svc_approvals_total{capability="book",state="requested"} 1']],
  ['approval_given', {}, ['svc_approvals_total{capability="book",state="given"} 1']],
  ['approval_granted', {}, ['svc_approvals_total{capability="book",state="approved"} 1']],
  ['approval_denied', {}, ['svc_approvals_total{capability="book",state="denied"} 1']],
  ['approval_withdrawn', {}, ['svc_approvals_total{capability="book",state="withdrawn"} 1']],
  ['grant_revoked', {}, ['svc_approvals_total{capability="book",state="grant_revoked"} 1']],
  ['grant_revoked', { capability: 'gone' }, ['svc_approvals_total{capability="unknown",state="grant_revoked"} 1']],
  ['operator_action', { operated: { tokens: 7 } }, ['svc_tokens_ended_by_operators_total 7']],
  ['operator_action', { operated: {} }, []],
  ['invocation', {}, []],
  ['invocation', { cost_actual: { currency: 'EUR', amount: 2.5 } }, ['svc_spent_total{currency="EUR"} 2.5']],
  ['invocation', { cost_exceeded: true }, ['svc_cost_exceeded_total{capability="book"} 1']],
  ['invocation', { cost_exceeded: true, capability: 'gone' }, ['svc_cost_exceeded_total{capability="unknown"} 1']],
  ['invocation', { cost_exceeded: true, capability: null }, ['svc_cost_exceeded_total{capability="unknown"} 1']],
])('an entry %s with %j counts as %j', (type, members, samples) => {
  expect(recorded(type, members)).toEqual(samples)
})

it.each<[EntryType, string, readonly string[]]>([
  ['approval_granted', 'book', ['svc_approval_decision_seconds_sum{capability="book"} 2', 'svc_approval_decision_seconds_count{capability="book"} 1']],
  ['approval_denied', 'gone', ['svc_approval_decision_seconds_sum{capability="unknown"} 2', 'svc_approval_decision_seconds_count{capability="unknown"} 1']],
  ['approval_given', 'book', []],
  ['approval_requested', 'book', []],
  ['approval_withdrawn', 'book', []],
  ['grant_revoked', 'book', []],
])('an entry %s of %s ends the wait for a decision: %j', (type, name, samples) => {
  expect(after(({ decided }) => decided(name, type, 2_000))).toEqual(samples)
}) // prettier-ignore

it.each<[string, (metrics: ServiceMetrics) => void, readonly string[]]>([
  ['a call that went well', ({ invoked }) => invoked('book', undefined, 1_500), ['svc_invocations_total{capability="book",outcome="success",failure_type=""} 1', 'svc_invocation_duration_seconds_sum{capability="book"} 1.5', 'svc_invocation_duration_seconds_count{capability="book"} 1']],
  ['a call of nothing', ({ invoked }) => invoked('x"y', 'made_up', 0), ['svc_invocations_total{capability="unknown",outcome="failure",failure_type="other"} 1', 'svc_invocation_duration_seconds_sum{capability="unknown"} 0', 'svc_invocation_duration_seconds_count{capability="unknown"} 1']],
  ['a batch', ({ committed }) => committed(3, 250), ['svc_store_commit_seconds_sum 0.25', 'svc_store_commit_seconds_count 1', 'svc_store_batch_entries_sum 3', 'svc_store_batch_entries_count 1']],
  ['a refusal', ({ refused }) => refused('audit', 'not_found'), ['svc_refusals_total{operation="audit",failure_type="not_found"} 1']],
  ['a refusal of its own', ({ refused }) => refused('audit', 'made_up'), ['svc_refusals_total{operation="audit",failure_type="other"} 1']],
])('%s', (_, count, samples) => {
  expect(after(count)).toEqual(samples)
}) // prettier-ignore
