import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { aroundLayout } from '../../src/console/app/pages/capabilities/around-layout.js'
import { costWords, mostOf } from '../../src/console/app/pages/capabilities/cost.js'
import { blankOf, kindOf, numberFrom, resolved, variantName, withMember } from '../../src/console/app/pages/capabilities/form/kind.js' // prettier-ignore
import { BOX_HEIGHT, boxText, type Drawing } from '../../src/console/app/pages/capabilities/layout.js'
import { catalogueOf } from '../../src/console/app/pages/capabilities/read.js'
import { relationsOf } from '../../src/console/app/pages/capabilities/relations.js'
import { pythonText, sampleIn, type SampleCall } from '../../src/console/app/pages/capabilities/samples.js'
import { shellWord } from '../../src/protocol/shell.js'
import { edgesOf, wholeLayout } from '../../src/console/app/pages/capabilities/whole-layout.js'
import { givenInputs, typedParameters } from '../../src/cli/call/run.js'
import { check } from '../../src/compiler/check.js'
import { toolsOf } from '../../src/protocol/tools.js'

const source = readFileSync('examples/travel/svc.yaml', 'utf8')
const manifest = check([{ file: 'svc.yaml', text: source }]).manifest!
const { all } = catalogueOf(manifest, toolsOf(manifest))

/** No box stands on another. */
function expectNoOverlap({ boxes, width, height }: Drawing): void {
  for (const box of boxes) {
    expect([box.x >= 0, box.y >= 0, box.x + box.width <= width, box.y + BOX_HEIGHT <= height]).toEqual([true, true, true, true]) // prettier-ignore
    const others = boxes.filter((each) => each !== box)
    const hit = others.find((each) => each.x < box.x + box.width && box.x < each.x + each.width && each.y < box.y + BOX_HEIGHT && box.y < each.y + BOX_HEIGHT) // prettier-ignore
    expect(hit && [box.name, hit.name]).toBeUndefined()
  }
}

describe('the graph of a capability', () => {
  it('has what comes first, what undoes it and what checks it', () => {
    expect(relationsOf(all, 'book_flight')).toEqual([
      { kind: 'first', name: 'search_flights' },
      { kind: 'undone', name: 'refund_booking' },
      { kind: 'checked', name: 'get_booking' },
    ])
    expect(relationsOf(all, 'plan_trip').map(({ kind, name }) => `${kind} ${name}`)).toEqual(['step search_flights', 'step get_destination']) // prettier-ignore
  })

  it.each(all.map(({ name }) => name))('%s is drawn without boxes that overlap, the same each time', (name) => {
    const drawing = aroundLayout(name, relationsOf(all, name))
    expectNoOverlap(drawing)
    expect(aroundLayout(name, relationsOf(all, name))).toEqual(drawing)
  })

  it('has room for many, with long names', () => {
    const relations = [...Array(9).keys()].flatMap(
      (count) =>
      (['first', 'later', 'step', 'undone'] as const).map((kind) => ({ kind, name: `${kind}_${'x'.repeat(count * 9)}${count}` })), // prettier-ignore
    )
    expectNoOverlap(aroundLayout('short', relations))
    expectNoOverlap(aroundLayout('a_name_that_is_as_long_as_names_may_be_here', relations.slice(0, 3)))
  })

  it('of the whole service stands right of what comes first', () => {
    const edges = edgesOf(all)
    expect(edges).toContainEqual({ from: 'search_flights', to: 'book_flight', isStep: false })
    expect(edges).toContainEqual({ from: 'get_destination', to: 'plan_trip', isStep: true })
    const drawing = wholeLayout(edges)
    expectNoOverlap(drawing)
    const boxOf = (name: string) => drawing.boxes.find((box) => box.name === name)!
    for (const { from, to } of edges) expect(boxOf(from).x + boxOf(from).width).toBeLessThan(boxOf(to).x)
  })

  it('does not hang on a circle', () => {
    const circle = [{ from: 'a', to: 'b', isStep: false }, { from: 'b', to: 'a', isStep: false }] // prettier-ignore
    expect(wholeLayout(circle).boxes).toHaveLength(2)
  })
})

it('a name is cut where it has more than 26 letters', () => {
  expect([boxText('x'.repeat(26)), boxText('x'.repeat(27))]).toEqual(['x'.repeat(26), `${'x'.repeat(25)}…`])
})

it.each<[object, string, number | undefined]>([
  [{ amount: 12, upper_bound: 20, range_max: 30, typical: 40 }, '12.00 EUR', 12],
  [{ upper_bound: 20, range_max: 30, typical: 40 }, 'Up to 20.00 EUR', 20],
  [{ range_min: 10, range_max: 30 }, '10.00 to 30.00 EUR', 30],
  [{ range_min: 10, range_max: 30, typical: 15 }, '10.00 to 30.00 EUR, typically 15.00', 30],
  [{ range_max: 30 }, 'An estimated amount in EUR', 30],
  [{ typical: 15 }, 'Typically 15.00 EUR', 15],
  [{}, 'An estimated amount in EUR', undefined],
])('of a cost of %j is said %s, and a budget begins with %s', (financial, words, most) => {
  const cost = { certainty: 'estimated', financial: { currency: 'EUR', ...financial } } as const
  expect([costWords({ cost }), mostOf(cost)]).toEqual([words, most])
})

it('a declared cost is said in words', () => {
  const cost = (financial: object) => costWords({ cost: { certainty: 'estimated', financial: { currency: 'EUR', ...financial } } }) // prettier-ignore
  expect([cost({ amount: 12 }), cost({ upper_bound: 500 }), cost({ range_min: 60, range_max: 900, typical: 240 }), cost({}), costWords({})]).toEqual([
    '12.00 EUR', 'Up to 500.00 EUR', '60.00 to 900.00 EUR, typically 240.00', 'An estimated amount in EUR', 'Free (none declared)',
  ]) // prettier-ignore
})

describe('a form from a schema', () => {
  const money = {
    type: 'object' as const,
    properties: { currency: { enum: ['EUR', 'USD'] }, amount: { type: 'number' as const } },
    required: ['currency'],
  }
  it.each([
    [{ type: 'string' }, 'text'],
    [{ type: 'string', format: 'date' }, 'text'],
    [{ type: 'integer' }, 'number'],
    [{ type: 'boolean' }, 'truth'],
    [{ enum: [1, 'a', null] }, 'choice'],
    [{ const: 'card' }, 'choice'],
    [money, 'object'],
    [{ type: 'object' }, 'json'],
    [{ type: 'array', items: { type: 'string' } }, 'list'],
    [{ type: 'array', items: {} }, 'json'],
    [{ type: ['string', 'null'] }, 'variants'],
    [{ oneOf: [money, { type: 'null' }] }, 'variants'],
    [{}, 'json'],
  ] as const)('%j is a field of the kind %s', (schema, kind) => {
    expect(kindOf(schema as never).is).toBe(kind)
  })

  it('follows references, ends where one leads back, and fills in what can be nothing else', () => {
    const tree = { type: 'object' as const, properties: { kind: { const: 'tree' }, root: { $ref: '#/$defs/tree' }, leaves: { type: 'array' as const, items: {} } }, required: ['kind', 'root', 'leaves'] } // prettier-ignore
    expect(resolved({ $ref: '#/$defs/tree', description: 'Own.' }, { tree })).toMatchObject({ type: 'object', description: 'Own.' }) // prettier-ignore
    expect(resolved({ $ref: 'https://evil.example/' }, {})).toEqual({})
    const blank = JSON.stringify(blankOf(tree, { tree }))
    expect([blank.startsWith('{"kind":"tree","root":{"kind":"tree"'), blank.length < 1000]).toEqual([true, true])
    expect(blankOf(money, {})).toEqual({})
  })

  it('names variants, keeps the order of members, and takes numbers as numbers', () => {
    expect([variantName({ title: 'By card' }, 0), variantName({ properties: { kind: { const: 'card' } } }, 0), variantName({ type: 'null' }, 0), variantName({}, 1)]).toEqual(['By card', 'kind card', 'null', 'choice 2']) // prettier-ignore
    const members = ['a', 'b'].map((name) => ({ name, schema: {}, isRequired: false }))
    expect(JSON.stringify(withMember(withMember({}, members, 'b', 1), members, 'a', 2))).toBe('{"a":2,"b":1}')
    expect(withMember({ a: 1 }, members, 'a', undefined)).toEqual({})
    expect([numberFrom('12.50'), numberFrom(' '), numberFrom('1e3'), numberFrom('12,5'), numberFrom('0x10')]).toEqual([12.5, undefined, 1000, '12,5', '0x10']) // prettier-ignore
  })
})

describe('the same call', () => {
  const hostile = { text: `it's "$HOME" \`id\` $(id) \\ !x\n\u202Eexe.gnp\u{E0041}é😀`, at: '@file', count: 2, deep: { list: [true, null, 'a\'b'], 'k"y': 1.5 } } // prettier-ignore
  const call: SampleCall = { url: 'https://travel.example.com', serviceId: 'travel', capability: 'book_flight', parameters: hostile, asks: true, streams: false } // prettier-ignore
  const shell = (script: string): readonly string[] => {
    const printing = `const a = process.argv.slice(1); process.stdout.write(JSON.stringify(a))`
    const program = `curl() { node -e '${printing}' -- "$@"; }; svc() { node -e '${printing}' -- "$@"; }\nSVC_TOKEN=secret\n${script}`
    return JSON.parse(execFileSync('bash', ['-c', program], { encoding: 'utf8' })) as readonly string[]
  }

  it('as curl and as CLI is read by a shell as it was meant', () => {
    const curl = shell(sampleIn('curl', call))
    expect(curl.slice(0, 6)).toEqual(['https://travel.example.com/svc/invoke/book_flight', '-H', 'Authorization: Bearer secret', '-H', 'Content-Type: application/json', '-d']) // prettier-ignore
    expect(JSON.parse(curl[6]!)).toEqual({ parameters: hostile, approval: 'continue' })
    const cli = shell(sampleIn('cli', call))
    expect([cli[0], cli[1], ...cli.slice(-3)]).toEqual(['call', 'book_flight', '--wait-approval', '--url', 'https://travel.example.com']) // prettier-ignore
    expect(typedParameters(givenInputs(cli.slice(2, -3)))).toEqual(hostile)
  })

  it('as TypeScript calls the method of the generated client', () => {
    const text = sampleIn('typescript', call)
    expect(text).toContain("import { createClient } from 'travel-client'")
    const stub = 'const createClient = (options) => ({ bookFlight: async (...given) => ({ success: true, result: JSON.stringify([options, given]) }) })' // prettier-ignore
    const script = text.replace(/^import .*$/mu, stub)
    const env = { ...process.env, NODE_OPTIONS: '', SVC_TOKEN: 't' }
    const printed = execFileSync(process.execPath, ['--input-type=module', '-e', script], { encoding: 'utf8', env })
    expect(JSON.parse(printed)).toEqual([
      { baseUrl: 'https://travel.example.com', credential: 't' },
      [hostile, { approval: 'wait' }],
    ])
  })

  it('as Python is the same value', () => {
    const text = sampleIn('python', call)
    expect(text).toContain('from travel_client import CallOptions, Client')
    const printed = execFileSync('python3', ['-c', `import json; print(json.dumps(${pythonText(hostile)}))`], { encoding: 'utf8' }) // prettier-ignore
    expect(JSON.parse(printed)).toEqual(hostile)
  })

  it.each(['curl', 'cli', 'typescript', 'python'] as const)('as %s shows all of what it has', (language) => {
    expect(sampleIn(language, call)).not.toMatch(/[\u200B-\u200F\u202A-\u202E\u{E0000}-\u{E007F}]/u)
    expect(sampleIn(language, call)).toMatch(/SVC_TOKEN|svc call/u)
  })

  it.each<[string, boolean, boolean, string]>([
    ['curl', false, false, `curl https://a.example/svc/invoke/pay.now \\\n  -H "Authorization: Bearer $SVC_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"parameters":{"n":1}}'`],
    ['curl', true, true, `curl -N https://a.example/svc/invoke/pay.now \\\n  -H "Authorization: Bearer $SVC_TOKEN" \\\n  -H 'Content-Type: application/json' \\\n  -d '{"parameters":{"n":1},"approval":"continue","stream":true}'`],
    ['cli', false, false, 'svc call pay.now n:=1 \\\n  --url https://a.example'],
    ['cli', true, true, 'svc call pay.now n:=1 --wait-approval \\\n  --url https://a.example'],
    ['typescript', false, false, "import { createClient } from 'shop-client'\n\nconst client = createClient({ baseUrl: 'https://a.example', credential: process.env.SVC_TOKEN ?? '' })\nconst outcome = await client.payNow({\"n\":1})\nconsole.log(outcome.success ? outcome.result : outcome.failure)"],
    ['typescript', true, true, "import { createClient } from 'shop-client'\n\nconst client = createClient({ baseUrl: 'https://a.example', credential: process.env.SVC_TOKEN ?? '' })\nfor await (const { payload } of client.streaming.payNow({\"n\":1}, { approval: 'wait' })) console.log(payload)"],
    ['python', false, false, 'import os\nfrom shop_client import Client\n\nclient = Client("https://a.example", os.environ["SVC_TOKEN"])\nprint(client.pay_now({"n": 1}))'],
    ['python', true, true, 'import os\nfrom shop_client import CallOptions, Client\n\nclient = Client("https://a.example", os.environ["SVC_TOKEN"])\nfor progress in client.stream_pay_now({"n": 1}, CallOptions(wait=60)):\n    print(progress)'],
  ])('as %s, where a person may have to agree (%s) and it streams (%s)', (language, asks, streams, text) => {
    const plain = { url: 'https://a.example', serviceId: 'shop', capability: 'pay.now', parameters: { n: 1 } }
    expect(sampleIn(language as 'curl', { ...plain, asks, streams })).toBe(text)
  }) // prettier-ignore

  it('quotes a word only where it must', () => {
    expect([shellWord('a=b'), shellWord(''), shellWord("a'b")]).toEqual(['a=b', "''", String.raw`'a'\''b'`])
  })

  it.each([...'~$`!*?[]{}()<>|&;#"\\ ^'])('quote %s for a shell', (character) => {
    expect(shellWord(`a${character}b`)).toBe(`'a${character}b'`)
  })

  it.each([...'@%+:,./=_-9'])('leave %s as it is for a shell', (character) => {
    expect(shellWord(`a${character}b`)).toBe(`a${character}b`)
  })
})
