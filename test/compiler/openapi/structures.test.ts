import { load } from 'js-yaml'
import { describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { formatManifest } from '../../../src/compiler/fix/format.js'
import { importOperations } from '../../../src/compiler/openapi/import-operations.js'
import { readApiDocument } from '../../../src/compiler/openapi/library.js'
import { apiOperationsOf, dialectOf } from '../../../src/compiler/openapi/operations.js'
import { fragmentOf } from '../../../src/compiler/openapi/print-fragment.js'
import { upstreamOf } from '../../../src/compiler/openapi/upstream.js'
import { compiled, type Compiled } from '../../values/compiled.js'

const HEAD = `manifest_metadata: { version: '0.24.0' }
service_identity: { id: desk }
trust: { level: signed }
`

interface Written {
  readonly [name: string]: unknown
}
interface Made {
  readonly text: string
  readonly inputs: readonly Written[]
  readonly fields: readonly Written[]
  readonly schemas: Written
  readonly notes: readonly string[]
  readonly findings: readonly string[]
}

/** What is made of `POST /orders`, whose body and whose answer have the schemas. */
function made(body: object, answer: object = {}, schemas: object = {}, more: object = {}): Made {
  const json = { 'application/json': { schema: body } }
  const post = {
    operationId: 'orders',
    requestBody: { required: true, content: json },
    responses: { 200: { description: 'ok', content: { 'application/json': { schema: answer } } } },
    ...more,
  }
  const api = { openapi: '3.1.0', servers: [{ url: 'https://shop.example' }], paths: { '/orders': { post } }, components: { schemas } }
  const root = readApiDocument('api.json', JSON.stringify(api))
  if ('line' in root) throw new Error(root.message)
  const description = { root, documents: new Map(), wanted: new Set<string>(), target: () => ({ why: 'none' }), findings: [] as { message: string }[] } as never as Parameters<typeof dialectOf>[0]
  const dialect = dialectOf(description)!
  const imports = importOperations(description, dialect, upstreamOf(description, dialect, {})!, apiOperationsOf(description))
  const text = fragmentOf('shop', imports)
    .replaceAll(/^ +(?:cost|approval): TODO.*\n/gmu, '')
    .replaceAll(/TODO # POST suggests (.*)/gu, '$1')
    .replaceAll(/TODO # such as (.*)/gu, '$1')
  const { capabilities, 'x-schemas': shared = {} } = load(text) as { capabilities: { orders: { inputs: Written[]; output: { fields: Written[] } } } | null; 'x-schemas'?: Written }
  return {
    text,
    inputs: capabilities?.orders.inputs ?? [],
    fields: capabilities?.orders.output.fields ?? [],
    schemas: shared,
    notes: [...(imports.operations[0]?.notes ?? []), ...imports.notes],
    findings: imports.refused.flatMap(({ findings }) => findings.map(({ message }) => message)),
  }
} // prettier-ignore

const errorsOf = ({ text }: Made) =>
  check([{ file: 'svc.yaml', text: `${HEAD}${text}` }], { preset: 'minimal' }).diagnostics.map(
    ({ code, message }) => `${code} ${message}`,
  )

const built = async (one: Made): Promise<Compiled> => compiled(`${HEAD}${one.text}`)
const fits = ({ validators }: Compiled, name: string, value: unknown): boolean =>
  validators['orders']!.input[name]!(value).length === 0

const text = { type: 'string' }
const object = (properties: object, more: object = {}) => ({ type: 'object', properties, ...more })
const ref = (name: string) => ({ $ref: `#/components/schemas/${name}` })

describe('an imported schema', () => {
  it('keeps bounds, patterns, lists and members of members', async () => {
    const line = object(
      { sku: { type: 'string', pattern: '^[A-Z]{2}$' }, quantity: { type: 'integer', minimum: 1 } },
      { required: ['sku'], additionalProperties: false },
    )
    const one = made(
      object(
        {
          lines: { type: 'array', minItems: 1, items: line },
          count: { type: 'integer', exclusiveMinimum: 0, maximum: 9 },
        },
        { required: ['lines'] },
      ),
    )
    expect(one.notes).toEqual([])
    expect(one.inputs).toEqual([
      { name: 'lines', type: 'array', 'x-schema': { minItems: 1, items: line } },
      { name: 'count', type: 'integer', required: false, 'x-schema': { exclusiveMinimum: 0, maximum: 9 } },
    ])
    expect(errorsOf(one)).toEqual([])
    const service = await built(one)
    expect([[{ sku: 'AB', quantity: 1 }], [{ sku: 'AB', quantity: 0 }], [{ sku: 'x' }], [], [{}]].map((value) => fits(service, 'lines', value))).toEqual([true, false, false, false, false]) // prettier-ignore
  })

  it('shares what is referred to, and goes in circles as the description does', async () => {
    const tree = object(
      { name: { type: 'string' }, children: { type: 'array', items: ref('Tree') } },
      { required: ['name'] },
    )
    const one = made(object({ tree: ref('Tree') }), ref('Tree'), { Tree: tree })
    expect(errorsOf(one)).toEqual([])
    expect(one.schemas).toEqual({
      ShopTree: { ...tree, properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/x-schemas/ShopTree' } } } },
    }) // prettier-ignore
    expect(one.inputs).toEqual([
      { name: 'tree', type: 'object', required: false, 'x-schema': { $ref: '#/x-schemas/ShopTree' } },
    ])
    expect(one.fields).toEqual([
      { name: 'name', type: 'string' },
      { name: 'children', type: ['array', 'null'], 'x-schema': { items: { $ref: '#/x-schemas/ShopTree' } } },
    ])
    const service = await built(one)
    expect(fits(service, 'tree', { name: 'a', children: [{ name: 'b', children: [] }] })).toBe(true)
    expect(fits(service, 'tree', { name: 'a', children: [{ name: 'b', children: [{}] }] })).toBe(false)
  })

  it.each(['readOnly', 'writeOnly'])('requires no member that is %s, and says so', (mark) => {
    const pet = object({ id: { type: 'string', [mark]: true }, name: { type: 'string' } }, { required: ['id', 'name'] })
    const one = made(object({ pet }))
    expect(one.inputs).toMatchObject([{ name: 'pet', 'x-schema': { required: ['name'] } }])
    expect(one.notes).toEqual(['pet: that id is required, as it goes one way only'])
    expect(errorsOf(one)).toEqual([])
  })

  it.each<[object, object, readonly string[]]>([
    [{ type: 'number', minimum: 6, exclusiveMaximum: 5 }, {}, ['p: bounds that nothing fits']],
    [{ type: 'number', minimum: 4, exclusiveMaximum: 5 }, { 'x-schema': { minimum: 4, exclusiveMaximum: 5 } }, []],
    [{ type: 'integer', multipleOf: -2 }, {}, ['p: multipleOf']],
    [{ type: 'integer', multipleOf: 2 }, { 'x-schema': { multipleOf: 2 } }, []],
    [{ type: 'object', additionalProperties: { type: 'string' } }, { 'x-schema': { additionalProperties: { type: 'string' } } }, []],
    [{ anyOf: [{ const: 'a' }, { const: 'b' }] }, { allowed_values: ['a', 'b'] }, []],
  ])('of %j is %j, without %j', (schema, written, notes) => {
    const one = made(object({ p: schema }))
    const { name: _, type: __, required: ___, ...rest } = one.inputs[0]!
    expect([rest, one.notes]).toEqual([written, notes])
    expect(errorsOf(one)).toEqual([])
  }) // prettier-ignore

  it('has no closed list of values where two choices hold at once', () => {
    const one = made(
      object({ p: { anyOf: [{ const: 'a' }, { const: 'b' }], oneOf: [{ const: 'b' }, { const: 'c' }] } }),
    )
    expect(one.inputs[0]).not.toHaveProperty('allowed_values')
    expect(errorsOf(one)).toEqual([])
  })

  it('takes two that lead to each other', () => {
    const one = made(
      ref('A'),
      {},
      { A: object({ b: ref('B') }), B: object({ a: { anyOf: [{ type: 'null' }, ref('A')] } }) },
    )
    expect(errorsOf(one)).toEqual([])
    expect(one.schemas).toMatchObject({
      ShopB: { properties: { a: { anyOf: [{ $ref: '#/x-schemas/ShopA' }, { type: 'null' }] } } },
    })
  })

  it('makes one of `allOf`, with what each part demands', async () => {
    const pet = { allOf: [ref('Named'), object({ age: { type: 'integer', minimum: 0 } }), { required: ['age'] }] }
    const one = made(
      object({ pet }),
      {},
      { Named: object({ name: { type: 'string', minLength: 1 } }, { required: ['name'] }) },
    )
    expect(errorsOf(one)).toEqual([])
    const service = await built(one)
    expect([{ name: 'a', age: 1 }, { name: '', age: 1 }, { name: 'a' }, { age: 1 }, { name: 'a', age: -1 }].map((value) => fits(service, 'pet', value))).toEqual([true, false, false, false, false]) // prettier-ignore
  })

  it('keeps alternatives, beside members of their own too', async () => {
    const pay = {
      oneOf: [
        object({ card: { type: 'string' } }, { required: ['card'] }),
        object({ iban: { type: 'string' } }, { required: ['iban'] }),
      ],
    }
    const who = object(
      { id: { type: 'integer' }, mail: { type: 'string' } },
      { anyOf: [{ required: ['id'] }, { required: ['mail'] }] },
    )
    const labels = { type: 'array', items: { oneOf: [{ type: 'string' }, object({ name: { type: 'string' } })] } }
    const one = made(object({ pay, who, labels }))
    expect([errorsOf(one), one.notes]).toEqual([[], ['pay: oneOf (taken as anyOf)']])
    const service = await built(one)
    expect([{ card: 'x' }, { iban: 'x' }, {}, { card: 'x', iban: 'y' }].map((value) => fits(service, 'pay', value))).toEqual([true, true, false, true]) // prettier-ignore
    expect([{ id: 1 }, { mail: 'a' }, {}, { id: 'x', mail: 'a' }].map((value) => fits(service, 'who', value))).toEqual([true, true, false, false]) // prettier-ignore
    expect([['a', { name: 'b' }], [5]].map((value) => fits(service, 'labels', value))).toEqual([true, false])
  })

  it('keeps the values of an answer, and null where it may be', () => {
    const state = { enum: ['open', 'closed', null] }
    const one = made({}, object({ id: { type: 'integer' }, state, by: { anyOf: [{ type: 'null' }, ref('User')] } }, { required: ['id', 'state', 'by'] }), { User: object({ name: { type: 'string' } }) })
    expect([errorsOf(one), one.notes]).toEqual([[], []])
    expect(one.fields).toEqual([
      { name: 'id', type: 'integer' },
      { name: 'state', type: ['string', 'null'], 'x-schema': { enum: ['open', 'closed'] } },
      { name: 'by', type: ['object', 'null'], 'x-schema': { $ref: '#/x-schemas/ShopUser' } },
    ])
  }) // prettier-ignore

  it('says what it leaves out, and never refuses what the description allows because of it', async () => {
    const either = { oneOf: [{ type: 'string', pattern: '(?=a)a' }, { type: 'string', not: { const: 'a' } }] }
    const one = made(object({ either, odd: { type: 'array', uniqueItems: true, items: object({}), contains: {} }, half: { type: 'number', multipleOf: 0.5, format: 'x-half' } }))
    expect(errorsOf(one)).toEqual([])
    expect(one.notes).toEqual([
      'either: pattern, not, oneOf (taken as anyOf)',
      'odd: contains, uniqueItems of structures',
      'half: multipleOf',
    ])
    expect(one.inputs[0]).toMatchObject({ 'x-schema': { anyOf: [{ type: 'string' }, { type: 'string' }] } })
    expect(one.text).toContain('- name: half # not carried: multipleOf\n')
  }) // prettier-ignore

  it('names a keyword that it leaves out in one line, whatever the keyword holds', () => {
    const one = made(object({ half: { type: 'number', 'k\n    approval: none': 1, 'l\r\u2028': 1 } }))
    expect(one.text).toContain('- name: half # not carried: k?    approval: none, l??\n')
  })

  it.each([
    ['a loop without a step', { A: { anyOf: [ref('A'), ref('B')] }, B: { oneOf: [ref('A'), { type: 'string' }] } }],
    [
      'choices that overlap at every level',
      { A: { anyOf: [object({ a: ref('A'), b: ref('A') }), object({ a: ref('A') }), object({ a: ref('A'), c: {} })] } },
    ],
    ['bounds that nothing fits', { A: object({ a: { type: 'integer', minimum: 5, maximum: 1 }, b: { type: 'string', minLength: 3, maxLength: 1 } }) }],
    ['a schema of 200 kB', { A: object(Object.fromEntries(Array.from({ length: 2000 }, (_, index) => [`member_of_a_name_${index}`, { type: 'string', enum: ['aaaa', 'bbbb', 'cccc'] }]))) }],
    ['words of YAML', { A: object({ yes: { enum: ['no', 'null', '~', '1e3', ''] }, '+1': { const: 'on' }, 'a: b # c': { type: 'string', description: 'x: y\n# z' } }) }],
    ['names that objects have', { A: JSON.parse('{"type":"object","properties":{"__proto__":{"type":"string"},"constructor":{}},"required":["__proto__"]}') as object }],
    ['a schema that is none', { A: object({ a: false, b: true, c: 5, d: null, e: [] }, { required: 'x' }) }],
  ])('is valid whatever it holds: %s', async (_, schemas) => {
    const one = made(object({ a: ref('A') }), object({ a: ref('A') }), schemas)
    expect(errorsOf(one)).toEqual([])
    await built(one)
  }) // prettier-ignore

  it('tells alternatives apart by a constant, which comes first whatever their order', () => {
    const branch = (kind: string, more: object) =>
      object({ inside: { anyOf: [ref('Cat'), ref('Dog')] }, ...more, kind: { enum: [kind] } }, { required: ['kind'] })
    const schemas = { Cat: branch('cat', { lives: text }), Dog: branch('dog', { age: text }) }
    const discriminator = { propertyName: 'kind' }
    const one = made(object({ pet: { oneOf: [ref('Cat'), ref('Dog')], discriminator } }), {}, schemas)
    expect([errorsOf(one), one.notes]).toEqual([[], []])
    expect(Object.values(one.schemas).map((each) => Object.keys((each as Written)['properties'] as object)[0])).toEqual(['kind', 'kind']) // prettier-ignore
    expect(one.inputs[0]).toMatchObject({ 'x-schema': { oneOf: [{}, {}] } })
  })

  it('takes null for a member of an answer that may be missing, whatever its type', () => {
    const either = { anyOf: [{ type: 'integer' }, text] }
    const answer = object({ id: { type: 'integer', format: 'int64' }, either, both: { ...either, nullable: true }, sure: either }, { required: ['sure'] }) // prettier-ignore
    const one = made({}, answer)
    expect(errorsOf(one)).toEqual([])
    const branches = [{ type: 'integer' }, { type: 'string' }]
    expect(one.fields.map((field) => field['x-schema'])).toEqual([
      { type: ['integer', 'string', 'null'] },
      { anyOf: [...branches, { type: 'null' }] },
      { anyOf: [...branches, { type: 'null' }] },
      { anyOf: branches },
    ])
  })

  const WIDE = { type: 'integer', format: 'int64' }
  const DIGITS = '10765432100123456789'

  /** Place of a 64-bit number in an answer -> its schema, an answer with digits there, and its type. */
  it.each<[string, object, unknown, string, object?]>([
    ['a member', object({ n: WIDE }), { n: DIGITS }, 'readonly n?: number | string | null'],
    ['a member of a member', object({ a: object({ n: WIDE }) }), { a: { n: DIGITS } }, 'readonly n?: number | string'],
    ['a number', object({ n: { type: 'number', format: 'int64' } }), { n: DIGITS }, 'readonly n?: number | string | null'],
    ['a list', object({ a: { type: 'array', items: WIDE } }), { a: [1, DIGITS] }, 'readonly (number | string)[]'],
    ['a list of lists', object({ a: { type: 'array', items: { type: 'array', items: WIDE } } }), { a: [[DIGITS]] }, 'readonly (number | string)[]'],
    ['a list of members', { type: 'array', items: object({ n: WIDE }) }, [{ n: DIGITS }], 'readonly n?: number | string'],
    ['a map', object({ a: { type: 'object', additionalProperties: WIDE } }), { a: { x: DIGITS } }, 'readonly [name: string]: number | string'],
    ['a choice of one', object({ a: { oneOf: [WIDE, { type: 'boolean' }] } }), { a: DIGITS }, 'readonly a?: number | string | boolean | null'],
    ['a choice beside texts', object({ a: { oneOf: [WIDE, text] } }), { a: DIGITS }, 'readonly a?: number | string'],
    ['a choice of any', object({ a: { anyOf: [object({ n: WIDE }), object({ m: text })] } }), { a: { n: DIGITS } }, 'readonly n?: number | string'],
    ['a part', object({ a: { allOf: [object({ n: WIDE }), object({ m: text })] } }), { a: { n: DIGITS } }, 'readonly n?: number | string'],
    ['null', object({ a: object({ n: { ...WIDE, type: ['integer', 'null'] } }) }), { a: { n: DIGITS } }, 'readonly n?: number | string | null'],
    ['a reference', object({ a: ref('A') }), { a: { n: DIGITS } }, 'readonly n?: number | string', { A: object({ n: WIDE }) }],
    ['a reference to a number', object({ a: { type: 'array', items: ref('A') } }), { a: [DIGITS] }, 'readonly (number | string)[]', { A: WIDE }],
    ['a circle', object({ a: ref('A') }), { a: { b: { a: { n: DIGITS } } } }, 'readonly n?: number | string', { A: object({ b: ref('B'), n: WIDE }), B: object({ a: ref('A') }) }],
    ['the whole', WIDE, DIGITS, 'readonly value?: number | string'],
  ])('keeps the digits of 64 bits in %s of an answer, and says so in its type', async (_, answer, given, type, schemas = {}) => {
    const one = made({}, answer, schemas)
    expect(errorsOf(one)).toEqual([])
    const result = await built(one)
    const fields = one.fields.map(({ name }) => String(name))
    const isMembers = fields.every((name) => !['value', 'items'].includes(name))
    const body = isMembers ? { ...Object.fromEntries(fields.map((name) => [name, null])), ...(given as object) } : { [fields[0]!]: given }
    expect(result.validators['orders']!.output(body)).toEqual([])
    expect([...result.files.values()].join('\n')).toContain(type)
  }) // prettier-ignore

  it('takes digits in an answer alone: what both directions refer to is two schemas', async () => {
    const both = object({ a: ref('A') })
    const one = made(both, both, { A: object({ n: WIDE }) })
    expect(one.schemas).toEqual({ ShopA: object({ n: { type: 'integer' } }), ShopA2: object({ n: { type: ['integer', 'string'] } }) }) // prettier-ignore
    expect(fits(await built(one), 'a', { n: DIGITS })).toBe(false)
  })

  it('ends where three hundred answers lead to each other, and one of them to 64 bits', () => {
    const names = Array.from({ length: 300 }, (_, index) => `S${index}`)
    const members = Object.fromEntries(names.map((name) => [name.toLowerCase(), ref(name)]))
    const all = Object.fromEntries(names.map((name, index) => [name, object(index === 150 ? { n: WIDE } : members)]))
    expect(made({}, object({ a: ref('S0') }), all).text).toContain('type: [integer, string]')
  })

  it('takes `oneOf` as `anyOf` where only a discriminator tells its parts apart', () => {
    const schemas = { Cat: object({ kind: text }), Dog: object({ kind: text }) }
    const pet = { oneOf: [ref('Cat'), ref('Dog')], discriminator: { propertyName: 'kind' } }
    const one = made(object({ pet }), {}, schemas)
    expect([errorsOf(one), one.notes]).toEqual([[], ['pet: oneOf (taken as anyOf)']])
    expect(one.inputs[0]).toMatchObject({ 'x-schema': { anyOf: [{}, {}] } })
  })

  it('is laid out as svc fmt lays it out, however long its texts are', () => {
    const words = (mark: string) => `${mark}${' A sentence of several words, which goes on.'.repeat(8)}`
    const members = Object.fromEntries([...`a"':#[`].map((mark, index) => [`m${index}`, { ...text, description: words(mark), maxLength: 5 }])) // prettier-ignore
    const many = { enum: Array.from({ length: 40 }, (_, index) => `value ${index}`) }
    const long = { ...text, description: words('One') }
    const one = made(object({ ...members, many }), object({ ...members, many, long }), {}, { summary: words('b'), description: words('é') }) // prettier-ignore
    expect(one.text.split('\n').length).toBeGreaterThan(100)
    expect(formatManifest(one.text)).toBe(one.text)
  })

  it('ends with a thousand schemas that refer to each other, each to all', () => {
    const names = Array.from({ length: 300 }, (_, index) => `S${index}`)
    const members = Object.fromEntries(names.map((name) => [name.toLowerCase(), ref(name)]))
    const all = Object.fromEntries(
      names.map((name) => [name, { allOf: [object(members), object({ own: { type: 'string' } })] }]),
    )
    const one = made(object({ a: ref('S0') }), {}, all)
    expect(errorsOf(one)).toEqual([])
    expect(one.notes.join()).toContain('there is too much of it')
  })

  it('ends where `allOf` doubles at every level', () => {
    const double = Array.from({ length: 60 }, (_, index) => [`D${index}`, index === 0 ? object({ x: { type: 'integer' } }) : { allOf: [ref(`D${index - 1}`), ref(`D${index - 1}`)] }] as const) // prettier-ignore
    const one = made(object({ a: ref('D59') }), {}, Object.fromEntries(double))
    expect(errorsOf(one)).toEqual([])
    expect(one.schemas).toEqual({ ShopD59: object({ x: { type: 'integer' } }) })
  })

  it.each(['Nothing', 'toString', '__proto__'])('takes any value in the place of a reference to %s, which is not there', (name) => {
    const one = made(object({ a: object({ b: ref(name) }, { required: ['b'] }) }))
    expect([errorsOf(one), one.findings]).toEqual([[], []])
    expect(one.inputs).toMatchObject([{ name: 'a', type: 'object', 'x-schema': { properties: { b: {} }, required: ['b'] } }])
    expect(one.notes).toEqual([`a: the reference "#/components/schemas/${name}", which leads to nothing`])
  }) // prettier-ignore

  it('stands with what refers to a name as a finding', () => {
    const { findings } = made(object({ a: object({ b: { $ref: '#Nothing' } }) }))
    expect(findings).toEqual(['The reference "#Nothing" has no JSON pointer after `#`.'])
  })
})

it.each([
  ['a list', `{"a":${'['.repeat(70)}${']'.repeat(70)}}`, 1, 69],
  ['an object', `{\n"a": ${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`, 2, 321],
  ['brackets in texts are none', `{"openapi":"${'[{'.repeat(200)}\\"["}`, undefined, undefined],
])('a document that is nested too deep is a finding with its place: %s', (_, text, line, column) => {
  const read = readApiDocument('api.json', text)
  if (line === undefined) return expect(read).toHaveProperty('value')
  expect(read).toEqual({ file: 'api.json', line, column, pointer: '', message: 'The document is nested more than 64 deep here.' }) // prettier-ignore
})
