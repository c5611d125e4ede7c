import { spawnSync } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { ts } from 'ts-morph'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { emit, type Emission } from '../../src/compiler/emit.js'
import { cpuTime } from '../cpu-time.js'
import { compile, folderWithPackages, remove, type Complaint } from '../types/project.js'
import { forSet, notRun, vectorJson } from '../vectors-suite/vectors.js'
import { EXPECTATIONS, expectedValue, manifestText, type Case } from './placing.js'

/** CPU ms for what is large, beside other work: 20,000 capabilities become 20,925 files in a third of that. */
const MOST_MS: { readonly [field: string]: number } = {
  'capabilities.count': 40_000,
  'steps.count': 5_000,
  description: 5_000,
}

interface Result {
  readonly case: Case
  readonly errors: readonly { readonly code: string; readonly line: number }[]
  readonly emission: Emission | undefined
  readonly ms: number
}

let folder: string
let results: ReadonlyMap<string, Result>
let complaints: readonly Complaint[]
let loaded: { readonly [id: string]: unknown }

function resultOf(each: Case): Result {
  const text = manifestText(each)!
  const started = cpuTime()
  const { diagnostics, manifest } = check([{ file: 'svc.yaml', text }])
  const emission = manifest === undefined ? undefined : emit(manifest, { generator: 'svc' })
  const errors = diagnostics
    .filter(({ severity }) => severity === 'error')
    .map(({ code, range }) => ({ code, line: range.start.line }))
  return { case: each, errors, emission, ms: cpuTime() - started }
}

/** Writes what was emitted under a folder of its own; every path must stay in it. */
function writeOut(id: string, { files }: Emission): void {
  for (const { path, text } of files) {
    expect(path).toMatch(/^(?:generated|dist|src)\/(?:[a-z0-9_.-]+\/)*[a-z0-9_.-]+$/u)
    expect(path.split('/')).not.toContain('..')
    mkdirSync(dirname(join(folder, id, path)), { recursive: true })
    writeFileSync(join(folder, id, path), text)
    if (path.endsWith('.ts')) writeFileSync(join(folder, id, path.replace(/\.ts$/u, '.js')), transpiled(text))
  }
  writeFileSync(join(folder, id, 'package.json'), '{"type": "module"}')
}

const transpiled = (text: string): string =>
  ts.transpileModule(text, {
    compilerOptions: { target: ts.ScriptTarget.ES2023, module: ts.ModuleKind.ESNext, verbatimModuleSyntax: true },
  }).outputText

/** Imports every generated module in one process, calls what can be called, and says what the manifests hold. */
const LOADER = `
import { readdirSync, existsSync } from 'node:fs'
const found = {}
for (const id of readdirSync('.')) {
  if (!existsSync(id + '/generated/manifest.js')) continue
  for (const name of ['client', 'handlers', 'service', 'types', 'validators']) await import('./' + id + '/generated/' + name + '.js')
  const { manifest } = await import('./' + id + '/generated/manifest.js')
  const { createClient } = await import('./' + id + '/generated/client.js')
  createClient({ baseUrl: 'http://127.0.0.1:9' })
  found[id] = manifest
}
process.stdout.write(JSON.stringify({ found, pwned: globalThis.__PWNED__ ?? null, polluted: ({}).polluted ?? null }))
`

forSet('svc-hostile-definitions', ['cases.json'], () => {
  const all = vectorJson<readonly Case[]>('svc-hostile-definitions', 'cases.json')
  const cases = all.filter((each) => manifestText(each) !== undefined)
  const unplaced = new Set(all.filter((each) => !cases.includes(each)).map(({ field }) => field))
  if (unplaced.size > 0) notRun(`fields ${[...unplaced].join(', ')}`, 'a manifest has no such field')
  const words = new Set(cases.map((each) => each.expect).filter((word) => !EXPECTATIONS.includes(word)))
  if (words.size > 0)
    notRun(`expectations ${[...words].join(', ')}`, 'not known here; only that nothing is harmed was looked at')

  beforeAll(() => {
    folder = folderWithPackages()
    results = new Map(cases.map((each) => [each.id, resultOf(each)]))
    for (const [id, { emission }] of results)
      if (emission !== undefined && emission.files.length < 500) writeOut(id, emission)
    complaints = compile(folder, 'typescript', 'NodeNext', ['*/generated', '*/src'])
    writeFileSync(join(folder, 'load.mjs'), LOADER)
    const { stdout, stderr } = spawnSync(process.execPath, ['--disallow-code-generation-from-strings', 'load.mjs'], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 2 ** 28,
    })
    if (stdout === '') throw new Error(stderr)
    const { found, pwned, polluted } = JSON.parse(stdout) as { found: typeof loaded; pwned: unknown; polluted: unknown }
    expect({ pwned, polluted }).toEqual({ pwned: null, polluted: null })
    loaded = found
  }, 600_000)
  afterAll(() => remove(folder))

  describe('hostile definitions', () => {
    it.each(cases.map((each) => [each.id, each.field, each.expect] as const))('%s: %s, %s', (id, field, expected) => {
      const { case: each, errors, emission, ms } = results.get(id)!
      const isRefused = emission === undefined || emission.problems.length > 0
      if (expected === 'reject') expect(isRefused).toBe(true)
      if (expected === 'escape') expect(isRefused && !hidesText(errors)).toBe(false)
      if (emission === undefined) expect(errors[0]?.line).toBeGreaterThan(0)
      if (expected === 'escape' && !isRefused) expect(holds(loaded[id], expectedValue(each))).toBe(true)
      expect(complaints.filter(({ file }) => file.startsWith(`${id}/`))).toEqual([])
      expect(ms).toBeLessThan(MOST_MS[field] ?? 1_000)
    })

    it('harm nobody', () => {
      expect(Reflect.get(globalThis, '__PWNED__')).toBeUndefined()
      expect(existsSync('/tmp/pwned')).toBe(false)
      expect(
        readdirSync(folder)
          .filter((name) => !results.has(name))
          .sort(),
      ).toEqual(['load.mjs', 'node_modules', 'tsconfig.json'])
    })
  })
})

/** Text with bidirectional controls is refused by a rule, before any emitter sees it (SVC5101). */
const hidesText = (errors: Result['errors']): boolean =>
  errors.length > 0 && errors.every(({ code }) => code === 'SVC5101' || code === 'SVC0104')

/** Holds when the value is somewhere in the manifest, byte for byte. */
function holds(whole: unknown, value: unknown): boolean {
  if (JSON.stringify(whole) === JSON.stringify(value)) return true
  return typeof whole === 'object' && whole !== null && Object.values(whole).some((member) => holds(member, value))
}
