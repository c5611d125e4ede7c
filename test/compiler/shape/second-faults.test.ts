/** One mistake is one error: what is reported in one place is not held against another. */
import { describe, expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
`
const CAPABILITY = `  lookup:
    description: Looks an account up by its id and returns it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`
const manifest = (more: string, text = CAPABILITY): string => `${HEAD}capabilities:\n${text}${more}`

const errorsOf = (text: string) =>
  check([{ file: 'svc.yaml', text }])
    .diagnostics.filter(({ severity }) => severity === 'error')
    .map(({ code, message }) => `${code} ${message}`)

it('capabilities whose only name is reserved are not empty, too', () => {
  expect(errorsOf(`${HEAD}capabilities:\n  constructor: {}\n`)).toEqual([
    'SVC0119 The key `constructor` is reserved, because every object has a property of that name; choose another.',
  ])
})

it('a field that stands there in two spellings counts as it is spelt right', () => {
  expect(errorsOf(manifest('    Inputs: [5]\n'))).toEqual(['SVC0211 `Inputs` is spelt `inputs` here.'])
})

describe('a field that belongs one level deeper', () => {
  it('is not missing there', () => {
    const policy = 'grant_policy: { allowed_grant_types: [one_time], default_grant_type: one_time, expires_in_seconds: 60, max_uses: 1 }' // prettier-ignore
    const text = CAPABILITY.replace('type: read', 'type: write')
    expect(errorsOf(manifest(`    approval: { required: always }\n    ${policy}\n`, text))).toEqual([
      'SVC0210 `grant_policy` belongs under `approval`.',
    ])
  })

  it('is a misspelt one of its own level where it is nearly one of these', () => {
    const inputs = 'inputs: [{ name: id, typ: string, description: Which one. }]'
    expect(errorsOf(manifest('', CAPABILITY.replace('inputs: []', inputs)))).toEqual([
      'SVC0202 `inputs[0]` has no field `typ`. Did you mean `type`?',
    ])
  })
})

it('a list may hold the same object twice nowhere that it may hold a word twice only once', () => {
  const inputs = 'inputs: [{ name: id, type: object, description: Which one., resolution: { mode: closed_values }, allowed_values: [{ a: 1 }, { a: 1 }] }]' // prettier-ignore
  expect(errorsOf(manifest('', CAPABILITY.replace('inputs: []', inputs)))).toContain(
    'SVC0208 {"a":1} is listed twice in `allowed_values`; remove one.',
  )
})

describe('x-schema', () => {
  const found = (schema: string) => {
    const inputs = `inputs: [{ name: id, type: array, description: Which ones., x-schema: ${schema} }]`
    return errorsOf(manifest('', CAPABILITY.replace('inputs: []', inputs)))
  }
  const nested = (depth: number): string =>
    depth === 0 ? '{ type: string }' : `{ type: array, items: ${nested(depth - 1)} }`

  it('may be 32 deep, and no deeper', () => {
    expect(found(nested(32))).toEqual([])
    expect(found(nested(33)).map((each) => each.slice(0, 44))).toEqual(['SVC2807 Schemas are nested more than 32 deep'])
  })

  it('has annotations alone beside choices', () => {
    const choices = 'oneOf: [{ type: string }, { type: integer }]'
    expect(found(`{ type: array, items: { ${choices}, title: Id, description: Its number or its name. } }`)).toEqual([])
    expect(found(`{ type: array, items: { ${choices}, type: string } }`)).toEqual([
      'SVC2803 `type` does not go beside `oneOf`; write it into the schema that this leads to.',
    ])
  })

  it('lists null once', () => {
    expect(found('{ type: array, items: { enum: [a, null, null] } }')).toEqual([
      'SVC2802 null is listed twice; remove one.',
    ])
  })
})
