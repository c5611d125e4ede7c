import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { readSamples } from '../../src/cli/conformance/read-samples.js'
import { conformance, judge } from '../../src/cli/conformance/run.js'
import { learnFrom, takeSamples, type Samples } from '../../src/conformance/samples.js'
import { connectToService } from '../../src/conformance/target.js'
import type { HandlerContext, ResolveRequest } from '../../src/runtime/index.js'
import { serve, type Running } from '../../src/runtime/node.js'
import { capability, input } from '../runtime/fixture/manifest.js'
import { startFixture } from '../runtime/fixture/service.js'

const policy = { allowed_grant_types: ['one_time', 'session_bound'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 3 } as const // prettier-ignore
const fields = (...names: readonly string[]) => ({
  type: 'object',
  fields: names.map((name) => ({ name, type: 'any' })),
})
const resolved = input('supplier', {
  catalog_ref: 'suppliers',
  resolution: { mode: 'backend_resolved', on_missing: 'deny', on_unresolved: 'deny', on_ambiguous: 'deny' },
})

/** What has a resolver comes first, and denies every word that it does not know. */
const capabilities = {
  a_supplier: capability({ inputs: [resolved], output: fields('name') }),
  price: capability({ inputs: [resolved], output: fields('offer') }),
  book: capability({
    inputs: [resolved, input('quote')],
    side_effect: { type: 'irreversible' },
    minimum_scope: ['travel.book'],
    output: fields('order'),
    cost: { certainty: 'estimated', financial: { currency: 'USD' } },
    requires_binding: [{ type: 'quote', field: 'quote', source_capability: 'price', max_age: 'PT15M' }],
    approval: { required: 'always', grant_policy: policy },
  }),
  suppliers: capability({ output: fields('all') }),
  /** Needs a bound token with money in a currency of its own, and asks only for what has no default and is not left out. */
  pay: capability({
    inputs: [
      input('amount', { type: 'number' }),
      input('why', { resolution: { mode: 'explicit_only', on_missing: 'clarify' } }),
    ],
    side_effect: { type: 'write' },
    minimum_scope: ['travel.book'],
    cost: { certainty: 'dynamic', financial: { currency: 'USD', upper_bound: 500, 'x-amount-input': 'amount' } },
    control_requirements: [{ type: 'cost_ceiling' }, { type: 'stronger_delegation_required' }],
  }),
  hire: capability({
    inputs: [input('days', { type: 'integer', required: false })],
    side_effect: { type: 'write' },
    minimum_scope: ['travel.book'],
    cost: { certainty: 'fixed', financial: { currency: 'USD', amount: 20 } },
    control_requirements: [{ type: 'cost_ceiling' }],
    approval: { required: { when: [{ input: 'days', above: 4 }] }, grant_policy: policy },
  }),
  a_tenant: capability({ inputs: [input('tenant', { required: false, resolution: { mode: 'actor_policy' } })] }),
  talk: capability({
    inputs: [
      input('word', { resolution: { mode: 'clarify' } }),
      input('tone', { required: false, default: 'kind', resolution: { mode: 'clarify', on_missing: 'use_default' } }),
      input('length', { required: false, resolution: { mode: 'clarify', on_missing: 'omit' } }),
      input('to', { required: false, resolution: { mode: 'explicit_only', on_missing: 'app_select_or_clarify' } }),
      input('by', { required: false, resolution: { mode: 'explicit_only', on_missing: 'deny_or_clarify' } }),
    ],
  }),
}

const handlers = {
  a_supplier: () => ({ name: 'Acme' }),
  price: async (_: object, { bindings }: HandlerContext) => ({
    offer: { quote: await bindings.issue({ type: 'quote', price: { currency: 'USD', amount: 80 } }) },
  }),
  book: () => ({ order: 'o-1' }),
  suppliers: () => ({ all: [] }),
}

const resolvers = {
  suppliers: ({ value }: ResolveRequest) => (value === 'acme' ? { value: 'sup-1' } : ({ unresolved: true } as const)),
}

let running: Running
let folder: string
beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-samples-'))
  const { service } = await startFixture({
    capabilities,
    handlers,
    implementation: { resolvers, actorPolicy: () => 'tenant-1' },
    clock: Date.now,
    manifest: { trust: { level: 'anchored', anchoring: { cadence: 'PT1S' } } },
    limits: { badCredentialsPerMinute: 1000 },
  })
  running = await serve(service, { port: 0 })
})
afterEach(async () => {
  await running.close()
  rmSync(folder, { recursive: true })
})

const verdictsWith = async (samples: Samples) => {
  const credentials = { developer: 'ana-key', approver: 'bob-key', agent: 'bot-key' }
  const target = await connectToService(running.url, credentials, { learn: learnFrom })
  expect(takeSamples(target.manifest, samples)).toEqual([])
  return judge(target)
}
const failed = (verdicts: Awaited<ReturnType<typeof judge>>) =>
  verdicts
    .filter(({ result }) => result === 'failed')
    .map(({ section, title, reason }) => `${section} ${title}: ${reason}`)

describe('svc conformance of a service with a resolver, a binding and an approval', () => {
  it('fails nothing with samples, and calls what needs them', async () => {
    const supplier = 'acme'
    const verdicts = await verdictsWith({ a_supplier: { supplier }, price: { supplier }, book: { supplier } })
    expect(failed(verdicts)).toEqual([])
    const without = await verdictsWith({})
    const passed = (of: typeof verdicts) => of.filter(({ result }) => result === 'passed').length
    expect(passed(verdicts)).toBeGreaterThan(passed(without))
  })

  it('says what does not apply, counts it, and fails for it with --strict', async () => {
    const file = join(folder, 'samples.yaml')
    const supplier = 'acme'
    writeFileSync(file, JSON.stringify({ a_supplier: { supplier }, price: { supplier }, book: { supplier } }))
    const keys = { key: 'ana-key', approverKey: 'bob-key', agentKey: 'bot-key' }
    const run = async (options: object) => {
      const printed = vi.spyOn(process.stdout, 'write').mockReturnValue(true)
      const code = await conformance(running.url, { ...keys, samples: file, ...options }, {})
      const text = printed.mock.calls.map(([each]) => String(each)).join('')
      printed.mockRestore()
      return { code, text }
    }
    const { code, text } = await run({})
    expect(code).toBe(0)
    expect(text).toMatch(/^\d+ passed, 0 failed, \d+ not applicable, \d+ not tried$/mu)
    expect(text).toContain('not applicable  [2.8] only the same service is a boundary: no capability is composed')
    expect((await run({ strict: true })).code).toBe(1)
  })

  it('fails nothing without samples: what has to be guessed does not apply', async () => {
    expect(failed(await verdictsWith({}))).toEqual([])
  })

  it('names samples of inputs that the service does not have', async () => {
    const target = await connectToService(running.url, { developer: 'ana-key' })
    expect(takeSamples(target.manifest, { book: { suplier: 'acme' }, ordr: { a: 1 } })).toEqual([
      'book.suplier',
      'ordr.a',
    ])
  })

  it.each([
    ['order: 5', 'must hold samples as capability -> input -> value'],
    ['[1]', 'must hold samples as capability -> input -> value'],
    ['order: [', 'samples.yaml:1:'],
  ])('says what is wrong with %j', (text, message) => {
    const file = join(folder, 'samples.yaml')
    writeFileSync(file, text)
    expect(() => readSamples(file)).toThrow(message)
  })
})
