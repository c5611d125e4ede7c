import { spawnSync } from 'node:child_process'
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { hostname, tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { SourceMap, type SourceMapPayload, type SourceMapping } from 'node:module'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { buildSettings } from '../../src/cli/config/build-settings.js'
import { generatorName } from '../../src/cli/build/generator-name.js'
import { NO_MEMORY, type BuildMemory } from '../../src/cli/build/memory.js'
import { build } from '../../src/cli/build/run.js'
import { isDone } from '../../src/cli/build/unchanged.js'
import { isUnchanged } from '../../src/cli/build/unchanged.js'
import { signDetachedByJose } from '../../src/crypto/jws/jose-jws.js'
import { generatePrivateJwk } from '../../src/crypto/keys/key-ring.js'
import { writeNewKeys } from '../../src/runtime/keys/key-directory.js'

let folder: string
let said: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-build-'))
  cpSync('examples/minimal', folder, { recursive: true })
  said = ''
  for (const stream of [process.stdout, process.stderr])
    vi.spyOn(stream, 'write').mockImplementation((text) => ((said += String(text)), true))
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, force: true, maxRetries: 20 })
})

const path = (name: string) => join(folder, name)
const read = (name: string) => readFileSync(path(name), 'utf8')
const write = (name: string, text: string) => writeFileSync(path(name), text)
const plain = { check: false, force: false }
const addCapability = (name: string) =>
  write('svc.yaml', `${read('svc.yaml')}\n${SECOND.replaceAll('second_one', name)}`)

const SECOND = `  second_one:
    description: Report the second state of the service, as text.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [minimal.read]
    inputs: []
    output: { type: state, fields: [{ name: state, type: string }] }
`

describe('svc build', () => {
  it('writes generated/ and dist/, and the second time changes nothing', async () => {
    expect(await build(folder, plain)).toBe(0)
    const before = statSync(path('generated/types.ts')).mtimeMs
    expect(readdirSync(path('dist')).sort()).toEqual([
      '.svc-lock.json',
      'client',
      'digests.json',
      'discovery.json',
      'licenses.txt',
      'manifest.json',
      'openapi.json',
      'operate.mjs',
      'python',
      'reference.md',
      'sbom.cdx.json',
      'schemas.json',
      'server.mjs',
      'server.mjs.map',
      'tools.json',
    ])
    said = ''
    expect(await build(folder, plain)).toBe(0)
    expect(said).toMatch(/generated\/: \d+ files, 0 changed\n(?:note: .*\n)?dist\/: \d+ files, 0 changed/u)
    expect(statSync(path('generated/types.ts')).mtimeMs).toBe(before)
  })

  it('names the packages that the server needs beside it', async () => {
    write('main.ts', `import 'absent'\n${read('main.ts')}`)
    expect(await build(folder, { ...plain, types: false })).toBe(0)
    expect(said).toContain('note: dist/server.mjs imports absent: install it where it runs')
  })

  it('leads from a line of the server back to the line that its author wrote', async () => {
    await build(folder, plain)
    const server = read('dist/server.mjs').split('\n')
    const map = JSON.parse(read('dist/server.mjs.map')) as SourceMapPayload
    expect(server.at(-2)).toBe('//# sourceMappingURL=server.mjs.map')
    expect(server.filter((line) => line.startsWith('//# sourceMappingURL'))).toHaveLength(1)
    expect(JSON.stringify(map)).not.toContain(folder)
    for (const [source, words] of [
      ['src/handlers/get_status.ts', 'process.memoryUsage().rss'],
      ['main.ts', 'await readApiKeys('],
    ] as const) {
      const line = server.findIndex((each) => each.includes(words))
      const { originalSource, originalLine } = new SourceMap(map).findEntry(
        line,
        server[line]!.indexOf(words),
      ) as SourceMapping
      expect(originalSource).toBe(`../${source}`)
      expect(read(source).split('\n')[originalLine]).toContain(words)
    }
  })

  it('drafts the handler of a new capability once, and adds it to the list', async () => {
    addCapability('second_one')
    await build(folder, plain)
    expect(read('src/handlers/second_one.ts')).toBe(`import type { SecondOneHandler } from '../../generated/handlers.js'
import type { SecondOneOutput } from '../../generated/types.js'

/** Report the second state of the service, as text. */
export const secondOne: SecondOneHandler = async (): Promise<SecondOneOutput> => {
  throw new Error('second_one is not implemented. If it is, rebuild: npm run build')
}
`)
    expect(said).toContain('src/handlers/index.ts now exports second_one')
    expect(read('src/handlers/index.ts')).toContain("export { secondOne } from './second_one.js'\n")
    write('src/handlers/second_one.ts', '// mine\nexport const secondOne = () => ({})\n')
    await build(folder, plain)
    expect(read('src/handlers/second_one.ts')).toMatch(/^\/\/ mine\n/u)
  })

  it('names a handler that has no capability, and leaves it', async () => {
    write('src/handlers/get_statsu.ts', 'export const getStatsu = 1\n')
    await build(folder, plain)
    expect(said).toContain(
      'src/handlers/get_statsu.ts has no capability get_statsu. The nearest capability is get_status.',
    )
    expect(existsSync(path('src/handlers/get_statsu.ts'))).toBe(true)
  })

  it('writes nothing when the manifest has errors', async () => {
    const before = read('generated/types.ts')
    write('svc.yaml', read('svc.yaml').replace('type: read', 'type: raed'))
    await expect(build(folder, plain)).rejects.toThrow('has errors. Nothing was written')
    expect(read('generated/types.ts')).toBe(before)
    expect(existsSync(path('dist'))).toBe(false)
  })

  it('stops at bytes that are not ours, names the file and shows the difference', async () => {
    write('generated/types.ts', '// edited\n')
    await expect(build(folder, plain)).rejects.toThrow(
      /generated\/types\.ts would be overwritten, but its bytes are not those that svc wrote\.\n {2}@ line 1\n {2}- \/\/ edited/u,
    )
    expect(read('generated/types.ts')).toBe('// edited\n')
    expect(await build(folder, { check: false, force: true })).toBe(0)
    expect(read('generated/types.ts.kept-1')).toBe('// edited\n')
    expect(read('generated/types.ts')).toContain('GetStatusParameters')
    write('generated/types.ts', '// edited again\n')
    expect(await build(folder, { check: false, force: true })).toBe(0)
    expect([1, 2].map((copy) => read(`generated/types.ts.kept-${copy}`))).toEqual(['// edited\n', '// edited again\n'])
  })

  it('shows no character that would act on a terminal, or begin a line', async () => {
    write('generated/types.ts', 'a\r::error::\u001B[31m\n')
    await expect(build(folder, plain)).rejects.toThrow('  - a\u00B7::error::\u241B[31m\n')
  })

  it('does not follow a link out of the folder', async () => {
    const outside = mkdtempSync(join(tmpdir(), 'svc-outside-'))
    rmSync(path('generated'), { recursive: true })
    symlinkSync(outside, path('generated'))
    await expect(build(folder, plain)).rejects.toThrow('generated is a link. Nothing was written')
    expect(readdirSync(outside)).toEqual([])
    rmSync(outside, { recursive: true })
  })

  it('drafts no handler through a link out of the project, nor to what is named alike beside it', async () => {
    const outside = mkdtempSync(`${folder}-`)
    rmSync(path('src'), { recursive: true })
    symlinkSync(outside, path('src'))
    await expect(build(folder, plain)).rejects.toThrow('src leads out of the project')
    expect(readdirSync(outside)).toEqual([])
    rmSync(outside, { recursive: true })
  })

  it('goes on after a build that was killed half-way', async () => {
    const before = read('generated/types.ts')
    const lock = JSON.parse(read('svc.lock.json')) as { outputs: { [path: string]: string } }
    const replaced = { 'generated/types.ts': lock.outputs['generated/types.ts'] }
    write(
      'svc.lock.json',
      JSON.stringify({ ...lock, outputs: { ...lock.outputs, 'generated/types.ts': '0'.repeat(64) }, replaced }),
    )
    write('generated/types.ts.svc-tmp', 'half')
    addCapability('third')
    expect(await build(folder, plain)).toBe(0)
    expect(read('generated/types.ts')).not.toBe(before)
    expect(readdirSync(path('generated')).filter((name) => name.endsWith('.svc-tmp'))).toEqual([])
    expect(read('svc.lock.json')).not.toContain('replaced')
  })

  it('says that all is done when the manifest is published, too', async () => {
    mkdirSync(path('dist/manifest.jws'), { recursive: true })
    await expect(build(folder, plain)).rejects.toThrow()
    expect(await isDone(folder)).toBe(false)
  })

  it('keeps a manifest that another key signed, while it says the same', async () => {
    await build(folder, plain)
    const published = read('dist/manifest.json')
    const jws = await signDetachedByJose(generatePrivateJwk(), Buffer.from(published))
    write('dist/manifest.jws', jws)
    await build(folder, plain)
    expect(read('dist/manifest.json')).toBe(published)
    expect(read('dist/manifest.jws')).toBe(jws)
  })
})

describe('on a full disk', () => {
  it('takes away what went in of a file, and says what to do', () => {
    write('svc.yaml', read('svc.yaml').replace('Reports whether', 'Says whether'))
    const limited = `trap '' XFSZ; ulimit -f 8; exec "$0" "$@"`
    const svc = [process.execPath, resolve('bin/svc.cjs'), 'build', '--no-bundle']
    const { status, stderr } = spawnSync('sh', ['-c', limited, ...svc], { cwd: folder, encoding: 'utf8' })
    expect([status, stderr.split('\n').at(-2)]).toEqual([
      2,
      'svc: Cannot write: the file is larger than may be written here (EFBIG). Raise the limit (ulimit -f), then run the command again.',
    ])
    const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
    expect(files.filter((name) => name.endsWith('.svc-tmp'))).toEqual([])
  })
})

describe('two builds at once', () => {
  const lock = () => path('dist/.svc-building')
  const inTheMidst = (work: () => void): BuildMemory => {
    const works = [work]
    return { ...NO_MEMORY, remember: (key, _, make) => (key.startsWith('served') && works.pop()?.(), make()) }
  }

  it('write one after the other, so that the next one has nothing to object to', async () => {
    await build(folder, plain)
    const text = read('svc.yaml').replace('Reports whether', 'Says whether')
    write('svc.yaml', text)
    const memory = inTheMidst(() => {
      addCapability('second_one')
      const svc = [resolve('bin/svc.cjs'), 'build', '--no-bundle']
      spawnSync(process.execPath, svc, { cwd: folder, timeout: 2000, killSignal: 'SIGKILL' })
    })
    await build(folder, { ...plain, memory })
    write('svc.yaml', text)
    expect(await build(folder, plain)).toBe(0)
    expect(read('dist/schemas.json')).not.toContain('SecondOne')
    expect(existsSync(lock())).toBe(false)
  })

  it('takes over from one that was killed, and from one that was killed while it took over', async () => {
    mkdirSync(path('dist'))
    const { pid } = spawnSync(process.execPath, ['-e', ''])
    for (const name of [lock(), `${lock()}.next`]) writeFileSync(name, `${pid} ${hostname()} 1`)
    expect(await build(folder, plain)).toBe(0)
    expect(readdirSync(path('dist')).filter((name) => name.startsWith('.svc-b'))).toEqual([])
  })

  it.each([
    ['of a process before that had the number of this one', `${process.pid} ${hostname()} 1`, 0],
    ['of another machine that has shown no life for a minute', '1 elsewhere 1', 61],
    ['that was killed before it had a name', '', 3],
  ])('takes over the lock %s', async (_, text, age) => {
    mkdirSync(path('dist'))
    writeFileSync(lock(), text)
    const since = Date.now() / 1000 - age
    utimesSync(lock(), since, since)
    expect(await build(folder, plain)).toBe(0)
    expect(existsSync(lock())).toBe(false)
  })

  it('waits for one that lives', async () => {
    mkdirSync(path('dist'))
    writeFileSync(lock(), `${process.ppid} ${hostname()} 1`)
    const building = build(folder, plain)
    await vi.waitFor(() => expect(said).toContain('Another build is writing dist/. This one waits for it.'), 5000)
    expect(existsSync(path('dist/manifest.json'))).toBe(false)
    rmSync(lock())
    expect(await building).toBe(0)
  })

  it('leaves no folder behind where nothing was written, and makes none behind a link', async () => {
    write('svc.yaml', 'no: manifest\n')
    await expect(build(folder, plain)).rejects.toThrow('has errors')
    expect(existsSync(path('dist'))).toBe(false)
    mkdirSync(path('elsewhere'))
    symlinkSync(path('elsewhere'), path('dist'))
    await expect(build(folder, plain)).rejects.toThrow('has errors')
    expect(readdirSync(path('elsewhere'))).toEqual([])
  })
})

describe('svc build --no-bundle', () => {
  it('writes code and documents, leaves the bundles, and knows that they are behind', async () => {
    await build(folder, plain)
    const server = read('dist/server.mjs')
    addCapability('second_one')
    await build(folder, { ...plain, bundle: false })
    expect(read('dist/openapi.json')).toContain('second_one')
    expect(read('dist/server.mjs')).toBe(server)
    expect(isUnchanged(folder, generatorName(), await buildSettings(folder))).toBe(false)
    await build(folder, plain)
    expect(read('dist/server.mjs')).not.toBe(server)
  })
})

it('names twenty new files, and counts the others', async () => {
  for (const letter of 'abcdefghijklmnopqrstuvw') addCapability(`second_${letter}`)
  await build(folder, plain)
  expect(said.match(/ was created; it is yours/gu)).toHaveLength(20)
  expect(said).toContain('\nand 3 more files were created; they are yours\n')
})

describe('isUnchanged', () => {
  const generator = generatorName()

  it('holds after a build, until an input or an output changes', async () => {
    await build(folder, plain)
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(true)
    const types = read('generated/types.ts')
    write('generated/types.ts', `${types} `)
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(false)
    write('generated/types.ts', types)
    write('src/handlers/get_status.ts', `${read('src/handlers/get_status.ts')}\n`)
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(false)
  })

  it.each(['svc.lock.json', 'dist/.svc-lock.json'])('does not hold after a build that was killed before it had replaced all, by %s', async (lock) => {
    await build(folder, plain)
    const text = read(lock)
    write(lock, JSON.stringify({ ...JSON.parse(text), replaced: {} }))
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(false)
    write(lock, text)
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(true)
  }) // prettier-ignore

  it('does not hold after a build that was killed between the two folders', async () => {
    rmSync(path('main.ts'))
    await build(folder, plain)
    cpSync(path('dist'), path('before'), { recursive: true })
    addCapability('second_one')
    await build(folder, plain)
    rmSync(path('dist'), { recursive: true })
    cpSync(path('before'), path('dist'), { recursive: true })
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(false)
  })

  it('does not hold without the signature that the keys of the project give', async () => {
    await writeNewKeys(path('keys'), ['manifest', 'tokens', 'audit'], 0)
    await build(folder, plain)
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(true)
    rmSync(path('dist/manifest.jws'))
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(false)
  })

  it('does not hold once a file of settings came, whatever it says', async () => {
    await build(folder, plain)
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(true)
    write('svc.config.yaml', 'build: { generated: generated }\n')
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(false)
  })

  it('does not hold for another version, or for a manifest with includes', async () => {
    await build(folder, plain)
    expect(isUnchanged(folder, 'svc 9.9.9', await buildSettings(folder))).toBe(false)
    write('svc.yaml', `${read('svc.yaml')}\ninclude: [more/*.yaml]\n`)
    expect(isUnchanged(folder, generator, await buildSettings(folder))).toBe(false)
  })
})

describe('svc build --check', () => {
  const check = { check: true, force: false }

  it('is content when nothing would change, and writes nothing', async () => {
    expect(await build(folder, check)).toBe(0)
    expect(existsSync(path('dist'))).toBe(false)
  })

  it('shows the difference and the command to run', async () => {
    addCapability('second_one')
    await expect(build(folder, check)).rejects.toThrow('generated/ is out of date. Run: svc build')
    expect(said).toContain('generated/validators.ts is out of date')
    expect(said).toContain('+   second_one: {')
  })

  it('says what is missing', async () => {
    rmSync(path('generated'), { recursive: true })
    mkdirSync(path('generated'))
    await expect(build(folder, check)).rejects.toThrow()
    expect(said).toContain('generated/client.ts is missing')
  })
})
