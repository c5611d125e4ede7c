/** N08: counters of the database that somebody set back are not believed, at a start and while a service runs. */
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { sha256Hex } from '../../src/crypto/json/digest.js'
import { counters } from '../../src/crypto/trail/counters.js'
import { tallies } from '../../src/crypto/trail/tallies.js'
import type { JsonObject } from '../../src/protocol/manifest.js'
import type { ApiKey, HandlerContext } from '../../src/runtime/index.js'
import { recordUnrecorded } from '../../src/runtime/call/settle/waiting.js'
import { releaseProcessLease } from '../../src/runtime/lifecycle/process-lease.js'
import { recoverOrphans } from '../../src/runtime/lifecycle/recovery.js'
import { StorageUnavailable, type Storage } from '../../src/runtime/storage/contract.js'
import { endingKeys } from '../../src/runtime/operate/ended-keys.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture, type Fixture, type Given, type Reply } from '../runtime/fixture/service.js'
import { storesWithAWriter, type Subject } from './stores-with-a-writer.js'

const financial = { currency: 'EUR', amount: 10 }
const grant_policy = {
  allowed_grant_types: ['one_time', 'session_bound'],
  default_grant_type: 'one_time',
  expires_in_seconds: 3600,
  max_uses: 3,
} as const
/** A composition of these steps, each a capability by its id, whose cost nobody declares. */
const composed = (steps: { readonly [id: string]: string }, child_error: string, input_mapping: object = {}) =>
  capability({
    kind: 'composed',
    side_effect: { type: 'write' },
    composition: {
      authority_boundary: 'same_service',
      steps: Object.entries(steps).map(([id, name]) => ({ id, capability: name })),
      input_mapping, output_mapping: {}, empty_result_policy: 'fail',
      failure_policy: { child_clarification: 'propagate', child_denial: 'propagate', child_approval_required: 'propagate', child_error },
      audit_policy: { record_child_invocations: true, parent_task_lineage: true },
    },
  } as never) // prettier-ignore
const QUOTED = { pay: { offer: '$.steps.price.output.offer' } }
const capabilities = {
  act: capability({ cost: { certainty: 'fixed', financial }, side_effect: { type: 'write' } }),
  look: capability(),
  lose: capability({ cost: { certainty: 'fixed', financial }, side_effect: { type: 'write' } }),
  price: capability({ output: { type: 'quote', fields: [{ name: 'offer', type: 'string' }] } }),
  pay: capability({ inputs: [input('offer')], side_effect: { type: 'write' }, requires_binding: [{ type: 'quote', field: 'offer' }], cost: { certainty: 'estimated', financial: { currency: 'EUR' } } }),
  outing: composed({ price: 'price', pay: 'pay' }, 'propagate', QUOTED),
  mixed: composed({ price: 'price', one: 'act', pay: 'pay', two: 'lose' }, 'propagate', QUOTED),
  trip: composed({ one: 'act', two: 'act' }, 'fail_parent'),
  book: capability({
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy },
  }),
  rent: capability({
    minimum_scope: ['travel.book'],
    side_effect: { type: 'irreversible' },
    approval: { required: 'always', grant_policy: { ...grant_policy, expires_in_seconds: 30 * 24 * 3600 } },
  }),
} // prettier-ignore

const apiKeys: readonly ApiKey[] = [
  { id: 'ana', principal: 'human:ana', sha256: sha256Hex('ana-key') },
  { id: 'bob', principal: 'human:bob', sha256: sha256Hex('bob-key'), scopes: ['approver:book', 'approver:rent'] },
  { id: 'op', principal: 'human:op', sha256: sha256Hex('op-key'), roles: ['operator'] },
]
const handlers = {
  lose: () => {
    throw new Error('The wire broke.')
  },
  price: async (_: object, { bindings }: HandlerContext) => ({
    offer: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 30 } }),
  }),
}
const POOL = { budget: { currency: 'EUR', max_amount: 45, mode: 'cumulative' } }
const SCOPES = { scope: ['travel.search', 'travel.book'] }

const { sqlite, postgres } = storesWithAWriter()

const AWAY = new StorageUnavailable('away')

/** What `svc audit verify` says of the counters. */
async function troubles({ audit }: Storage): Promise<readonly string[]> {
  const { note } = counters()
  const entries = await audit.texts(1, await audit.size())
  return entries.flatMap(({ text }) => note(JSON.parse(text!) as JsonObject) ?? [])
}

/** Minor units that the trail says were spent under a token. */
async function onTrail({ audit }: Storage, tokenId: string): Promise<bigint | undefined> {
  const { note, tokens } = tallies()
  for (const { text } of await audit.texts(1, await audit.size())) note(JSON.parse(text!) as JsonObject)
  return tokens.get(tokenId)?.spent.get('EUR')
}

const outcome = ({ status, body }: Reply) => `${status} ${String(body?.['failure']?.['type'] ?? '')}`.trim()

describe.each([
  ['SQLite', sqlite],
  ['PostgreSQL', postgres],
] as const)('N08 on %s', (_, create) => {
  let subject: Subject
  let opened: Storage[] = []
  beforeEach(async () => void (subject = await create()))
  afterEach(async () => {
    await Promise.all(opened.map((each) => each.close()))
    opened = []
  })
  const start = async (clock = Date.now, keys = apiKeys, more: Given = {}) => {
    const storage = await subject.open()
    opened.push(storage)
    return startFixture({
      capabilities,
      storage,
      apiKeys: keys,
      clock,
      ...more,
      handlers: { ...handlers, ...more.handlers },
    })
  }
  /** The trail, the database and both who compare them say that so much was spent, and nothing ends. */
  const agree = async ({ service, storage }: Fixture, tokenId: string, units: bigint) => {
    expect([await onTrail(storage, tokenId), await storage.ledger.spent(tokenId)]).toEqual([units, units])
    expect([await troubles(storage), await service.counters.compare()]).toEqual([[], 0])
  }
  const again = async (service: Fixture, keys = apiKeys) => {
    await service.service.close()
    await opened.pop()!.close()
    return start(Date.now, keys)
  }
  const alarms = async ({ call }: Fixture) => (await call('GET', '/-/ready')).body['alarms']
  const failures = async ({ call, issued }: Fixture) => {
    const { token } = await issued('ana-key', { scope: ['travel.search'] })
    const reply = await call('POST', '/svc/audit', { bearer: token, body: {} })
    return (reply.body['entries'] as unknown as { entry_type: string; detail: string }[])
      .filter(({ entry_type }) => entry_type === 'integrity_failure')
      .map(({ detail }) => detail.replaceAll(/(tok|grt)_[\w-]+/gu, '$1_x'))
  }
  const approved = async (service: Fixture, terms: object, capability = 'book') => {
    const { token } = await service.issued('ana-key', { ...SCOPES, session_id: 's1' })
    const asked = await service.invoke(capability, token)
    const approval_request_id = asked.body['failure']!['approval_request_id']
    const granted = await service.post('/svc/approval_grants', 'bob-key', { approval_request_id, ...terms })
    const approval_grant = String(granted.body['grant_id'])
    return {
      token,
      book: (on: Fixture) => on.invoke(capability, token, { parameters: {}, approval_grant }),
      approval_grant,
    }
  }

  it.each([
    ['set to nothing', 'update ledger set spent = 0'],
    ['set below what was spent', 'update ledger set spent = 1999'],
    ['deleted', 'delete from ledger'],
  ])('the spending of a budget that was %s ends its token', async (__, sql) => {
    const first = await start()
    const { token } = await first.root(POOL)
    expect(outcome(await first.invoke('act', token))).toBe('200')
    expect(outcome(await first.invoke('trip', token))).toBe('200')
    expect(outcome(await first.invoke('trip', token))).toBe('403 budget_exceeded')
    await subject.force(sql)
    const next = await again(first)
    expect(outcome(await next.invoke('act', token))).toBe('401 token_revoked')
    expect(await alarms(next)).toEqual(['counters_altered'])
    expect(await failures(next)).toEqual([
      `Under the token tok_x 30 EUR were spent, and the database says ${sql.includes('1999') ? '19.99' : '0'}. It has ended.`,
    ])
  })

  it.each([
    ['every row', 'true'],
    ['the row in the middle', 'sequence = (select 1 + size / 2 from audit_head)'],
    ['the first row', 'sequence = 1'],
    ['the last row', 'sequence = (select size from audit_head)'],
  ])('the spending of a budget that was set back is found whole, also without %s of the index', async (__, rows) => {
    const first = await start()
    const { token } = await first.root(POOL)
    for (let call = 0; call < 4; call++) expect(outcome(await first.invoke('act', token))).toBe('200')
    await subject.force('update ledger set spent = 0')
    await subject.unguard('audit_index_is_kept', 'audit_index')
    await subject.force(`delete from audit_index where ${rows}`)
    expect(await failures(await again(first))).toEqual([
      'Under the token tok_x 40 EUR were spent, and the database says 0. It has ended.',
    ])
  })

  it('a service that runs finds it, too, and a later start knows it for ever', async () => {
    const first = await start()
    const { token } = await first.root(POOL)
    await first.invoke('act', token)
    expect(await first.service.counters.compare()).toBe(0)
    await subject.force('update ledger set spent = 0')
    expect(await first.service.counters.compare()).toBe(1)
    expect(await first.service.counters.compare()).toBe(0)
    expect(outcome(await first.invoke('act', token))).toBe('401 token_revoked')
    await subject.force('update tokens set revoked_at = null')
    const next = await again(first)
    expect(outcome(await next.invoke('act', token))).toBe('401 token_revoked')
    expect(await failures(next)).toEqual([
      'The token tok_x was revoked, and the database says that it stands. It has ended.',
      'Under the token tok_x 10 EUR were spent, and the database says 0. It has ended.',
    ])
  })

  it('a token whose row says another end than its claims is refused, and so is what is below it', async () => {
    const first = await start()
    const { token, token_id } = await first.root(POOL)
    const child = await first.issued(token, { parent_token: token_id, subject: 'agent:b', scope: ['travel.search'] })
    await subject.force(`update tokens set expires_at = 1 where token_id = '${token_id}'`)
    for (const each of [token, child.token]) expect(outcome(await first.invoke('act', each))).toBe('401 invalid_token')
    expect(await alarms(first)).toContain('token_integrity')
  })

  it('an operator ends a token whose row says that it is over, whatever it says afterwards', async () => {
    const first = await start()
    const { token, token_id } = await first.root(POOL)
    await subject.force(`update tokens set expires_at = expires_at - 1000000000 where token_id = '${token_id}'`)
    const { body } = await first.post('/-/tokens/revoke', 'op-key', { principal: 'human:ana', reason: 'Leaked.' })
    expect(body['tokens']).toBe(1)
    await subject.force(`update tokens set expires_at = expires_at + 1000000000 where token_id = '${token_id}'`)
    expect(outcome(await first.invoke('act', token))).toBe('401 token_revoked')
  })

  it('a revocation that was taken back still holds, for what is below the token, too', async () => {
    const first = await start()
    const parent = await first.root()
    const child = await first.issued(parent.token, {
      scope: ['travel.search'],
      subject: 'agent:a',
      parent_token: parent.token_id,
    })
    expect(outcome(await first.invoke('look', child.token))).toBe('200')
    await first.post('/svc/tokens/revoke', 'ana-key', { token_id: parent.token_id })
    await subject.force('update tokens set revoked_at = null')
    const next = await again(first)
    expect(outcome(await next.invoke('look', child.token))).toBe('401 token_revoked')
    expect(await alarms(next)).toEqual(['counters_altered'])
  })

  it.each([
    ['a token', ({ token_id }) => ({ token_id })],
    ['a principal', () => ({ principal: 'human:ana' })],
    ['a principal by another of its names', () => ({ principal: 'oidc:7' })],
    ['a subject', () => ({ subject: 'agent:a' })],
    ['a capability', () => ({ capability: 'look' })],
    ['an API key', () => ({ api_key: 'ana' })],
  ] satisfies readonly (readonly [string, (token: { readonly token_id: string }) => object])[])(
    'what an operator ended of %s stays so',
    async (__, target) => {
      const first = await start()
      const account = { issuer: 'https://idp.example', subject: '7' }
      await first.storage.accounts.remember(account, 'human:ana')
      await first.storage.accounts.remember(account, 'oidc:7')
      const bound = { subject: 'agent:a', capability: 'look', scope: ['travel.search'] }
      const ended = await first.issued('ana-key', bound)
      const reason = 'Leaked.'
      const reply = await first.post('/-/tokens/revoke', 'op-key', { ...target(ended), reason })
      expect(reply.body['tokens']).toBe(1)
      expect(await first.service.counters.compare()).toBe(0)
      await subject.force('update tokens set revoked_at = null')
      const next = await again(first)
      await subject.force('delete from blocks')
      expect(outcome(await next.invoke('look', ended.token))).toBe('401 token_revoked')
      expect(await alarms(next)).toEqual(['counters_altered'])
      expect(await failures(next)).toEqual([
        'The token tok_x was revoked, and the database says that it stands. It has ended.',
      ])
    },
  )

  it('what was bought anew after an operator ended the rest stands', async () => {
    const first = await start()
    const bought = () => first.issued('ana-key', { capability: 'look', scope: ['travel.search'] })
    await bought()
    await first.post('/-/tokens/revoke', 'op-key', { capability: 'look', reason: 'Wrong.' })
    const { token } = await bought()
    const next = await again(first)
    expect(outcome(await next.invoke('look', token))).toBe('200')
    expect(await alarms(next)).toEqual([])
  })

  it('what a key bought that has ended stays ended', async () => {
    const first = await start()
    const { token } = await first.issued('ana-key', { scope: ['travel.search'] })
    const gone = apiKeys.map((key) => (key.id === 'ana' ? { ...key, revoked: true } : key))
    const second = await again(first, gone)
    await endingKeys()(second.service)
    expect(outcome(await second.invoke('look', token))).toBe('401 token_revoked')
    await subject.force('update tokens set revoked_at = null')
    const third = await again(second)
    expect(outcome(await third.invoke('look', token))).toBe('401 token_revoked')
    expect(await alarms(third)).toEqual(['counters_altered'])
  })

  it('what budgets keep for a call whose outcome nobody knows is not given back', async () => {
    const first = await start()
    const { token } = await first.root(POOL)
    expect(outcome(await first.invoke('lose', token))).toBe('500 outcome_unknown')
    expect(await first.service.counters.compare()).toBe(0)
    await subject.force('update ledger set spent = 0')
    await subject.force('delete from holds')
    const next = await again(first)
    expect(outcome(await next.invoke('act', token))).toBe('401 token_revoked')
    expect(await failures(next)).toEqual([
      'Under the token tok_x 10 EUR were spent, and the database says 0. It has ended.',
    ])
  })

  it.each([
    ['4 EUR', { happened: true, amount: 4 }],
    ['nothing happened', { happened: false }],
  ])('what an operator found out of such a call (%s) counts in its place', async (__, found) => {
    const first = await start()
    const { token } = await first.root(POOL)
    const { invocation_id } = (await first.invoke('lose', token)).body
    const finding = { ...found, reason: 'Read it there.' }
    expect((await first.post(`/-/invocations/${invocation_id}/resolve`, 'op-key', finding)).status).toBe(200)
    const next = await again(first)
    expect(await alarms(next)).toEqual([])
    for (let call = 0; call < 4; call++) expect(outcome(await next.invoke('act', token))).toBe('200')
    expect(await next.service.counters.compare()).toBe(0)
  })

  it('a step that waits for the store, and is recorded after its composition, counts once', async () => {
    const fixture = await start()
    const { root, invoke, storage } = fixture
    const { token, token_id } = await root({ budget: { ...POOL.budget, max_amount: 20 } })
    const { append } = storage.audit
    let times = 0
    const once: typeof append = (take, seal) => {
      if (times++ > 0) return append(take, seal)
      take()
      return Promise.reject(AWAY)
    }
    Object.assign(storage.audit, { append: once })
    expect(outcome(await invoke('trip', token))).toBe('424 composition_child_failed')
    await recordUnrecorded(fixture.service)
    await agree(fixture, token_id, 20_00n)
  })

  it('a step that is done when the time of its composition is over counts once', async () => {
    const asked: ((output: object) => void)[] = []
    const act = () => new Promise((resolve) => void asked.push(resolve))
    const fixture = await start(Date.now, apiKeys, { handlers: { act }, limits: { handlerTimeoutMs: 400 } })
    const { token, token_id } = await fixture.root({ budget: { ...POOL.budget, max_amount: 20 } })
    const calling = fixture.invoke('trip', token)
    await expect.poll(() => asked.length).toBe(1)
    await new Promise((resolve) => setTimeout(resolve, 300))
    asked[0]!({})
    expect(outcome(await calling)).toBe('500 outcome_unknown')
    asked[1]?.({})
    await expect.poll(async () => (await fixture.trail(token, '?capability=act')).length).toBe(2)
    await agree(fixture, token_id, 20_00n)
  })

  it('a step that held its estimate itself, reported a cost and broke counts once', async () => {
    const pay = (_: object, { cost }: HandlerContext) => {
      cost.report({ currency: 'EUR', amount: 12 })
      throw new Error('The wire broke.')
    }
    const fixture = await start(Date.now, apiKeys, { handlers: { pay } })
    const { token, token_id } = await fixture.root(POOL)
    expect(outcome(await fixture.invoke('outing', token))).toBe('500 outcome_unknown')
    await agree(fixture, token_id, 30_00n)
  })

  it('who finds out of a composition says what it cost beside what a step has paid for by itself', async () => {
    const lose = () => {
      throw new Error('The wire broke.')
    }
    const fixture = await start(Date.now, apiKeys, { handlers: { lose } })
    const { token, token_id } = await fixture.root({ budget: { ...POOL.budget, max_amount: 90 } })
    const { body } = await fixture.invoke('mixed', token)
    expect(body['failure']!['type']).toBe('outcome_unknown')
    await agree(fixture, token_id, 50_00n)
    const found = (finding: object) =>
      fixture.post(`/-/invocations/${body['invocation_id']}/resolve`, 'op-key', finding)
    expect((await found({ happened: false, reason: 'Not there.' })).body['failure']!['detail']).toContain(
      'have spent 10 EUR',
    )
    expect((await found({ happened: true, amount: 10, reason: 'Not there.' })).status).toBe(200)
    await agree(fixture, token_id, 40_00n)
  })

  it('what a call that failed has cost is not given back', async () => {
    const act = (_: object, { cost, fail }: HandlerContext) => {
      cost.report({ currency: 'EUR', amount: 7 })
      return fail('invalid_parameters', 'Sold out.')
    }
    const first = await start(Date.now, apiKeys, { handlers: { act } })
    const { token, token_id } = await first.root(POOL)
    expect(outcome(await first.invoke('act', token))).toBe('400 invalid_parameters')
    await agree(first, token_id, 7_00n)
    await subject.force('update ledger set spent = 0')
    expect(await first.service.counters.compare()).toBe(1)
  })

  it('calls that name each other as their parents while they are in flight count each', async () => {
    const asked: ((output: object) => void)[] = []
    const ids: string[] = []
    const act = (_: object, { invocation }: HandlerContext) => {
      ids.push(invocation.invocation_id)
      return new Promise((resolve) => void asked.push(resolve))
    }
    const fixture = await start(Date.now, apiKeys, { handlers: { act } })
    const { token, token_id } = await fixture.root(POOL)
    const calling: Promise<Reply>[] = []
    for (let nth = 0; nth < 4; nth++) {
      const parent = nth === 0 ? {} : { parent_invocation_id: ids[nth - 1]! }
      calling.push(fixture.invoke('act', token, { parameters: {}, ...parent }))
      await expect.poll(() => asked.length).toBe(nth + 1)
    }
    for (const [nth, call] of [...calling.entries()].reverse()) {
      asked[nth]!({})
      expect(outcome(await call)).toBe('200')
    }
    await agree(fixture, token_id, 40_00n)
    await subject.force('update ledger set spent = 1000')
    expect(await fixture.service.counters.compare()).toBe(1)
  })

  it('a composition that was taken for gone counts what it held, and its late step and who finds out add nothing to that', async () => {
    let hasBegun = false
    let finish = (_: object): void => undefined
    const act = () => (hasBegun ? {} : new Promise((resolve) => void ((hasBegun = true), (finish = resolve))))
    const time = { now: Date.now() }
    const first = await start(() => time.now, apiKeys, { handlers: { act } })
    const { token, token_id } = await first.root(POOL)
    const calling = first.invoke('trip', token)
    await expect.poll(() => hasBegun).toBe(true)
    const second = await start(() => time.now)
    await releaseProcessLease(first.service)
    time.now += 15_000
    expect(await recoverOrphans(second.service)).toBe(2)
    await agree(second, token_id, 20_00n)
    finish({})
    const { body } = await calling
    expect(body['failure']!['type']).toBe('outcome_unknown')
    await agree(second, token_id, 20_00n)
    const finding = { happened: true, amount: 10, reason: 'Read it there.' }
    const found = await second.post(`/-/invocations/${body['invocation_id']}/resolve`, 'op-key', finding)
    expect(found.status).toBe(200)
    await agree(second, token_id, 10_00n)
  })

  it('a step that held its estimate itself, and waits for the store, counts once', async () => {
    const { service, root, invoke, storage } = await start()
    const { token, token_id } = await root({ budget: { ...POOL.budget, max_amount: 60 } })
    const { append } = storage.audit
    let isAway = true
    const once: typeof append = (take, seal) =>
      append(() => {
        const all = take()
        if (isAway && all.some(({ draft }) => draft.capability === 'pay')) throw ((isAway = false), AWAY)
        return all
      }, seal)
    Object.assign(storage.audit, { append: once })
    await invoke('outing', token)
    await recordUnrecorded(service)
    expect([isAway, await storage.ledger.spent(token_id)]).toEqual([false, 30_00n])
    expect(await troubles(storage)).toEqual([])
    expect(await service.counters.compare()).toBe(0)
    expect(outcome(await invoke('act', token))).toBe('200')
  })

  it.each([
    ['0', { happened: true }, 10_00n],
    ['99900', { happened: true, amount: 12 }, 12_00n],
  ])('a hold that was set to %s gives back no more than the trail says was held', async (units, found, expected) => {
    const { service, root, invoke, post, storage } = await start()
    const { token, token_id } = await root(POOL)
    const { invocation_id } = (await invoke('lose', token)).body
    await subject.force(`update holds set units = ${units}`)
    const finding = { ...found, reason: 'Read it there.' }
    expect((await post(`/-/invocations/${invocation_id}/resolve`, 'op-key', finding)).status).toBe(200)
    expect(await onTrail(storage, token_id)).toBe(expected)
    expect(service.alarms.all()).toEqual(['counters_altered'])
    const [{ text } = { text: null }] = await storage.audit.texts(await storage.audit.size(), 1)
    expect(JSON.parse(text!)).toMatchObject({
      cost_held: { amount: 10 },
      cost_charged: { amount: Number(expected) / 100 },
    })
    expect((JSON.parse(text!) as JsonObject)['cost_exceeded']).toBe(expected > 10_00n ? true : undefined)
  })

  it('operators who give back what calls held, while counters are compared, end no token', async () => {
    const { service, root, invoke, storage, post } = await start()
    const { token } = await root(POOL)
    const lost: string[] = []
    for (let call = 0; call < 4; call++) lost.push(String((await invoke('lose', token)).body['invocation_id']))
    const { tokens } = storage.allowances
    let isResolving = false
    const afterwards: typeof tokens = async (ids) => {
      const id = isResolving ? undefined : lost.pop()
      isResolving = true
      if (id !== undefined) {
        const finding = { happened: false, reason: 'Read it there.' }
        expect((await post(`/-/invocations/${id}/resolve`, 'op-key', finding)).status).toBe(200)
      }
      isResolving = false
      return tokens(ids)
    }
    Object.assign(storage.allowances, { tokens: afterwards })
    expect(await service.counters.compare()).toBe(0)
    expect(lost).toEqual([])
    expect(outcome(await invoke('act', token))).toBe('200')
    await subject.force('update ledger set spent = 0')
    expect(await service.counters.compare()).toBe(1)
  })

  it('spending is found that was set back of calls which name one that was resolved as their parent', async () => {
    const first = await start()
    const { token } = await first.root(POOL)
    const { invocation_id } = (await first.invoke('lose', token)).body
    const finding = { happened: false, reason: 'Read it there.' }
    await first.post(`/-/invocations/${invocation_id}/resolve`, 'op-key', finding)
    const body = { parameters: {}, parent_invocation_id: invocation_id }
    for (let call = 0; call < 4; call++) expect(outcome(await first.invoke('act', token, body))).toBe('200')
    await subject.force('update ledger set spent = 3999')
    expect(await failures(await again(first))).toEqual([
      'Under the token tok_x 40 EUR were spent, and the database says 39.99. It has ended.',
    ])
  })

  it('a token whose spending was set back while the trail is away has its entry when it is back', async () => {
    const fixture = await start()
    const { token } = await fixture.root(POOL)
    expect(outcome(await fixture.invoke('act', token))).toBe('200')
    await subject.force('update ledger set spent = 0')
    const { append } = fixture.storage.audit
    const away: typeof append = (take) => {
      take()
      return Promise.reject(AWAY)
    }
    Object.assign(fixture.storage.audit, { append: away })
    await expect(fixture.service.counters.compare()).rejects.toThrow('away')
    Object.assign(fixture.storage.audit, { append })
    await recordUnrecorded(fixture.service)
    expect(await failures(fixture)).toEqual([
      'Under the token tok_x 10 EUR were spent, and the database says 0. It has ended.',
    ])
  })

  it('what an operator ended while the trail was away stays so', async () => {
    const first = await start()
    const { token } = await first.issued('ana-key', { scope: ['travel.search'] })
    const { append } = first.storage.audit
    const away: typeof append = (take) => {
      take()
      return Promise.reject(AWAY)
    }
    Object.assign(first.storage.audit, { append: away })
    const ending = { principal: 'human:ana', reason: 'Leaked.' }
    expect((await first.post('/-/tokens/revoke', 'op-key', ending)).status).toBe(503)
    Object.assign(first.storage.audit, { append })
    await recordUnrecorded(first.service)
    await subject.force('update tokens set revoked_at = null')
    const next = await again(first)
    expect(outcome(await next.invoke('look', token))).toBe('401 token_revoked')
    expect(await alarms(next)).toEqual(['counters_altered'])
  })

  it('a grant that lasts for a month is compared with the trail of a month', async () => {
    const first = await start()
    const { book } = await approved(first, { grant_type: 'session_bound', session_id: 's1', max_uses: 2 }, 'rent')
    expect(outcome(await book(first))).toBe('200')
    await subject.force('update approval_grants set uses = 0')
    await first.service.close()
    await opened.pop()!.close()
    const later = await start(() => Date.now() + 10 * 24 * 3600_000)
    expect(await alarms(later)).toContain('counters_altered')
  })

  it.each([
    ['one_time', { grant_type: 'one_time' }, 1],
    ['session_bound', { grant_type: 'session_bound', session_id: 's1', max_uses: 2 }, 2],
  ])('the uses of a %s grant that were set back end it', async (__, terms, uses) => {
    const first = await start()
    const { book } = await approved(first, terms)
    for (let use = 0; use < uses; use++) expect(outcome(await book(first))).toBe('200')
    await subject.force('update approval_grants set uses = 0, spent_by = null')
    const next = await again(first)
    expect(outcome(await book(next))).toBe('403 approval_grant_invalid')
    expect(await alarms(next)).toEqual(['counters_altered'])
    expect(await failures(next)).toEqual([
      `The grant grt_x was used ${uses} times, and the database says 0. It has ended.`,
    ])
    await subject.force('update approval_grants set uses = 0, revoked_at = null')
    const last = await again(next)
    expect(outcome(await book(last))).toBe('403 approval_grant_invalid')
  })

  it('a grant does not allow more uses than its signed text says, whatever its row does', async () => {
    const first = await start()
    const { book } = await approved(first, { grant_type: 'one_time' })
    expect(outcome(await book(first))).toBe('200')
    await subject.force('update approval_grants set max_uses = 9')
    expect(outcome(await book(first))).toBe('403 approval_grant_invalid')
  })

  it.each([
    ['taken back by its giver', async ({ post }: Fixture, id: string) => post(`/-/approval_grants/${id}/revoke`, 'bob-key')],
    ['withdrawn by its requester', async ({ post, storage }: Fixture, id: string) => {
      const { grant } = (await storage.approvals.grant(id))!
      return post(`/svc/approval_requests/${grant.approval_request_id}/withdraw`, 'ana-key')
    }],
  ] as const)('a grant that was %s stays so', async (__, end) => {
    const first = await start()
    const { book, approval_grant } = await approved(first, { grant_type: 'one_time' })
    expect((await end(first, approval_grant)).status).toBe(200)
    await subject.force('update approval_grants set revoked_at = null')
    const next = await again(first)
    expect(outcome(await book(next))).toBe('403 approval_grant_invalid')
    expect(await alarms(next)).toEqual(['counters_altered'])
  }) // prettier-ignore

  it('nothing is found where nobody set anything back', async () => {
    const first = await start()
    const { token } = await first.root(POOL)
    const { book } = await approved(first, { grant_type: 'one_time' })
    for (const name of ['act', 'trip', 'trip', 'look']) await first.invoke(name, token)
    await book(first)
    await book(first)
    const gone = await first.root()
    await first.post('/svc/tokens/revoke', 'ana-key', { token_id: gone.token_id })
    expect(await first.service.counters.compare()).toBe(0)
    const next = await again(first)
    expect(await alarms(next)).toEqual([])
    expect(outcome(await next.invoke('act', token))).toBe('200')
    expect(await next.service.counters.compare()).toBe(0)
  })
})
