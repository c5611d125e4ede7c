import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EmittedFile } from '../../src/compiler/emitted.js'
import { applyWrites, planWrites, sweep, type Destination } from '../../src/cli/files.js'
import { writeOurs } from '../../src/cli/generate/write.js'

/** What happens to a project, one step after another. */
type Step =
  | { readonly does: 'build'; readonly wants: readonly number[]; readonly version: number }
  | {
      readonly does: 'killed build'
      readonly wants: readonly number[]
      readonly version: number
      readonly after: number
    }
  | { readonly does: 'edit'; readonly file: number; readonly text: string }
  | { readonly does: 'own file'; readonly file: number; readonly text: string }
  | { readonly does: 'delete'; readonly file: number }

const PATHS = [
  'generated/a.ts',
  'generated/b.ts',
  'generated/parts/a.ts',
  'generated/parts/deep/b.ts',
  'generated/c.ts',
]
const file = fc.nat(PATHS.length - 1)
const wants = fc.uniqueArray(file)
const version = fc.nat(3)
const text = fc.constantFrom('mine', 'also mine', '')

const steps: fc.Arbitrary<readonly Step[]> = fc.array(
  fc.oneof(
    { weight: 5, arbitrary: fc.record({ does: fc.constant('build' as const), wants, version }) },
    {
      weight: 3,
      arbitrary: fc.record({ does: fc.constant('killed build' as const), wants, version, after: fc.nat(6) }),
    },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('edit' as const), file, text }) },
    { weight: 2, arbitrary: fc.record({ does: fc.constant('own file' as const), file, text }) },
    { weight: 1, arbitrary: fc.record({ does: fc.constant('delete' as const), file }) },
  ),
  { minLength: 3, maxLength: 14 },
)

const ours = (path: string, version: number) => `// ${path} ${version}\n`
const filesOf = (wants: readonly number[], version: number): readonly EmittedFile[] =>
  wants.map((index) => ({ path: PATHS[index]!, text: ours(PATHS[index]!, version), ownership: 'generated' }))

const pathsUnder = (root: string): readonly string[] =>
  existsSync(join(root, 'generated'))
    ? readdirSync(join(root, 'generated'), { recursive: true, encoding: 'utf8' })
        .map((path) => `generated/${path}`)
        .filter((path) => statSync(join(root, path)).isFile())
    : []

/** Runs a build as far as its process lived: the journal, then some of its writes, each with its temporary file half-way. */
async function killedBuild(to: Destination, files: readonly EmittedFile[], after: number): Promise<void> {
  const plan = await planWrites(to, files, {})
  if (plan.conflicts.length > 0) return
  await sweep(to, plan)
  const dead = new Error('killed')
  let left = after
  const mortal = {
    ...plan,
    writes: mortalList(plan.writes, () => --left < 0, dead),
    removals: mortalList(plan.removals, () => --left < 0, dead),
  }
  await applyWrites(to, mortal).catch((error: unknown) => {
    if (error !== dead) throw error
  })
  const next = plan.writes[after]
  if (next === undefined) return
  mkdirSync(dirname(join(to.root, next.path)), { recursive: true })
  writeFileSync(join(to.root, `${next.path}.svc-tmp`), 'half')
}

/** A list whose iteration dies. */
function mortalList<Item>(items: readonly Item[], dies: () => boolean, error: Error): readonly Item[] {
  const list = [...items]
  list[Symbol.iterator] = function* (): Generator<Item, undefined, undefined> {
    for (let index = 0; index < list.length; index++) {
      if (dies()) throw error
      yield list[index]!
    }
  } as (typeof list)[typeof Symbol.iterator]
  return list
}

async function run(root: string, sequence: readonly Step[]): Promise<void> {
  const to: Destination = { root, folders: ['generated/'], lock: 'svc.lock.json', generator: 'svc test' }
  const theirs = new Map<string, string>()
  for (const step of sequence) {
    if (step.does === 'build') {
      const files = filesOf(step.wants, step.version)
      const wanted = new Set(files.map(({ path }) => path))
      const stood = await writeOurs(to, files, {}, false).then(
        () => true,
        () => false,
      )
      if (stood) {
        for (const path of wanted) {
          expect(readFileSync(join(root, path), 'utf8')).toBe(ours(path, step.version))
          theirs.delete(path)
        }
        const stray = pathsUnder(root).filter((path) => !wanted.has(path) && !theirs.has(path))
        expect(stray).toEqual([])
      }
    } else if (step.does === 'killed build') await killedBuild(to, filesOf(step.wants, step.version), step.after)
    else if (step.does === 'delete') {
      rmSync(join(root, PATHS[step.file]!), { force: true })
      theirs.delete(PATHS[step.file]!)
    } else {
      const path = step.does === 'edit' ? PATHS[step.file]! : `generated/own-${step.file}.ts`
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), step.text)
      theirs.set(path, step.text)
    }
    for (const [path, content] of theirs) expect(readFileSync(join(root, path), 'utf8')).toBe(content)
  }
}

describe('over random sequences of builds, edits and deaths', () => {
  it('no byte of the user is lost, and no stale file stays', async () => {
    await fc.assert(
      fc.asyncProperty(steps, async (sequence) => {
        const root = mkdtempSync(join(tmpdir(), 'svc-safety-'))
        await run(root, sequence).finally(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
      }),
      { numRuns: 1_200 },
    )
  }, 600_000)
})
