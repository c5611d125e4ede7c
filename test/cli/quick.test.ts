import { spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  cpSync,
  existsSync,
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
import { join, relative, resolve } from 'node:path'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { CASES } from '../rules/cases.js'

const temporary = mkdtempSync(join(tmpdir(), 'svc-quick-'))
afterAll(() => rmSync(temporary, { recursive: true, force: true }))

const MADE = `validate-${process.version}-${process.arch}.v8`
const GOOD = resolve('examples/minimal/svc.yaml')
const { NODE_OPTIONS: _, NODE_V8_COVERAGE: __, NODE_DISABLE_COMPILE_CACHE: ___, NO_COLOR: ____, ...env } = process.env

/** A copy of what is installed, whose kept code is its own. */
let home = ''
let copies = 0
beforeEach(() => {
  home = installed()
})

function installed(): string {
  const folder = join(temporary, `install-${copies++}`)
  mkdirSync(join(folder, 'dist/quick'), { recursive: true })
  cpSync('bin', join(folder, 'bin'), { recursive: true })
  for (const name of ['validate.cjs', 'done.cjs', 'build.cjs'])
    cpSync(join('dist/quick', name), join(folder, 'dist/quick', name))
  for (const path of ['dist/bundle', 'package.json', 'templates', 'node_modules'])
    symlinkSync(resolve(path), join(folder, path))
  return folder
}

interface Ran {
  readonly status: number | null
  readonly stdout: string
  readonly stderr: string
}

function svc(
  args: readonly string[],
  options: { readonly input?: string; readonly env?: object; readonly cwd?: string } = {},
): Ran {
  const { status, stdout, stderr } = spawnSync(process.execPath, [join(home, 'bin/svc.cjs'), ...args], {
    encoding: 'utf8',
    maxBuffer: 2 ** 26,
    cwd: options.cwd ?? temporary,
    input: options.input ?? '',
    env: { ...env, ...options.env },
  })
  return { status, stdout, stderr }
}

const SOUND: Ran = { status: 0, stdout: '0 problems in 1 file.\n', stderr: '' }
const made = (): string => join(home, 'dist/quick', MADE)
const kept = (): readonly string[] => readdirSync(join(home, 'dist/quick')).filter((name) => !name.endsWith('.cjs'))

describe('without options', () => {
  const bad = join(temporary, 'bad.yaml')
  writeFileSync(bad, 'service_identity: { id: shop }\ncapabilities: { a: { descripton: x } }\n')
  mkdirSync(join(temporary, 'folder'))
  cpSync(GOOD, join(temporary, 'folder/svc.yaml'))
  writeFileSync(join(temporary, 'whole.yaml'), `${readFileSync(GOOD, 'utf8')}\ninclude: ["parts/*.yaml"]\n`)

  it.each([
    ['a sound manifest', [GOOD]],
    ['a faulty one', [bad]],
    ['several', [GOOD, bad]],
    ['no file', []],
    ['a missing file', ['absent.yaml']],
    ['a folder', ['folder']],
    ['a glob', ['fold*/svc.yaml']],
    ['a glob that matches nothing', ['nothing/*.yaml']],
    ['an include that matches nothing', ['whole.yaml']],
    ['standard input', ['-']],
  ])('says the same as the whole command line: %s', (_, files) => {
    const input = readFileSync(GOOD, 'utf8')
    const quick = svc(['validate', ...files], { input })
    expect(quick).toEqual(svc(['validate', ...files, '--format', 'text'], { input }))
    expect(quick.status).toBeLessThan(3)
  })

  it('says the same of the manifest of every rule', () => {
    const files = CASES.map((folder) => `${relative('test/rules', folder)}/svc.yaml`)
    const codes = new Set<string>()
    // A report of text names a hundred problems at most.
    for (let from = 0; from < files.length; from += 20) {
      const some = files.slice(from, from + 20)
      const quick = svc(['validate', ...some], { cwd: resolve('test/rules') })
      expect(quick).toEqual(svc(['validate', ...some, '--format', 'text'], { cwd: resolve('test/rules') }))
      for (const [code] of quick.stdout.matchAll(/SVC\d{4}/gu)) codes.add(code)
    }
    expect(codes.size).toBeGreaterThan(250)
  })

  it('colours when it is asked to', () => {
    expect(svc(['validate', GOOD], { env: { FORCE_COLOR: '1' } }).stdout).toBe(
      '\u001B[32m0 problems in 1 file.\u001B[39m\n',
    )
  })

  it.each([
    ['--help', 0, 'Usage: svc validate [options] [files...]'],
    ['--nonsense', 2, "error: SVC0003 unknown-option: '--nonsense'"],
    ['--format', 2, "error: option '--format <format>' argument missing"],
  ])('leaves options to the whole command line: %s', (option, status, text) => {
    const ran = svc(['validate', option])
    expect(ran.status).toBe(status)
    expect(`${ran.stdout}${ran.stderr}`).toContain(text)
  })
})

describe('svc build without options but --no-bundle', () => {
  const project = (name: string, manifest: string): string => {
    const folder = join(temporary, name)
    mkdirSync(folder)
    writeFileSync(join(folder, 'svc.yaml'), manifest)
    return folder
  }
  const filesOf = (folder: string): object =>
    Object.fromEntries(
      readdirSync(folder, { recursive: true, encoding: 'utf8' })
        .filter((name) => statSync(join(folder, name)).isFile() && !name.endsWith('manifest.json'))
        .map((name) => [name, readFileSync(join(folder, name), 'utf8')]),
    )
  const withoutPlaceAndTime = ({ stderr, ...ran }: Ran): Ran => ({
    ...ran,
    stderr: stderr.replace(/-(?:quick|whole)\/|\d+ ms/gu, ''),
  })

  it.each([
    ['sound', readFileSync(GOOD, 'utf8'), 0],
    ['faulty', 'capabilities: { a: {} }\n', 1],
  ])('writes and says the same as the whole command line: a %s manifest', (name, manifest, status) => {
    const folders = [project(`${name}-quick`, manifest), project(`${name}-whole`, manifest)] as const
    const quick = svc(['build', '--no-bundle', '.'], { cwd: folders[0] })
    const whole = svc(['build', '--no-bundle', '--', '.'], { cwd: folders[1] })
    expect(withoutPlaceAndTime(quick)).toEqual(withoutPlaceAndTime(whole))
    expect(quick.status).toBe(status)
    expect(filesOf(folders[0])).toEqual(filesOf(folders[1]))
  })

  it.each([[['build', 'absent']], [['build', 'one', 'two']], [['build', '--nonsense']]])('refuses %j', (args) => {
    expect(svc(args).status).toBe(2)
  })

  it('bundles, and then finds that nothing has changed', () => {
    const folder = join(temporary, 'bundled')
    cpSync('examples/minimal', folder, { recursive: true })
    symlinkSync(resolve('node_modules'), join(folder, 'node_modules'))
    expect(svc(['build', folder]).status).toBe(0)
    expect(svc(['build', folder]).stderr).toBe('nothing has changed since the last build\n')
    expect(svc(['build', '--', folder]).stderr).toBe('nothing has changed since the last build\n')
  })
})

describe('compiled code', () => {
  it('is kept beside the code, for its owner to write, and used from then on', () => {
    expect(svc(['validate', GOOD])).toEqual(SOUND)
    const { mtimeMs, mode } = statSync(made())
    expect(kept()).toEqual([MADE])
    expect(mode & 0o133).toBe(0)
    expect(svc(['validate', GOOD])).toEqual(SOUND)
    expect(statSync(made()).mtimeMs).toBe(mtimeMs)
  })

  it('is made anew for a manifest of twice the size, which asks for more of the code', () => {
    const small = join(temporary, 'small.yaml')
    writeFileSync(small, 'service_identity: { id: shop }\n')
    svc(['validate', small])
    const before = statSync(made()).size
    expect(svc(['validate', GOOD])).toEqual(SOUND)
    const { size, mtimeMs } = statSync(made())
    expect(size).toBeGreaterThan(before)
    svc(['validate', small])
    svc(['validate', GOOD])
    expect(statSync(made()).mtimeMs).toBe(mtimeMs)
  })

  it('is made anew when it is damaged', () => {
    svc(['validate', GOOD])
    const whole = readFileSync(made())
    for (const part of [0.1, 0.3, 0.5, 0.7, 0.9]) {
      const damaged = Buffer.from(whole)
      damaged[Math.floor(whole.length * part)]! ^= 0x55
      for (const bytes of [damaged, whole.subarray(0, Math.floor(whole.length * part))]) {
        writeFileSync(made(), bytes)
        expect(svc(['validate', GOOD])).toEqual(SOUND)
        expect(readFileSync(made()).length).toBeGreaterThan(100_000)
      }
    }
  })

  it('is made anew when the code changes, even to a text of the same length', () => {
    svc(['validate', GOOD])
    const file = join(home, 'dist/quick/validate.cjs')
    writeFileSync(file, readFileSync(file, 'latin1').replace('0 problems', '7 problems'))
    expect(svc(['validate', GOOD]).stdout).toBe('7 problems in 1 file.\n')
    expect(svc(['validate', GOOD]).stdout).toBe('7 problems in 1 file.\n')
  })

  it('of another is not run: a file that others may write, or a link', () => {
    svc(['validate', GOOD])
    const foreign = plantedFor(home)
    writeFileSync(made(), foreign)
    expect(svc(['validate', GOOD]).stdout).toBe('7 problems in 1 file.\n')
    for (const mode of [0o664, 0o646]) {
      writeFileSync(made(), foreign)
      chmodSync(made(), mode)
      expect(svc(['validate', GOOD])).toEqual(SOUND)
    }
    writeFileSync(join(home, 'elsewhere'), foreign)
    rmSync(made())
    symlinkSync(join(home, 'elsewhere'), made())
    expect(svc(['validate', GOOD])).toEqual(SOUND)
  })

  it('is not waited for where a pipe stands in its place', () => {
    spawnSync('mkfifo', [made()])
    expect(svc(['validate', GOOD])).toEqual(SOUND)
    expect(readFileSync(made()).length).toBeGreaterThan(100_000)
  })

  it('is not kept where its owner is another, or nobody may write', () => {
    if (process.getuid?.() === 0) chownSync(join(home, 'dist/quick/validate.cjs'), 12_345, 12_345)
    else chmodSync(join(home, 'dist/quick'), 0o555)
    expect(svc(['validate', GOOD])).toEqual(SOUND)
    expect(kept()).toEqual([])
  })

  it('is not kept when its place is taken, and leaves nothing behind', () => {
    mkdirSync(made())
    expect(svc(['validate', GOOD])).toEqual(SOUND)
    expect(kept()).toEqual([MADE])
  })

  it('is neither kept nor read with NODE_DISABLE_COMPILE_CACHE', () => {
    expect(svc(['validate', GOOD], { env: { NODE_DISABLE_COMPILE_CACHE: '1' } })).toEqual(SOUND)
    expect(existsSync(made())).toBe(false)
  })
})

/** What V8 makes of other code of the same length, dressed up as if it were made from the code of this installation. */
function plantedFor(target: string): Buffer {
  const header = readFileSync(made()).subarray(0, 96)
  home = installed()
  const file = join(home, 'dist/quick/validate.cjs')
  writeFileSync(file, readFileSync(file, 'latin1').replace('0 problems', '7 problems'))
  svc(['validate', GOOD])
  const planted = Buffer.concat([header, readFileSync(made()).subarray(96)])
  home = target
  return planted
}
