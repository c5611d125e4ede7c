import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { coverageOf } from '../../src/cli/test/coverage.js'
import { readCases } from '../../src/cli/test/read.js'
import { junitOfRun, textOfRun } from '../../src/cli/test/report.js'
import { runCase, type Result } from '../../src/cli/test/run-case.js'
import { test } from '../../src/cli/test/run.js'
import { serviceOver } from '../../src/cli/test/service.js'
import { leastCpu } from '../cpu-time.js'
import { junitTrouble } from './junit-trouble.js'
import { compiled, orderManifest, troubleOf } from '../values/compiled.js'

const TRAVEL = readFileSync('examples/travel/svc.yaml', 'utf8')
const GUIDE = readFileSync('docs/guides/policy-tests.md', 'utf8').split(/^.*<<'CASES'\n|^CASES\n/mu)[1]!

/** A composition whose first step quotes what its second one takes. */
const QUOTING = `manifest_metadata: { version: '0.24.0' }
service_identity: { id: shop, name: Shop, description: Sells at the price that was quoted. }
trust: { level: signed }
capabilities:
  quote:
    description: Quotes a price.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [shop.read]
    inputs: []
    output: { type: quote, fields: [{ name: quote_id, type: string }] }
  order:
    description: Orders at the price that was quoted.
    contract_version: 1.0.0
    side_effect: { type: irreversible }
    minimum_scope: [shop.order]
    inputs: [{ name: quote_id, type: string, description: A quote. }]
    output: { type: order, fields: [{ name: order_id, type: string }] }
    cost: { certainty: estimated, financial: { currency: EUR, range_max: 9 } }
    requires_binding: [{ type: order_quote, field: quote_id, source_capability: quote, max_age: PT15M }]
  buy:
    description: Quotes and orders in one call.
    contract_version: 1.0.0
    side_effect: { type: irreversible }
    minimum_scope: [shop.read, shop.order]
    inputs: []
    output: { type: order, fields: [{ name: order_id, type: string }] }
    cost: { certainty: dynamic, financial: { currency: EUR, upper_bound: 9 } }
    kind: composed
    composition:
      authority_boundary: same_service
      steps: [{ id: quote, capability: quote }, { id: order, capability: order }]
      input_mapping: { order: { quote_id: $.steps.quote.output.quote_id } }
      output_mapping: { order_id: $.steps.order.output.order_id }
      failure_policy: fail_parent
      audit_policy: { record_child_invocations: true, parent_task_lineage: true }
`

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-test-'))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

/** The results of cases over a manifest. */
async function run(cases: string, manifestText = TRAVEL): Promise<readonly Result[]> {
  writeFileSync('a.svctest.yaml', cases)
  const { manifest, diagnostics } = check([{ file: 'svc.yaml', text: manifestText }], { preset: 'minimal' })
  if (manifest === undefined) throw new Error(diagnostics.map(({ message }) => message).join('\n'))
  const file = readCases('a.svctest.yaml')
  const service = await serviceOver(manifest, Date.parse(file.now ?? '2030-01-01T00:00:00Z'))
  const results: Result[] = []
  for (const each of file.cases) results.push(await runCase(service, manifest, each))
  await service.close()
  return results
}

const failing = (results: readonly Result[]) =>
  results.filter(({ problems }) => problems.length > 0).map(({ case: { name }, problems }) => [name, ...problems])

describe('svc test', () => {
  it('decides the cases of the guide as they expect', async () => {
    expect(failing(await run(GUIDE))).toEqual([])
  })

  it.each([
    ['required: always', 'required: handler', 'nobody books without an approval'],
    ['minimum_scope: [travel.book]', 'minimum_scope: [travel.search]', 'who may only search does not book'],
    ['max_age: PT15M', 'max_age: PT2H', 'a quote of an hour ago is too old'],
  ])('notices a manifest with %s changed to %s', async (from, to, name) => {
    const weaker = TRAVEL.replaceAll(from, to)
    expect(weaker).not.toBe(TRAVEL)
    expect(failing(await run(GUIDE, weaker)).map(([first]) => first)).toContain(name)
  })

  it('looks inside structured values', async () => {
    const schema = { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] }
    const cases = (count: number, expected: string): string =>
      `tests: [{ name: a, as: 'human:ana', token: { scope: [shop.order] }, call: place_order, parameters: { order: { count: ${count} } }, expect: ${expected} }]`
    const manifest = orderManifest(schema)
    expect(failing(await run(cases(0, '{ decision: denied, failure: invalid_parameters }'), manifest))).toEqual([])
    expect(failing(await run(cases(1, '{ decision: allowed }'), manifest))).toEqual([])
  })

  it('refuses inside structured values what the service refuses, at the same place', async () => {
    const schema = {
      type: 'object',
      properties: {
        day: { type: 'string', format: 'date' },
        lines: { type: 'array', items: { $ref: '#/x-schemas/Line' } },
        tags: { type: 'array', uniqueItems: true, items: { $ref: '#/x-schemas/Tag' } },
      },
      additionalProperties: false,
    }
    const shared = {
      Line: { type: 'object', properties: { count: { type: 'integer', minimum: 1 } }, required: ['count'] },
      Tag: { enum: ['a', 'b'], type: 'string' },
    }
    const text = orderManifest(schema, { type: 'object' }, shared)
    const built = await compiled(text)
    const orders = [
      { day: '2031-02-31' }, { day: 'soon' }, { day: '2031-02-28' }, { lines: [{ count: 1 }, { count: 0 }] }, { lines: [{}] }, { lines: [{ count: 1.5 }] },
      { lines: 5 }, { tags: ['a', 'b'] }, { tags: ['a', 'b', 'a'] }, { tags: ['c'] }, { more: 1 }, { 'a/b': 1 }, [],
    ] // prettier-ignore
    const cases = orders.map((order, index) => ({
      name: `case ${index}`,
      as: 'human:ana',
      token: { scope: ['shop.order'] },
      call: 'place_order',
      parameters: { order },
      expect: { decision: 'allowed' },
    }))
    const results = await run(JSON.stringify({ tests: cases }), text)
    const said = results.map(({ outcome: { detail } }) => /^Not valid: \/?order(.*)\.$/u.exec(detail ?? '')?.[1])
    expect(said).toEqual(orders.map((order) => troubleOf(built, order)))
    const where = cases.slice(3, 4).map((each) => ({ ...each, expect: { detail: '/order/lines/1/count must be' } }))
    expect(failing(await run(JSON.stringify({ tests: where }), text))).toEqual([])
    const elsewhere = cases.slice(3, 4).map((each) => ({ ...each, expect: { detail: '/order/lines/0' } }))
    expect(failing(await run(JSON.stringify({ tests: elsewhere }), text))).toHaveLength(1)
  })

  it('runs 100 cases in less than a second of the guide’s own', async () => {
    const one = GUIDE.slice(GUIDE.indexOf('  - name: nothing is booked'), GUIDE.indexOf('  - name: a quote of an hour'))
    const cases = `tests:\n${Array.from({ length: 100 }, () => one).join('')}`
    expect(failing(await run(cases))).toEqual([])
    expect(await leastCpu(1_000, () => run(cases))).toBeLessThan(1_000)
  })

  it('asks resolvers, the actor policy and principals as the service would', async () => {
    const manifest = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: shop }
trust: { level: signed }
capabilities:
  order:
    description: Order bread.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [shop.order]
    requires_principal: [human]
    inputs:
      - { name: customer, type: string, catalog_ref: customers, resolution: { mode: backend_resolved, on_missing: clarify, on_unresolved: deny, on_ambiguous: clarify } }
      - { name: region, type: string, allowed_values: [north], resolution: { mode: actor_policy, on_missing: deny } }
    output: { type: order, fields: [order_id] }
    approval:
      required: { when: [{ input: customer, equals: big }] }
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 600, max_uses: 1 }
`
    const cases = `tests:
  - { name: a person, as: 'human:ana', call: order, parameters: { customer: small }, actor: { region: north }, expect: { decision: allowed } }
  - { name: a region that is none, as: 'human:ana', call: order, parameters: { customer: small }, actor: { region: south }, expect: { failure: invalid_parameters } }
  - { name: an agent, as: 'human:ana', token: { subject: 'agent:bot' }, call: order, parameters: { customer: small }, actor: { region: north }, expect: { failure: non_delegable_action, permission: denied } }
  - { name: nobody, as: 'human:ana', call: order, actor: { region: north }, expect: { failure: clarification_required } }
  - { name: who resolves to big, as: 'human:ana', call: order, parameters: { customer: small }, resolved: { customer: big }, actor: { region: north }, expect: { decision: approval } }
  - { name: approved, as: 'human:ana', call: order, parameters: { customer: big }, actor: { region: north }, approve: true, expect: { decision: allowed } }
  - { name: no such capability, call: ordr, expect: { failure: unknown_capability } }
  - { name: a scope that is not the token's, token: { capability: none }, call: order, expect: { failure: unknown_capability } }
`
    expect(failing(await run(cases, manifest))).toEqual([])
  })

  const ORDERS = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: shop }
trust: { level: signed }
capabilities:
  price:
    description: Price an order of bread in EUR.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [shop.read]
    inputs: [{ name: loaves, type: integer }]
    output: { type: price, fields: [{ name: amount, type: number }, { name: lines, type: array, x-schema: { items: { type: string } } }] }
    x-failures: { sold_out: There is no bread. }
`
  const HANDLERS = `import type { PriceHandler } from '../../generated/handlers.js'
const LOAF: number = 2
export const price: PriceHandler = ({ loaves }, { fail }) => {
  if (loaves > 10) return fail('sold_out', 'There is no bread.')
  if (loaves === 7) throw new Error('boom')
  return { amount: loaves * LOAF, lines: loaves === 3 ? 5 : ['bread'] }
}
`
  const priced = (loaves: number, more: string) =>
    `  - { name: of ${loaves}, call: price, parameters: { loaves: ${loaves} }, ${more} }\n`

  it('runs the handlers of the service, whose results and failures are seen', async () => {
    mkdirSync('src/handlers', { recursive: true })
    mkdirSync('test')
    writeFileSync('svc.yaml', ORDERS)
    writeFileSync('src/handlers/index.ts', HANDLERS)
    const cases =
      priced(2, 'expect: { decision: allowed, result: { amount: 4, lines: [bread] } }') +
      priced(11, 'expect: { decision: allowed, failure: sold_out }') +
      priced(7, 'expect: { failure: internal_error }') +
      priced(3, 'expect: { failure: internal_error }')
    const file = `manifest: ../svc.yaml\nhandlers: ../src/handlers/index.ts\ntests:\n`
    writeFileSync('test/a.svctest.yaml', file + cases)
    const quiet = { format: 'text', out: 'junit.xml' } as const
    expect(await test([], quiet)).toBe(0)
    expect(readFileSync('junit.xml', 'utf8')).toContain('tests="4" failures="0"')
    writeFileSync('test/a.svctest.yaml', file + priced(2, 'expect: { result: { amount: 5, lines: [] } }'))
    expect(await test([], quiet)).toBe(1)
    expect(readFileSync('junit.xml', 'utf8')).toContain(
      'expected result.amount 5, found 4&#10;expected 0 items in result.lines, found 1',
    )
    expect(readdirSync('.').filter((name) => name.startsWith('.svctest'))).toEqual([])
    writeFileSync('src/handlers/index.ts', 'throw new Error("at once")')
    await expect(test([], quiet)).rejects.toThrow('src/handlers/index.ts cannot be run: at once')
    writeFileSync('test/a.svctest.yaml', file.replace('index.ts', 'none.ts') + cases)
    await expect(test([], quiet)).rejects.toThrow('none.ts')
  })

  it('takes what a case gives in the place of a handler, and 100 of these in less than a second', async () => {
    const given = (what: string) => `given: { price: ${what} }`
    const cases = [
      priced(1, `${given('{ amount: 9, lines: [] }')}, expect: { result: { amount: 9 } }`),
      priced(2, `${given('{ failure: sold_out }')}, expect: { decision: allowed, failure: sold_out }`),
      priced(3, `${given('{ amount: nine, lines: [] }')}, expect: { failure: internal_error }`),
      priced(4, `${given('{ amount: 9, lines: [5] }')}, expect: { failure: internal_error }`),
      priced(5, 'expect: { decision: allowed }'),
    ]
    expect(failing(await run(`tests:\n${cases.join('')}`, ORDERS))).toEqual([])
    const hundred = `tests:\n${Array.from({ length: 20 }, () => cases.join('')).join('')}`
    expect((await run(hundred, ORDERS)).length).toBe(100)
    expect(await leastCpu(1_000, () => run(hundred, ORDERS))).toBeLessThan(1_000)
  })

  it('counts which rules were met as expected', async () => {
    const { manifest } = check([{ file: 'svc.yaml', text: TRAVEL }])
    const results = await run(GUIDE)
    const { rules, tested, missing } = coverageOf(manifest!, results)
    expect([rules, tested]).toEqual([17, 5])
    expect(missing).toContain('book_flight: binding_missing')
    expect(missing).not.toContain('book_flight: budget_exceeded')
    const none = results.map((result) => ({ ...result, problems: ['no'] }))
    expect(coverageOf(manifest!, none).tested).toBe(0)
  })

  it('reports as text and as JUnit', async () => {
    const results = await run(
      `tests:\n  - { name: <wrong> & so, call: search_flights, token: { scope: [travel.search] }, parameters: { origin: A, destination: B, date: '2030-05-01' }, expect: { decision: denied } }\n`,
    )
    const made = { results, coverage: { rules: 3, tested: 2, missing: ['a: b'] }, ms: 5 }
    expect(textOfRun(made)).toContain('FAIL a.svctest.yaml:2 <wrong> & so\n     expected decision denied, found')
    expect(textOfRun(made)).toContain('1 case, 1 failed; 2 of 3 rules tested (66 %), in 5 ms.')
    expect(junitTrouble(junitOfRun(made))).toEqual([])
    expect(junitOfRun(made)).toContain(
      '<testcase name="&lt;wrong&gt; &amp; so" classname="a.svctest.yaml" time="0"><failure message="expected decision denied',
    )
  })

  it.each([
    ['tests: 5', '`tests` must be a list of cases.'],
    ['cases: []', 'there is no member "cases"; there are manifest, now, handlers and tests.'],
    ['now: soon\ntests: []', '`now` must be a time with its zone, such as'],
    ['tests:\n  - { call: a, expect: { decision: allowed } }', 'a.svctest.yaml:2: a case needs `name`.'],
    ['tests:\n  - { name: a, call: a, expect: {} }', ':2: `expect` says nothing.'],
    ['tests:\n  - { name: a, call: a, expects: {} }', 'a case has no member "expects"; there are name,'],
    ['tests:\n  - { name: a, call: a, expects: {} }', 'given, after, approve, expect. Did you mean `expect`?'],
    [
      'tests:\n  - { name: a, call: a, expect: { decision: maybe } }',
      '`decision` of `expect` cannot be "maybe"; it takes one of allowed, denied, approval.',
    ],
    [
      'tests:\n  - { name: a, call: a, token: { scopes: [] }, expect: { decision: denied } }',
      '`token` has no member "scopes"',
    ],
    [
      'tests:\n  - { name: a, call: a, as: ana, expect: { decision: denied } }',
      '`as` of a case cannot be "ana"; it takes a principal, such as human:ana@example.com.',
    ],
    [
      'tests:\n  - { name: a, call: a, after: soon, expect: { decision: denied } }',
      '`after` of a case cannot be "soon"; it takes an ISO 8601 duration, such as PT15M.',
    ],
    ['handlers: 5\ntests: []', '`handlers` must be a path'],
    ['tests:\n  - { name: a, call: a, given: { a: 5 }, expect: { decision: denied } }', '`given` of a case cannot be'],
    ['tests: [', 'a.svctest.yaml:1:'],
  ])('says what is wrong with %j', (text, message) => {
    writeFileSync('a.svctest.yaml', text)
    expect(() => readCases('a.svctest.yaml')).toThrow(message)
  })

  it('says of a file what it lacks, and takes no time that is another one on another machine', () => {
    const told = (text: string): string => {
      writeFileSync('a.svctest.yaml', text)
      try {
        return String(readCases('a.svctest.yaml').now)
      } catch (error) {
        return (error as Error).message
      }
    }
    expect(told('')).toBe('a.svctest.yaml is empty; write `tests` in it.')
    const zone = '`now` must be a time with its zone, such as 2030-01-01T00:00:00Z.'
    for (const now of ['2030-01-01T00:00:00', '2030-01-01T00:00', '1 January 2030', '2030-13-01T00:00:00Z'])
      expect(told(`now: ${now}\ntests: []\n`)).toContain(zone)
    for (const now of ['2030-01-01', '2030-01-01T00:00:00Z', '2030-01-01T00:00:00.5+02:00'])
      expect(told(`now: ${now}\ntests: []\n`)).toBe(now)
  })

  it('says of a composition that quotes that handlers do not run here', async () => {
    const [result] = await run(
      `now: 2030-04-01T12:00:00Z
tests:
  - { name: buys, call: buy, token: { budget: { currency: EUR, max_amount: 9 } }, expect: { decision: allowed } }
`,
      QUOTING,
    )
    expect(result?.problems).toEqual([
      'expected decision allowed, found denied (composition_child_failed: The step order (order) failed: binding_stale.)',
      'A step needs a quote that another step issues, and handlers do not run here unless the file of cases names them: handlers: src/handlers/index.ts',
    ])
  })

  it('lets a folder without cases be, so that other tests run', async () => {
    const quiet = { format: 'text' } as const
    expect(await test([], quiet)).toBe(0)
    await expect(test([], { ...quiet, minCoverage: 1 })).rejects.toThrow('No file of cases matches')
    await expect(test(['.'], quiet)).rejects.toThrow('No file of cases matches')
  })

  it('ends with the code that CI needs', async () => {
    writeFileSync('svc.yaml', TRAVEL)
    writeFileSync('a.svctest.yaml', GUIDE)
    const quiet = { format: 'text', out: 'junit.xml' } as const
    expect(await test([], quiet)).toBe(0)
    expect(readFileSync('junit.xml', 'utf8')).toContain('<testsuites name="svc test" tests="6" failures="0"')
    expect(await test(['a.svctest.yaml'], { ...quiet, minCoverage: 90 })).toBe(1)
    writeFileSync('svc.yaml', TRAVEL.replace('required: always', 'required: handler'))
    expect(await test([resolve('.')], quiet)).toBe(1)
    await expect(test(['none.svctest.yaml'], quiet)).rejects.toThrow('No file of cases matches none.svctest.yaml.')
    await expect(test([], { ...quiet, minCoverage: 101 })).rejects.toThrow('--min-coverage is a percentage')
    writeFileSync('svc.yaml', 'capabilities: 5\n')
    await expect(test([], quiet)).rejects.toThrow('svc.yaml has errors; run svc validate.')
  })
})
