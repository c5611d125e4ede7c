/** What a file of cases may say, member by member, and what a run of cases prints. */
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
import { readCases } from '../../src/cli/test/read.js'
import { junitOfRun, percentOf, textOfRun } from '../../src/cli/test/report.js'
import type { Result } from '../../src/cli/test/run-case.js'
import { written } from './written.js'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-cases-'))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

/** What is said of a file of cases; `undefined` where nothing is wrong with it. */
function told(file: object | string): string | undefined {
  writeFileSync('a.svctest.yaml', typeof file === 'string' ? file : JSON.stringify(file))
  try {
    readCases('a.svctest.yaml')
    return undefined
  } catch (error) {
    return (error as Error).message
  }
}
const oneCase = (more: object): object => ({
  tests: [{ name: 'a', call: 'b', expect: { decision: 'denied' }, ...more }],
})
const PLACE = 'a.svctest.yaml:1: '

const MAPPING = 'a mapping'
const CASES: readonly (readonly [member: string, of: string, wrong: unknown, takes: string, right: unknown])[] = [
  ['name', 'a case', '', 'a text', 'a'],
  ['as', 'a case', 'ana', 'a principal, such as human:ana@example.com', 'agent:bot'],
  ['token', 'a case', [], MAPPING, {}],
  ['delegate', 'a case', {}, 'a list', []],
  ['call', 'a case', '', 'the name of a capability', 'b'],
  ['parameters', 'a case', [], 'a mapping of inputs', {}],
  ['bindings', 'a case', 5, 'a mapping of inputs and bindings', {}],
  ['resolved', 'a case', [], 'a mapping of inputs', {}],
  ['actor', 'a case', 'a', 'a mapping of inputs', {}],
  ['given', 'a case', { b: [] }, 'a mapping of capabilities, each to a result', { b: {} }],
  ['after', 'a case', '15m', 'an ISO 8601 duration, such as PT15M', 'PT15M'],
  ['approve', 'a case', 'yes', 'true or false', false],
  ['expect', 'a case', [], MAPPING, { cost: {} }],
]
const TOKENS: readonly (readonly [member: string, wrong: unknown, takes: string, right: unknown])[] = [
  ['scope', 'a', 'a list', ['a']],
  ['capability', '', 'the name of a capability', 'b'],
  ['subject', 'bot', 'a principal, such as human:ana@example.com', 'agent:bot'],
  ['purpose_parameters', [], MAPPING, {}],
  ['budget', 5, 'a mapping such as { currency: EUR, max_amount: 100 }', { currency: 'EUR' }],
  ['caller_class', 5, 'a text', 'c'],
  ['concurrent_branches', true, 'a text', 'allowed'],
  ['ttl_hours', '5', 'a number', 5],
  ['session_id', '', 'a text', 's'],
  ['max_delegation_depth', '1', 'a number', 1],
]
const EXPECTED: readonly (readonly [member: string, wrong: unknown, takes: string, right: unknown])[] = [
  ['decision', 'no', 'one of allowed, denied, approval', 'approval'],
  ['failure', '', 'the type of a failure, such as budget_exceeded', 'not_found'],
  ['detail', 5, 'a part of what the failure says', 'a'],
  ['cost', { sum: 1 }, 'a mapping of amount and currency', { amount: 1, currency: 'EUR' }],
  ['permission', 'none', 'one of available, restricted, denied', 'restricted'],
  ['result', [], 'a mapping of members', {}],
]
const BINDINGS: readonly (readonly [member: string, wrong: unknown, takes: string, right: unknown])[] = [
  ['type', '', 'a text', 'quote'],
  ['price', 5, 'a mapping such as { currency: EUR, amount: 10 }', { currency: 'EUR', amount: 1 }],
  ['data', [], MAPPING, {}],
  ['age', '1h', 'an ISO 8601 duration, such as PT15M', 'PT1H'],
]
const within = (
  what: string,
  rows: readonly (readonly [string, unknown, string, unknown])[],
  around: (value: object) => object,
) =>
  rows.map(
    ([member, wrong, takes, right]) =>
      [member, what, around({ [member]: wrong }), wrong, takes, around({ [member]: right })] as const,
  )

it.each([
  ...CASES.map(
    ([member, of, wrong, takes, right]) =>
      [member, of, { [member]: wrong }, wrong, takes, { [member]: right }] as const,
  ),
  ...within('`token`', TOKENS, (token) => ({ token })),
  ...within('a delegation', TOKENS, (one) => ({ delegate: [{}, one] })),
  ...within('`expect`', EXPECTED, (expect) => ({ expect })),
  ...within('a binding', BINDINGS, (quote) => ({ bindings: { quote_id: quote } })),
])('`%s` of %s is held to what it takes', (member, of, wrongly, wrong, takes, rightly) => {
  const message = `\`${member}\` of ${of} cannot be ${JSON.stringify(wrong)}; it takes ${takes}.`
  expect(told(oneCase(wrongly))).toBe(PLACE + message)
  expect(told(oneCase(rightly))).toBe(undefined)
})

const CASE_MEMBERS =
  'name, as, token, delegate, call, parameters, bindings, resolved, actor, given, after, approve, expect'
const TOKEN_MEMBERS =
  'scope, capability, subject, purpose_parameters, budget, caller_class, concurrent_branches, ttl_hours, session_id, max_delegation_depth'
it.each([
  [{ parameter: {} }, `a case has no member "parameter"; there are ${CASE_MEMBERS}. Did you mean \`parameters\`?`],
  [{ toString: 1 }, `a case has no member "toString"; there are ${CASE_MEMBERS}.`],
  [{ token: { ttl: 1 } }, `\`token\` has no member "ttl"; there are ${TOKEN_MEMBERS}.`],
  [{ delegate: [{ ttl: 1 }] }, `a delegation has no member "ttl"; there are ${TOKEN_MEMBERS}.`],
  [
    { expect: { costs: {} } },
    '`expect` has no member "costs"; there are decision, failure, detail, cost, permission, result. Did you mean `cost`?',
  ],
  [
    { bindings: { a: { prices: {} } } },
    'a binding has no member "prices"; there are type, price, data, age. Did you mean `price`?',
  ],
  [{ bindings: { a: 5 } }, 'a binding must be a mapping.'],
  [{ delegate: [5] }, 'a delegation must be a mapping.'],
  [{ expect: {} }, '`expect` says nothing.'],
  [{ name: undefined }, 'a case needs `name`.'],
  [{ call: undefined }, 'a case needs `call`.'],
  [{ expect: undefined }, 'a case needs `expect`.'],
])('a case with %j', (more, message) => {
  expect(told(oneCase(more))).toBe(PLACE + message)
})

it.each([
  [[], 'a.svctest.yaml must hold a mapping with `tests`.'],
  [{}, 'a.svctest.yaml:1: `tests` must be a list of cases.'],
  [{ manifest: 5, tests: [] }, 'a.svctest.yaml:1: `manifest` must be a path.'],
  [{ tests: [5] }, 'a.svctest.yaml:1: a case must be a mapping.'],
  ['tests: []\nmore: 1', 'a.svctest.yaml:1: there is no member "more"; there are manifest, now, handlers and tests.'],
  ['# a\n\ntests:\n  - 5', 'a.svctest.yaml:4: a case must be a mapping.'],
  ['tests: []\ntests: []', 'a.svctest.yaml:2: The key `tests` is given twice; remove or rename one.'],
])('a file with %j', (file, message) => {
  expect(told(file)).toBe(message)
})

it.each(['../other.ts', '../../../etc/passwd', '..'])('refuses handlers outside of the folder in which it runs: %s', (handlers) => {
  expect(told(`handlers: ${handlers}\ntests: []\n`)).toBe(`a.svctest.yaml:2: \`handlers\` must be a file below ${process.cwd()}, where svc test runs: it is run as code.`)
}) // prettier-ignore

it('finds manifest and handlers beside the file of cases, and what a case leaves out', () => {
  mkdirSync('test')
  writeFileSync(
    'test/a.svctest.yaml',
    'manifest: ../svc.yaml\nhandlers: own.ts\ntests:\n  - { name: a, call: b, expect: { decision: denied } }\n',
  )
  expect(readCases('test/a.svctest.yaml')).toEqual({
    file: 'test/a.svctest.yaml',
    manifest: 'svc.yaml',
    now: undefined,
    handlers: 'test/own.ts',
    cases: [
      {
        name: 'a',
        as: 'human:developer@localhost',
        token: {},
        delegate: [],
        call: 'b',
        parameters: {},
        bindings: {},
        resolved: {},
        actor: {},
        given: {},
        after: undefined,
        approve: false,
        expect: { decision: 'denied' },
        place: 'test/a.svctest.yaml:4',
      },
    ],
  })
})

const result = (name: string, place: string, problems: readonly string[]): Result =>
  ({ case: { name, place }, problems, outcome: {} }) as unknown as Result
const RESULTS = [
  result('good', 'a.yaml:3', []),
  result('bad \u001b[2J', 'a.yaml:9', ['expected decision denied, found allowed', 'expected amount 5, found none']),
  result('other', 'b.yaml:2', []),
]
const missing = Array.from({ length: 22 }, (_, index) => `book: rule_${index}`)

it('prints what failed, what was not tested, and how much', () => {
  const named = missing.slice(0, 20).map((rule) => `  ${rule}\n`).join('') // prettier-ignore
  expect(textOfRun({ results: RESULTS, coverage: { rules: 25, tested: 3, missing }, ms: 12 })).toBe(
    `FAIL a.yaml:9 bad \\u001b[2J
     expected decision denied, found allowed
     expected amount 5, found none
Not tested:
${named}  and 2 more
3 cases, 1 failed; 3 of 25 rules tested (12 %), in 12 ms.
`,
  )
  expect(textOfRun({ results: RESULTS.slice(0, 1), coverage: { rules: 2, tested: 2, missing: [] }, ms: 1 })).toBe(
    '1 case, 0 failed; 2 of 2 rules tested (100 %), in 1 ms.\n',
  )
  const twenty = { rules: 30, tested: 10, missing: missing.slice(0, 20) }
  expect(textOfRun({ results: [], coverage: twenty, ms: 1 })).not.toContain('more\n')
})

it('prints a suite of JUnit for each file', () => {
  expect(junitOfRun({ results: RESULTS, coverage: { rules: 0, tested: 0, missing: [] }, ms: 12 })).toBe(
    `<?xml version="1.0" encoding="UTF-8"?>
<testsuites name="svc test" tests="3" failures="1" errors="0">
  <testsuite name="a.yaml" tests="2" failures="1" errors="0" skipped="0">
    <testcase name="good" classname="a.yaml" time="0"></testcase>
    <testcase name="bad \uFFFD[2J" classname="a.yaml" time="0"><failure message="expected decision denied, found allowed&#10;expected amount 5, found none" type="expectation">a.yaml:9&#10;expected decision denied, found allowed&#10;expected amount 5, found none</failure></testcase>
  </testsuite>
  <testsuite name="b.yaml" tests="1" failures="0" errors="0" skipped="0">
    <testcase name="other" classname="b.yaml" time="0"></testcase>
  </testsuite>
</testsuites>
`,
  )
})

it.each([
  [3, 3, 100],
  [1000, 999, 99],
  [3, 0, 0],
  [0, 0, 100],
])('of %d rules %d are %d %', (rules, tested, percent) => {
  expect(percentOf({ rules, tested, missing: [] })).toBe(percent)
})

const SHOP = `manifest_metadata: { version: '0.24.0' }
service_identity: { id: shop, name: Shop, description: Sells. }
trust: { level: signed }
approvals: { approver_scope: shop.approve }
capabilities:
  quote:
    description: Quotes the price of bread.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: []
    inputs: []
    output: { type: quote, fields: [{ name: quote_id, type: string }] }
  order:
    description: Orders bread at the price that was quoted.
    contract_version: 1.0.0
    side_effect: { type: irreversible }
    minimum_scope: [shop.order]
    inputs: [{ name: quote_id, type: string, description: A quote. }]
    output: { type: order, fields: [{ name: order_id, type: string }] }
    cost: { certainty: estimated, financial: { currency: EUR, range_max: 9 } }
    requires_binding: [{ type: order_quote, field: quote_id, source_capability: quote, max_age: PT15M }]
    control_requirements: [{ type: cost_ceiling }]
    requires_principal: [human]
    approval:
      required: always
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 600, max_uses: 1 }
`
const BUDGET = 'token: { budget: { currency: EUR, max_amount: 5 } }'
const QUOTED = (price: number, more = '') =>
  `bindings: { quote_id: { price: { currency: EUR, amount: ${price} }${more} } }`
/** Runs cases, and gives the exit code and what is wrong with each. */
const ran = (cases: readonly string[], ...options: readonly string[]) => ranOver(SHOP, cases, ...options)

async function ranOver(manifest: string, cases: readonly string[], ...options: readonly string[]) {
  writeFileSync('svc.yaml', manifest)
  const lines = cases.map((each, index) => `  - { name: case ${index + 1}, ${each} }\n`)
  writeFileSync('a.svctest.yaml', `now: 2030-01-01T00:00:00Z\ntests:\n${lines.join('')}`)
  const { code } = await written(['test', '--out', 'junit.xml', ...options])
  const xml = readFileSync('junit.xml', 'utf8')
  const problems = [...xml.matchAll(/name="(case \d+)"[^>]*><failure message="([^"]*)"/gu)].map(
    ([, name, text = '']) => [name, ...text.replaceAll('&quot;', '"').split('&#10;')] as const,
  )
  return { code, problems }
}

it('meets each rule that a manifest declares, once', async () => {
  const cases = [
    'call: quote, expect: { decision: allowed, permission: available }',
    `call: order, ${BUDGET}, ${QUOTED(5)}, expect: { decision: approval, failure: approval_required, permission: available }`,
    `call: order, ${BUDGET}, ${QUOTED(5)}, approve: true, expect: { decision: allowed, cost: { amount: 5, currency: EUR } }`,
    `call: order, ${BUDGET}, ${QUOTED(6)}, expect: { decision: denied, failure: budget_exceeded }`,
    `call: order, ${BUDGET}, ${QUOTED(5, ', age: PT15M1S')}, expect: { failure: binding_stale }`,
    `call: order, ${BUDGET}, ${QUOTED(5, ', age: PT15M')}, expect: { failure: approval_required }`,
    `call: order, ${BUDGET}, ${QUOTED(5, ', type: other')}, expect: { failure: binding_stale }`,
    `call: order, ${BUDGET}, ${QUOTED(5)}, parameters: { quote_id: another }, expect: { failure: binding_stale }`,
    `call: order, ${BUDGET}, expect: { failure: binding_missing }`,
    `call: order, ${QUOTED(5)}, expect: { failure: control_requirement_unsatisfied, permission: restricted }`,
    `call: order, token: { scope: [shop.other], budget: { currency: EUR, max_amount: 5 } }, ${QUOTED(5)}, expect: { failure: scope_insufficient, permission: restricted }`,
    `call: order, as: 'agent:bot', ${BUDGET}, ${QUOTED(5)}, expect: { failure: non_delegable_action, permission: denied }`,
    'call: order, token: { scope: [shop.order, shop.other] }, delegate: [{ scope: [shop.other] }], expect: { failure: non_delegable_action }',
    `call: quote, delegate: [{}, { scope: [shop.none] }], expect: { decision: denied, failure: scope_escalation }`,
    `call: quote, delegate: [{ subject: 'agent:one' }, { subject: 'agent:two' }], expect: { decision: allowed }`,
    'call: quote, token: { ttl_hours: 1 }, after: PT30M, expect: { decision: allowed }',
    'call: quote, token: { ttl_hours: 1 }, after: PT2H, expect: { failure: token_expired }',
    'call: quote, token: { caller_class: staff }, expect: { decision: allowed }',
    `call: quote, as: 'agent:bot', token: { subject: 'human:ana' }, expect: { failure: insufficient_authority }`,
  ]
  expect(await ran(cases, '--min-coverage', '100')).toEqual({ code: 0, problems: [] })
})

const WHY = '(budget_exceeded: The cost of 6 EUR exceeds the budget of 5 EUR.)'
it('says of each expectation what was found instead', async () => {
  const cases = [
    `call: order, ${BUDGET}, ${QUOTED(5)}, approve: true, expect: { decision: denied, failure: not_found, detail: no, cost: { amount: 6, currency: USD }, permission: denied, result: { order_id: b } }`,
    `call: order, ${BUDGET}, ${QUOTED(6)}, expect: { decision: allowed, detail: other, permission: restricted }`,
    'call: quote, given: { quote: { quote_id: q1 } }, expect: { result: { quote_id: q2, more: { a: 1 } } }',
  ]
  expect(await ran(cases)).toEqual({
    code: 1,
    problems: [
      [
        'case 1',
        'expected decision denied, found allowed',
        'expected failure not_found, found none',
        'expected detail no, found none',
        'expected amount 6, found 5',
        'expected currency USD, found EUR',
        'expected permission denied, found available',
        'expected result.order_id "b", found "a value"',
      ],
      [
        'case 2',
        `expected decision allowed, found denied ${WHY}`,
        `expected detail other, found The cost of 6 EUR exceeds the budget of 5 EUR. ${WHY}`,
        `expected permission restricted, found available ${WHY}`,
      ],
      ['case 3', 'expected result.quote_id "q2", found "q1"', 'expected result.more {"a":1}, found none'],
    ],
  })
})

const CLOSING = `  close:
    description: Closes the shop for good.
    contract_version: 1.0.0
    side_effect: { type: write }
    minimum_scope: [shop.close]
    inputs: []
    output: { type: closing, fields: [{ name: closed, type: boolean }] }
    approval:
      required: always
      approvers: 2
      grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 600, max_uses: 1 }
`
const COMPOSED = (policy: string): string => `  buy:
    description: Quotes and orders in one call.
    contract_version: 1.0.0
    side_effect: { type: irreversible }
    minimum_scope: [shop.order]
    inputs: []
    output: { type: order, fields: [{ name: order_id, type: string }] }
    cost: { certainty: dynamic, financial: { currency: EUR, upper_bound: 9 } }
    kind: composed
    composition:
      authority_boundary: same_service
      steps: [{ id: quote, capability: quote }, { id: order, capability: order }]
      input_mapping: { order: { quote_id: $.steps.quote.output.quote_id } }
      output_mapping: { order_id: $.steps.order.output.order_id }
      failure_policy: ${policy}
      audit_policy: { record_child_invocations: true, parent_task_lineage: true }
`
const QUOTES_ELSEWHERE =
  'A step needs a quote that another step issues, and handlers do not run here unless the file of cases names them: handlers: src/handlers/index.ts'

it('approves by as many people as must, and holds each case to what it gives itself', async () => {
  const cases = [
    'call: close, approve: true, expect: { decision: allowed }',
    'call: close, given: { close: { closed: very } }, approve: true, expect: { failure: outcome_unknown }',
    'call: close, given: { close: { closed: true } }, approve: true, expect: { result: { closed: true } }',
    'call: close, expect: { failure: approval_required }',
  ]
  expect(await ranOver(SHOP + CLOSING, cases)).toEqual({ code: 0, problems: [] })
})

it.each(['propagate', 'fail_parent'])('says of a composition that %ss who quotes', async (policy) => {
  const given = 'given: { quote: { quote_id: q } }'
  const budget = 'token: { budget: { currency: EUR, max_amount: 9 } }'
  const free = SHOP.replace(/ {4}approval:\n(?: {6}.*\n)+/u, '')
  const { problems } = await ranOver(free + COMPOSED(policy), [
    `call: buy, ${budget}, expect: { decision: allowed }`,
    `call: buy, ${budget}, ${given}, expect: { decision: allowed }`,
    `call: order, ${budget}, ${QUOTED(5, ', type: other')}, expect: { decision: allowed }`,
  ])
  expect(problems.map((lines) => lines.at(-1))).toEqual([
    QUOTES_ELSEWHERE,
    QUOTES_ELSEWHERE,
    expect.stringContaining('binding_stale'),
  ])
})

it('fails where fewer rules are tested than is asked for', async () => {
  const cases = ['call: quote, expect: { decision: allowed }']
  expect((await ran(cases, '--min-coverage', '11')).code).toBe(0)
  expect((await ran(cases, '--min-coverage', '12')).code).toBe(1)
})

it('says where there are no cases', async () => {
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const outcome = []
  for (const args of [[], ['.'], ['--min-coverage', '1'], ['--min-coverage', '-1'], ['--min-coverage', 'all']])
    outcome.push([(await written(['test', ...args])).code, spy.mock.calls.splice(0).map(([text]) => text)])
  spy.mockRestore()
  const named = 'Name one *.svctest.yaml; svc init writes an example, and svc test --help has more.\n'
  expect(outcome).toEqual([
    [0, ['There is no *.svctest.yaml below this folder, so what the manifest allows was not tested.\n']],
    [2, [`svc: No file of cases matches **/*.svctest.yaml. ${named}`]],
    [2, [`svc: No file of cases matches **/*.svctest.yaml. ${named}`]],
    [2, ['svc: --min-coverage is a percentage, from 0 to 100.\n']],
    [2, ['svc: --min-coverage is a percentage, from 0 to 100.\n']],
  ])
})

it('reads no cases of packages and of builds', async () => {
  for (const name of ['node_modules/a', 'dist', 'more/b']) {
    mkdirSync(name, { recursive: true })
    writeFileSync(join(name, 'a.svctest.yaml'), 'tests: 5\n')
  }
  const spy = vi.spyOn(process.stderr, 'write').mockReturnValue(true)
  const { code } = await written(['test'])
  const said = spy.mock.calls.map(([text]) => text)
  spy.mockRestore()
  expect([code, said]).toEqual([2, ['svc: more/b/a.svctest.yaml:1: `tests` must be a list of cases.\n']])
})
