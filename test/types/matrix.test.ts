import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { clientDeclarations } from '../../src/cli/build/client-declarations.js'
import { rememberNothing } from '../../src/compiler/plan/memo.js'
import { COMPILERS, compile, copyExample, EXAMPLES, folderWithPackages, remove, RESOLUTIONS } from './project.js'

let folder: string

beforeAll(async () => {
  folder = folderWithPackages()
  for (const name of EXAMPLES) {
    copyExample(folder, name)
    await installClient(name)
  }
  await namesakes()
})
afterAll(() => remove(folder))

/** The types of an example's client in a folder of their own, as if they had been packed and installed. */
async function installClient(name: string): Promise<void> {
  const at = join('examples', name, 'generated')
  const generated = readdirSync(at, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map(
      (file) =>
        ({ path: `generated/${file}`, text: readFileSync(join(at, file), 'utf8'), ownership: 'generated' }) as const,
    )
  write(join('clients', name), await clientDeclarations(generated, rememberNothing))
}

function write(at: string, files: readonly { readonly path: string; readonly text: string }[]): void {
  for (const { path, text } of files) {
    const file = join(folder, at, path)
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** A service whose author has given types of his own every name that the fixed core of a client exports, where he may. */
async function namesakes(): Promise<void> {
  const core = readFileSync('dist/client/index.d.ts', 'utf8')
  const names = [...new Set([...core.matchAll(/\b[A-Z]\w+/gu)].map(([name]) => name))]
  const refused = serviceOf(names).problems.map(({ message }) => message).join() // prettier-ignore
  const free = names.filter((name) => !refused.includes(` ${name},`))
  const { files } = serviceOf(free)
  const isModule = { path: 'package.json', text: '{"type": "module"}' }
  write('clients/namesakes', [isModule, ...files, ...(await clientDeclarations(files, rememberNothing))])
  expect(free).toContain('Money')
}

function serviceOf(names: readonly string[]) {
  const schema = { type: 'object', properties: { a: { type: 'string' } }, required: ['a'], additionalProperties: false }
  const reading = (name: string) => ({
    description: 'Read it.', contract_version: '1.0.0', side_effect: { type: 'read' }, minimum_scope: ['a.read'], inputs: [],
    output: { type: 'it', fields: [{ name: 'it', type: 'object', 'x-schema': { $ref: `#/x-schemas/${name}` } }] },
  }) // prettier-ignore
  const text = JSON.stringify({
    manifest_metadata: { version: '0.24.0' },
    service_identity: { id: 'namesakes' },
    trust: { level: 'signed' },
    'x-schemas': Object.fromEntries(names.map((name) => [name, schema])),
    capabilities: Object.fromEntries(names.map((name) => [`get_${name.toLowerCase()}`, reading(name)])),
  })
  return emit(check([{ file: 'svc.json', text }]).manifest!, { generator: 'svc' })
}

describe.each(COMPILERS)('%s', (compiler) => {
  it.each(Object.keys(RESOLUTIONS) as (keyof typeof RESOLUTIONS)[])(
    'compiles every example with %s resolution',
    (resolution) => {
      const include = EXAMPLES.flatMap((name) => ['generated', 'src', 'main.ts'].map((part) => `${name}/${part}`))
      expect(compile(folder, compiler, resolution, include)).toEqual([])
    },
    180_000,
  )

  it('compiles the client of every example, and of one whose types have our names, where nothing else of it is', () => {
    expect(compile(folder, compiler, 'NodeNext', ['clients'])).toEqual([])
  }, 180_000)
})
