import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { describe, expect, it } from 'vitest'
import { fitsSchema } from '../../src/compiler/rules/facts/schemas/fits-schema.js'
import type { Json } from '../../src/protocol/manifest.js'
import { mapSchema, type ValueSchema } from '../../src/protocol/value-schema.js'
import { compiled, type Compiled } from './compiled.js'
import { likelyValue, randomOf, schemaOf, SHARED, valueOf } from './random.js'

/** Schemas in this run, in manifests of a hundred; 10,000 by `SCHEMAS=10000 npx vitest run test/values/agree.test.ts`. */
const COUNT = Number(process.env['SCHEMAS'] ?? 100)
const EACH = 100
const VALUES = 10

interface Example {
  /** Of its capability: `c7`; `C7` in types. */
  readonly name: string
  readonly schema: ValueSchema
  readonly values: readonly Json[]
}

function examplesOf(seed: number): readonly Example[] {
  const random = randomOf(seed)
  return Array.from({ length: EACH }, (_, index) => {
    const schema = schemaOf(random, 3)
    const values = Array.from({ length: VALUES }, (__, at) => (at < 8 ? likelyValue(random, schema) : valueOf(random)))
    return { name: `c${index}`, schema, values }
  })
}

const manifestOf = (examples: readonly Example[]): string =>
  JSON.stringify({
    manifest_metadata: { version: '0.24.0' },
    service_identity: { id: 'shop' },
    trust: { level: 'signed' },
    'x-schemas': SHARED,
    capabilities: Object.fromEntries(
      examples.map(({ name, schema }) => [
        name,
        {
          description: 'Take a value and say nothing.',
          contract_version: '1.0.0',
          side_effect: { type: 'read' },
          minimum_scope: ['shop.read'],
          inputs: [{ name: 'value', type: 'any', description: 'A value.', 'x-schema': schema }],
          output: { type: 'nothing', fields: ['nothing'] },
        },
      ]),
    ),
  })

/** What types can say of a schema: which members there are and of which types. */
const structure = (schema: ValueSchema, isPython: boolean): ValueSchema =>
  mapSchema(schema, ({ type, enum: listed, const: only, properties, required, additionalProperties, items, anyOf, oneOf, $ref }) => {
    const hasMembers = Object.keys(properties ?? {}).length > 0
    // A dictionary type of Python says nothing of further members; an interface beside named ones says `unknown`.
    const isOpen = isPython ? hasMembers || additionalProperties === false : hasMembers && typeof additionalProperties === 'object'
    const more = isOpen ? true : additionalProperties
    const choices = anyOf ?? oneOf
    const types = type === undefined ? undefined : [type].flat().map((each) => (each === 'integer' ? ('number' as const) : each))
    return Object.fromEntries(
      Object.entries({ type: types, enum: listed, const: only, properties, required, additionalProperties: more, items, anyOf: choices, $ref }).filter(([, value]) => value !== undefined),
    )
  }) // prettier-ignore

const sharedStructure = (isPython: boolean) =>
  Object.fromEntries(Object.entries(SHARED).map(([name, schema]) => [name, structure(schema, isPython)]))

const typeName = ({ name }: Example): string => name.toUpperCase()
const pairsOf = (examples: readonly Example[]) =>
  examples.flatMap((example) => example.values.map((value) => ({ example, value })))

function write(folder: string, { files }: Compiled): void {
  for (const [path, text] of files) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
}

/** Of the client's types only those of values: the others need the whole client. */
const CLIENT = [
  "export type { Json, JsonObject } from '" + resolve('src/protocol/manifest.js').replaceAll('\\', '/') + "'",
  'export type CallRefusal = string',
  'export type CallOptions = object',
  'export type Refused<Type> = Type',
  'export type Outcome<Output, Failure> = Output | Failure',
].join('\n')

/** Which values the TypeScript types take: one a line, in one run of the compiler. */
function byTypeScript(folder: string, examples: readonly Example[]): readonly boolean[] {
  const pairs = pairsOf(examples)
  const lines = pairs.map(
    ({ example, value }, index) => `export const v${index}: P.${typeName(example)}Parameters['value'] = ${JSON.stringify(value)}`,
  )
  writeFileSync(join(folder, 'generated/values-of.ts'), ["import type * as P from './types.js'", ...lines, ''].join('\n'))
  writeFileSync(join(folder, 'client.d.ts'), CLIENT)
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      compilerOptions: { target: 'ES2023', lib: ['ES2023'], module: 'NodeNext', moduleResolution: 'NodeNext', types: [], noEmit: true, strict: true, exactOptionalPropertyTypes: true, skipLibCheck: true, paths: { 'svc-kit/client': ['./client.d.ts'] } },
      files: ['generated/values-of.ts'],
    }),
  )
  const run = spawnSync(process.execPath, [resolve('node_modules/typescript/bin/tsc'), '-p', folder, '--pretty', 'false'], { encoding: 'utf8', env: { ...process.env, NODE_OPTIONS: '' } })
  const wrong = new Set([...run.stdout.matchAll(/values-of\.ts\((\d+),/gu)].map(([, line]) => Number(line) - 2))
  const others = run.stdout.split('\n').filter((line) => line.includes('error') && !line.includes('values-of.ts'))
  expect(others).toEqual([])
  return pairs.map((_, index) => !wrong.has(index))
} // prettier-ignore

function byPython(folder: string, examples: readonly Example[]): readonly boolean[] {
  const at = join(folder, 'dist/python')
  cpSync('templates/python', join(at, 'shop_client'), { recursive: true })
  const input = pairsOf(examples).map(({ example, value }) => [
    `${typeName(example)}Parameters.__annotations__["value"].__forward_arg__`,
    value,
  ])
  const env = { ...process.env, PYTHONPATH: at, PYTHONDONTWRITEBYTECODE: '1' }
  return JSON.parse(execFileSync('python3', ['test/values/judge-types.py'], { input: JSON.stringify(input), env, encoding: 'utf8' })) as readonly boolean[] // prettier-ignore
}

function byOpenApi({ files }: Compiled, examples: readonly Example[]): readonly boolean[] {
  const { components } = JSON.parse(files.get('dist/openapi.json')!) as { readonly components: object }
  const values = pairsOf(examples).map(({ example, value }) => [`${typeName(example)}Parameters`, { value }])
  const { NODE_OPTIONS: _, ...env } = process.env
  return JSON.parse(execFileSync(process.execPath, ['test/values/judge-openapi.js'], { input: JSON.stringify({ components, values }), env, encoding: 'utf8' })) as readonly boolean[] // prettier-ignore
}

describe.each(Array.from({ length: Math.ceil(COUNT / EACH) }, (_, batch) => [batch + 1]))('a hundred schemas of seed %i', (seed) => {
  it('mean the same to the generated checks, to svc validate, to OpenAPI, and to the types of TypeScript and Python', async () => {
    const examples = examplesOf(seed)
    const made = await compiled(manifestOf(examples))
    const folder = mkdtempSync(join(tmpdir(), 'svc-agree-'))
    write(folder, made)
    const openapi = byOpenApi(made, examples)
    const [typescript, python] = [byTypeScript(folder, examples), byPython(folder, examples)]
    // Each judge takes many and refuses many; one that says the same of all would agree by chance.
    for (const judged of [openapi, typescript, python]) {
      const taken = judged.filter(Boolean).length / judged.length
      expect(taken).toBeGreaterThan(0.2)
      expect(taken).toBeLessThan(0.8)
    }
    const disagreements = pairsOf(examples).flatMap(({ example: { name, schema }, value }, index) => {
      const generated = made.validators[name]!.input['value']!(value).length === 0
      const [inTypes, inPython] = [false, true].map((isPython) => fitsSchema(value, structure(schema, isPython), sharedStructure(isPython)))
      const said = { generated, own: fitsSchema(value, schema, SHARED), openapi: openapi[index], typescript: typescript[index], python: python[index] }
      const agreed = { generated, own: generated, openapi: generated, typescript: inTypes, python: inPython }
      return JSON.stringify(said) === JSON.stringify(agreed) && (!generated || (inTypes && inPython)) ? [] : [{ schema, value, said, agreed }]
    })
    expect(disagreements.slice(0, 3)).toEqual([])
  })
}) // prettier-ignore
