import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { emit } from '../../../src/compiler/emit.js'

/** Two fields that may be null, written in either order, and one that may not. */
const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id and returns it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output:
      type: account
      fields:
        - { name: id, type: string }
        - { name: owner, type: [string, 'null'], description: Who owns it. }
        - { name: seats, type: [null, integer] }
`

const { diagnostics, manifest } = check([{ file: 'svc.yaml', text: TEXT }], { preset: 'minimal' })
const files = new Map(emit(manifest!, { generator: 'svc' }).files.map(({ path, text }) => [path, text]))
const textOf = (path: string): string => files.get(path)!

it('a list of types with null is read', () => {
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(manifest!.capabilities['lookup']!.output.fields).toEqual([
    { name: 'id', type: 'string' },
    { name: 'owner', type: 'string', nullable: true, description: 'Who owns it.' },
    { name: 'seats', type: 'integer', nullable: true },
  ])
})

it.each([
  [
    'generated/validators.ts',
    `output: outputFields({ id: 'string', owner: ['string', 'null'], seats: ['integer', 'null'] }),`,
  ],
  ['generated/types.ts', 'readonly owner: string | null'],
  ['generated/types.ts', 'readonly seats: number | null'],
  ['generated/types.ts', 'readonly id: string\n'],
  ['dist/python/crm_client/__init__.py', 'owner: Optional[str]'],
  ['dist/python/crm_client/__init__.py', 'seats: Optional[float]'],
  ['dist/reference.md', '| `owner` | `string` or null  | Who owns it. |'],
  ['dist/reference.md', '| `id`    | `string`          |              |'],
])('%s says %s', (path, said) => {
  expect(textOf(path)).toContain(said)
})

/** Every object in a JSON text that declares the property `owner`. */
function schemasIn(value: unknown): readonly { readonly [name: string]: unknown }[] {
  if (typeof value !== 'object' || value === null) return []
  const properties = (value as { readonly properties?: { readonly [name: string]: unknown } }).properties
  const own = properties?.['owner'] === undefined ? [] : [properties]
  return [...own, ...Object.values(value).flatMap(schemasIn)]
}

it('OpenAPI, the JSON Schemas and the tools say that the field may be null', () => {
  const texts = [...files].filter(([path, text]) => path.endsWith('.json') && text.includes('"owner"'))
  expect(texts.map(([path]) => path).toSorted()).toEqual(['dist/openapi.json', 'dist/schemas.json', 'dist/tools.json'])
  for (const [path, text] of texts) {
    const schemas = schemasIn(JSON.parse(text))
    expect(schemas.length, path).toBeGreaterThan(0)
    for (const { id, owner } of schemas) {
      expect(JSON.stringify(owner), path).toContain('"null"')
      expect(JSON.stringify(id), path).not.toContain('null')
    }
  }
})
