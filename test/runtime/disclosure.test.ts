/** How much a class of callers reads of a failure (section 2.1, metadata_disclosure). */
import { describe, expect, it } from 'vitest'
import { failure, type Failure } from '../../src/protocol/failures.js'
import type { Manifest, MetadataDisclosure } from '../../src/protocol/manifest.js'
import { disclosed, disclosedReason, disclosedText, disclosureLevel } from '../../src/runtime/errors/disclosure.js'
import { hookAnswer } from '../../src/runtime/errors/hook-answer.js'
import { refusalCounter } from '../../src/runtime/errors/refusal-counter.js'
import type { Refusal } from '../../src/runtime/errors/refusal.js'
import type { Service } from '../../src/runtime/service.js'
import { startFixture } from './fixture/service.js'

it.each<[MetadataDisclosure | undefined, string | undefined, string]>([
  [undefined, undefined, 'full'],
  [{}, 'internal', 'redacted'],
  [{ manifest: 'bearer' }, 'internal', 'full'],
  [{ manifest: 'public', caller_class: {} }, 'internal', 'redacted'],
  [{ failure_detail: 'reduced', caller_class: { internal: 'full' } }, 'internal', 'reduced'],
  [{ failure_detail: 'policy', caller_class: { internal: 'full', default: 'reduced' } }, 'internal', 'full'],
  [{ failure_detail: 'policy', caller_class: { internal: 'full', default: 'reduced' } }, 'partner', 'reduced'],
  [{ caller_class: { internal: 'full', default: 'reduced' } }, undefined, 'reduced'],
  [{ caller_class: { internal: 'full' } }, 'partner', 'redacted'],
  [{ caller_class: { internal: 'full' } }, 'toString', 'redacted'],
  [{ caller_class: { internal: 'full' } }, undefined, 'redacted'],
])('%j and the class %s give %s', (metadata_disclosure, callerClass, level) => {
  expect(disclosureLevel({ metadata_disclosure } as Manifest, callerClass)).toBe(level)
})

describe('a text', () => {
  it('of 200 characters is short enough, and a longer one is cut to as many', () => {
    expect(disclosedText('x'.repeat(200), 'sold_out', 'reduced')).toBe('x'.repeat(200))
    expect(disclosedText('x'.repeat(201), 'sold_out', 'reduced')).toBe(`${'x'.repeat(199)}…`)
    expect(disclosedReason('x'.repeat(201), 'reduced')).toBe(`${'x'.repeat(199)}…`)
  })

  it('is cut between characters', () => {
    expect(disclosedText(`${'x'.repeat(198)}🙂🙂`, 'sold_out', 'reduced')).toBe(`${'x'.repeat(198)}…`)
  })

  it('of a redacted failure is the sentence of its type, and of no failure is nothing', () => {
    expect(disclosedText('secret', 'token_expired', 'redacted')).not.toContain('secret')
    expect(disclosedText('secret', 'sold_out', 'redacted')).toBe('The capability could not do what was asked.')
    expect(disclosedText('secret', 'toString', 'redacted')).toBe('The capability could not do what was asked.')
    expect(disclosedText('secret', null, 'redacted')).toBeUndefined()
    expect(disclosedText('secret', null, 'full')).toBe('secret')
  })

  it('of an approver is read whole, cut or not at all', () => {
    expect((['full', 'reduced', 'redacted'] as const).map((level) => disclosedReason('No.', level))).toEqual(['No.', 'No.', null]) // prettier-ignore
    expect((['full', 'reduced', 'redacted'] as const).map((level) => disclosedReason(null, level))).toEqual([null, null, null]) // prettier-ignore
  })
})

describe('a failure', () => {
  const decision = { status: 'denied', decided_at: '2026-03-01T12:00:00.000Z', reason: 'Too dear.', approver: 'human:bob' } as const // prettier-ignore
  const given: Failure = { ...failure('approval_grant_invalid', 'Bob said no.', { requires: 'another one', grantable_by: 'human:bob' }), decision } // prettier-ignore

  it('says to whoever reads all of it who could grant it, and who decided', () => {
    expect(disclosed(given, 'full')).toBe(given)
  })

  it('says to whoever reads some of it neither', () => {
    const { detail, resolution, decision: said } = disclosed(given, 'reduced')
    expect([detail, resolution.requires, said]).toEqual([
      'Bob said no.',
      'another one',
      { status: 'denied', decided_at: '2026-03-01T12:00:00.000Z', reason: 'Too dear.' },
    ])
    expect(resolution).not.toHaveProperty('grantable_by')
  })

  it('says to whoever reads least of it what kind it is and what to do', () => {
    const { detail, resolution, decision: said, type } = disclosed(given, 'redacted')
    expect(type).toBe('approval_grant_invalid')
    expect(detail).not.toContain('Bob')
    expect(Object.keys(resolution).toSorted()).toEqual(['action', 'recovery_class'])
    expect(said).toEqual({ status: 'denied', decided_at: '2026-03-01T12:00:00.000Z', reason: null })
  })
})

it('refusals are counted by operation and type, and from nothing once they were taken', () => {
  const counter = refusalCounter()
  expect([counter.count('tokens', 'a'), counter.count('tokens', 'a'), counter.count('tokens', 'b'), counter.count('revoke', 'a')]).toEqual([1, 2, 1, 1]) // prettier-ignore
  expect(counter.take()).toEqual({ 'tokens a': 2, 'tokens b': 1, 'revoke a': 1 })
  expect([counter.take(), counter.count('tokens', 'a')]).toEqual([{}, 1])
})

describe('a hook', () => {
  const asked = (ask: () => unknown) => hookAnswer({ limits: { hookTimeoutMs: 1 } } as Service, ask).catch((error: unknown) => error) // prettier-ignore

  it('that takes too long makes a call fail that may be tried again', async () => {
    const error = (await asked(() => new Promise(() => undefined))) as Refusal
    expect([error.failure.type, error.failure.detail]).toEqual(['service_unavailable', 'A hook of this service took too long.']) // prettier-ignore
  })

  it('that throws fails by its own error, whether it awaits or not', async () => {
    const error = new Error('mine')
    const thrown = () => {
      throw error
    }
    expect([await asked(thrown), await asked(() => Promise.reject(error))]).toEqual([error, error])
  })
})

it('a refusal of an invocation has an id of its own; one of anything else, and of a body that does not read, has none', async () => {
  const { invoke, post, root } = await startFixture()
  const refused = (await invoke('search', 'x.y.z')).body
  expect(refused['invocation_id']).toMatch(/^inv-[0-9a-f]{12}$/u)
  expect((await invoke('search', 'x.y.z')).body['invocation_id']).not.toBe(refused['invocation_id'])
  const { token } = await root()
  const unreadable = await invoke('search', token, { parameters: 1, client_reference_id: 'c-1' })
  expect(unreadable.body).toMatchObject({ success: false, client_reference_id: 'c-1' })
  expect(unreadable.body).not.toHaveProperty('invocation_id')
  expect((await post('/svc/permissions', 'x.y.z')).body).not.toHaveProperty('invocation_id')
})

it('of what nobody foresaw each is in the log, and of none more than its kind is answered', async () => {
  const { post, root, storage, logged } = await startFixture({ limits: { auditQueriesPerMinute: 100 } })
  const { token } = await root()
  Object.assign(storage.audit, { query: () => Promise.reject(new Error('password=x')) })
  for (let times = 0; times < 7; times++) {
    const { status, body } = await post('/svc/audit', token)
    expect([status, body['failure']!['detail']]).toEqual([500, 'The service failed. Its log has the reason.'])
  }
  expect(logged.filter((line) => line.startsWith('A request failed.') && line.includes('password=x'))).toHaveLength(7)
  expect(logged.filter((line) => line.startsWith('A request was refused.'))).toEqual([])
})
