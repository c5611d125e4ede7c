/** Nothing that validates may fail to build, or to compile. 10,000 manifests: `MANIFESTS=10000 npm test -- builds`. */
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { afterAll, expect, it } from 'vitest'
import { clientDeclarations } from '../../src/cli/build/client-declarations.js'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { rememberNothing } from '../../src/compiler/plan/memo.js'
import { compile, folderWithPackages, remove } from '../types/project.js'
import { randomOf } from '../values/random.js'
import { randomManifest } from './random-manifest.js'

const COUNT = Number(process.env['MANIFESTS'] ?? 60)
const SEED = Number(process.env['SEED'] ?? 19)
const EACH = 100

const folder = folderWithPackages()
writeFileSync(join(folder, 'package.json'), '{"type": "module"}')
afterAll(() => remove(folder))

/** What a manifest says, and what became of it. */
interface Built {
  readonly seed: number
  readonly trouble?: string
}

/** The service of a seed, written below a folder of its own; undefined if its manifest does not validate. */
async function built(seed: number): Promise<Built | undefined> {
  const text = JSON.stringify(randomManifest(randomOf(seed)), null, 1)
  const { manifest } = check([{ file: 'svc.json', text }])
  if (manifest === undefined) return undefined
  try {
    const { files, problems } = emit(manifest, { generator: 'svc' })
    const packed = await clientDeclarations(files, rememberNothing)
    for (const { path, text: content } of [...files, ...packed]) {
      const file = join(folder, `m${seed}`, path)
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, content)
    }
    return problems.length === 0 ? { seed } : { seed, trouble: problems.map(({ message }) => message).join(' ') }
  } catch (error) {
    return { seed, trouble: String(error) }
  }
}

/** Every file of Python, read by Python itself. */
const READS_PYTHON = `
import ast, pathlib
for file in pathlib.Path('.').rglob('*.py'):
    try: ast.parse(file.read_text(encoding='utf-8'))
    except SyntaxError as error: print(file, error)
`

function troublesOf(services: readonly Built[]): readonly string[] {
  const said = services.flatMap(({ seed, trouble }) => (trouble === undefined ? [] : [`m${seed}: ${trouble}`]))
  const complaints = compile(folder, 'typescript', 'NodeNext', ['m*/generated/**/*.ts', 'm*/dist/client/**/*.ts'])
  const python = spawnSync('python3', ['-c', READS_PYTHON], { cwd: folder, encoding: 'utf8' })
  return [
    ...said,
    ...complaints.map(({ file, line, code, message }) => `${file}:${line} ${code} ${message}`),
    ...(python.stdout ?? '').split('\n').filter(Boolean),
  ]
}

it('builds and compiles whatever validates', async () => {
  let [seed, valid] = [SEED * 1_000_000, 0]
  const troubles: string[] = []
  while (valid < COUNT && troubles.length < 10) {
    const services: Built[] = []
    while (services.length < Math.min(EACH, COUNT - valid)) {
      const service = await built(seed++)
      if (service !== undefined) services.push(service)
    }
    valid += services.length
    troubles.push(...troublesOf(services))
    for (const service of services) rmSync(join(folder, `m${service.seed}`), { recursive: true })
    if (COUNT > EACH) console.log(`${valid} valid of ${seed - SEED * 1_000_000}, ${troubles.length} troubles`)
  }
  expect(troubles).toEqual([])
  // Most must be valid, or nothing was shown.
  expect(valid / (seed - SEED * 1_000_000)).toBeGreaterThan(0.2)
}, 7_200_000)
