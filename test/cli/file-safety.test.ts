import { chmodSync, existsSync, lstatSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { EmittedFile } from '../../src/compiler/emitted.js'
import { applyWrites, planWrites, sweep, type Destination } from '../../src/cli/build/outputs.js'
import { digest, lockText } from '../../src/cli/shared/locks/lock.js'
import { replaceFile, rewriteFile } from '../../src/cli/shared/files/replace-file.js'
import { writeOurs } from '../../src/cli/build/write.js'

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

describe('a project whose folders hold something else', () => {
  const inProject = async (work: (root: string, to: Destination) => Promise<void>): Promise<void> => {
    const root = mkdtempSync(join(tmpdir(), 'svc-safety-'))
    const to = { root, folders: ['generated/'], lock: 'svc.lock.json', generator: 'svc test' }
    await work(root, to).finally(() => rmSync(root, { recursive: true, force: true, maxRetries: 20 }))
  }
  const fileAt = (path: string): readonly EmittedFile[] => [{ path, text: 'new', ownership: 'generated' }]

  it.each([
    'main.ts',
    '../x.ts',
    'generated/../main.ts',
    'generated/a/../../../x.ts',
    'generated\\..\\x.ts',
    'generated',
  ])('is written in its own folders alone: not %s', (path) =>
    inProject(async (root, to) => {
      await expect(writeOurs(to, fileAt(path), {}, true)).rejects.toThrow(`${path} is outside generated/.`)
      expect(readdirSync(root)).toEqual([])
    }),
  )

  it.each(['main.ts', 'generated/../main.ts', 'generated\\..\\main.ts'])('loses no file that its lock names as ours: %s', (path) =>
    inProject(async (root, to) => {
      writeFileSync(join(root, 'main.ts'), 'mine')
      const outputs = { [path]: digest('mine') }
      writeFileSync(join(root, 'svc.lock.json'), lockText({ version: 1, generator: 'svc test', inputs: {}, outputs }))
      await writeOurs(to, [], {}, true)
      expect(readFileSync(join(root, 'main.ts'), 'utf8')).toBe('mine')
    }),
  ) // prettier-ignore

  it('is not written through a link, nor over what is no file', () =>
    inProject(async (root, to) => {
      writeFileSync(join(root, 'mine'), 'mine')
      mkdirSync(join(root, 'generated/folder'), { recursive: true })
      symlinkSync('../mine', join(root, 'generated/link.ts'))
      symlinkSync('folder', join(root, 'generated/linked'))
      writeFileSync(join(root, 'generated/file'), '')
      for (const [path, message] of [
        ['generated/link.ts', 'generated/link.ts is a link. Nothing was written'],
        ['generated/linked/a.ts', 'generated/linked is a link. Nothing was written'],
        ['generated/folder', 'generated/folder is not a file. Nothing was written'],
        ['generated/file/a.ts', 'generated/file is not a folder. Nothing was written'],
      ] as const)
        await expect(writeOurs(to, fileAt(path), {}, true)).rejects.toThrow(message)
      expect(readFileSync(join(root, 'mine'), 'utf8')).toBe('mine')
    }))

  it('is written through no link that somebody puts where its draft goes', () =>
    inProject(async (root, to) => {
      writeFileSync(join(root, 'mine'), 'mine')
      mkdirSync(join(root, 'generated'))
      const plan = await planWrites(to, fileAt('generated/a.ts'), {})
      symlinkSync('../mine', join(root, 'generated/a.ts.svc-tmp'))
      await expect(applyWrites(to, plan)).rejects.toThrow('EEXIST')
      expect(readFileSync(join(root, 'mine'), 'utf8')).toBe('mine')
    }))

  it.each([
    ['{'],
    ['{"version":2,"generator":"x","inputs":{},"outputs":{}}'],
    ['{"version":1,"generator":"x","inputs":{},"outputs":{"a":1}}'],
    ['{"version":1,"generator":"x","inputs":{"a":null},"outputs":{}}'],
    ['{"version":1,"generator":"x","inputs":{},"outputs":{},"manifest_keys":["short"]}'],
    ['{"version":1,"generator":"x","inputs":{},"outputs":{},"manifest_keys":"x"}'],
    [`{"version":1,"generator":"x","inputs":{},"outputs":{},"manifest_keys":["${'k'.repeat(43)}","short"]}`],
    ['{"version":1,"generator":"x","inputs":{},"outputs":{},"replaced":[1]}'],
  ])('is left alone where its lock is %s', (text) =>
    inProject(async (root, to) => {
      writeFileSync(join(root, 'svc.lock.json'), text)
      await expect(writeOurs(to, fileAt('generated/a.ts'), {}, true)).rejects.toThrow('svc.lock.json is not a lock')
      expect(readdirSync(root)).toEqual(['svc.lock.json'])
    }),
  )

  it('has a lock that is sorted throughout', () => {
    const lock = { version: 1, generator: 'x', inputs: { b: '1', a: '2' }, outputs: { d: '3', c: '4' }, manifest_keys: ['z', 'y'], replaced: { f: '5', e: '6' } } as const // prettier-ignore
    expect(
      lockText(lock)
        .match(/"[a-z]":|"[zy]"/gu)
        ?.join(''),
    ).toBe('"y""z""a":"b":"c":"d":"e":"f":')
  })
})

describe('a file that is put in the place of another', () => {
  const inFolder = async (work: (path: (name: string) => string) => Promise<void>): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'svc-replace-'))
    await work((name) => join(folder, name)).finally(() => rmSync(folder, { recursive: true, force: true }))
  }
  const modeOf = (path: string): number => statSync(path).mode & 0o777

  it('has the mode that is asked for, whatever was there, and is written through no link', () =>
    inFolder(async (path) => {
      writeFileSync(path('other'), 'theirs', { mode: 0o644 })
      writeFileSync(path('secret'), 'old', { mode: 0o644 })
      symlinkSync(path('other'), path('secret.svc-tmp'))
      await replaceFile(path('secret'), 'new', 0o600)
      expect([readFileSync(path('secret'), 'utf8'), modeOf(path('secret'))]).toEqual(['new', 0o600])
      expect([readFileSync(path('other'), 'utf8'), existsSync(path('secret.svc-tmp'))]).toEqual(['theirs', false])
    }))

  it('leaves nothing half-way where it cannot stand', () =>
    inFolder(async (path) => {
      mkdirSync(path('taken/by'), { recursive: true })
      await expect(replaceFile(path('taken'), 'new')).rejects.toThrow(/EISDIR|ENOTEMPTY|EEXIST/u)
      expect(existsSync(path('taken.svc-tmp'))).toBe(false)
    }))

  it('of the user stays where its link leads, and who could read it still can', () =>
    inFolder(async (path) => {
      writeFileSync(path('real.yaml'), 'old')
      chmodSync(path('real.yaml'), 0o664)
      symlinkSync('real.yaml', path('svc.yaml'))
      await rewriteFile(path('svc.yaml'), 'new')
      expect(lstatSync(path('svc.yaml')).isSymbolicLink()).toBe(true)
      expect([readFileSync(path('real.yaml'), 'utf8'), modeOf(path('real.yaml'))]).toEqual(['new', 0o664])
    }))
})

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
