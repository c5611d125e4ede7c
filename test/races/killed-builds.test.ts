import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { emit } from '../../src/compiler/emit.js'
import { generatorName } from '../../src/cli/build/generator-name.js'

const { manifestOf } = (await import('../../bench/build/manifest.js' as string)) as {
  manifestOf(count: number): string
}

const ROUNDS = Number(process.env['ROUNDS'] ?? 20)
const SVC = resolve('bin/svc.cjs')
let folder: string

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-killed-'))
  cpSync('examples/minimal/main.ts', join(folder, 'main.ts'))
  cpSync('examples/minimal/package.json', join(folder, 'package.json'))
  mkdirSync(join(folder, 'node_modules'))
  symlinkSync(resolve('.'), join(folder, 'node_modules/svc-kit'), 'junction')
})
afterAll(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const write = (path: string, text: string): void => {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}
const read = (path: string): string => readFileSync(join(folder, path), 'utf8')
const build = () => spawnSync(process.execPath, [SVC, 'build', '--no-bundle'], { cwd: folder, encoding: 'utf8' })

function filesUnder(name: string): readonly string[] {
  const paths = readdirSync(join(folder, name), { recursive: true, encoding: 'utf8' }).map((path) => `${name}/${path}`)
  return paths.filter((path) => statSync(join(folder, path)).isFile())
}

/** A build that dies without a word at a random moment of its life; gives how it ended. */
async function killedBuild(lifetime: number): Promise<number | null> {
  const child = spawn(process.execPath, [SVC, 'build', '--no-bundle'], { cwd: folder, stdio: 'ignore' })
  const ended = once(child, 'exit')
  await Promise.race([sleep(Math.random() * lifetime), ended])
  child.kill('SIGKILL')
  const [status] = (await ended) as [number | null]
  return status
}

/** A manifest whose modules differ from round to round, so that files come and go. */
const manifestOfRound = (round: number): string =>
  manifestOf([90, 40, 3, 70][round % 4]!).replaceAll('What belongs to it.', `What belongs to it in round ${round}.`)

const generatedFrom = (text: string): ReadonlyMap<string, string> => {
  const { manifest } = check([{ file: 'svc.yaml', text }])
  const { files } = emit(manifest!, { generator: generatorName() })
  return new Map(files.filter(({ path }) => path.startsWith('generated/')).map(({ path, text }) => [path, text]))
}

it(`loses no byte of the user's and leaves no stale file, over ${ROUNDS} builds that were killed`, async () => {
  write('svc.yaml', manifestOfRound(0))
  const started = performance.now()
  expect(build()).toMatchObject({ status: 0 })
  const lifetime = performance.now() - started
  const handler = filesUnder('src/handlers')[0]!
  let killed = 0
  for (let round = 1; round <= ROUNDS; round++) {
    const theirs = new Map([
      ['svc.yaml', manifestOfRound(round)],
      [handler, `// round ${round}\n`],
      ['main.ts', `// main of round ${round}\n`],
      ['generated/own.ts', `// a file of the user's in round ${round}\n`],
    ])
    const isEdited = round % 5 === 0
    if (isEdited) theirs.set('generated/service.ts', `// edited by hand in round ${round}\n`)
    for (const [path, text] of theirs) write(path, text)
    if ((await killedBuild(lifetime)) === null) killed++
    for (const [path, text] of theirs) expect(read(path)).toBe(text)
    if (isEdited) {
      expect(build()).toMatchObject({ status: 1, stderr: expect.stringContaining('generated/service.ts') })
      expect(read('generated/service.ts')).toBe(theirs.get('generated/service.ts'))
      rmSync(join(folder, 'generated/service.ts'))
      theirs.delete('generated/service.ts')
    }
    expect(build()).toMatchObject({ status: 0 })
    for (const [path, text] of theirs) expect(read(path)).toBe(text)
    const wanted = generatedFrom(theirs.get('svc.yaml')!)
    expect(filesUnder('generated').toSorted()).toEqual([...wanted.keys(), 'generated/own.ts'].toSorted())
    for (const [path, text] of wanted) expect(read(path)).toBe(text)
    expect(filesUnder('dist').filter((path) => /svc-(?:tmp|building)/u.test(path))).toEqual([])
  }
  expect(killed).toBeGreaterThan(0)
})
