import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { asShellWord, init } from '../../src/cli/init/run.js'
import { readKeyRing } from '../../src/runtime/key-directory.js'

let parent: string
let folder: string
let said: string

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'svc-init-'))
  folder = join(parent, 'shop')
  said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((said += String(text)), true))
})

afterEach(() => {
  vi.restoreAllMocks()
  rmSync(parent, { recursive: true, force: true })
})

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const yes = { yes: true }

describe('svc init', () => {
  it('makes a service with development keys and credentials', async () => {
    expect(await init(folder, yes)).toBe(0)
    expect(readdirSync(folder).sort()).toEqual([
      '.env',
      '.env.example',
      '.github',
      '.gitignore',
      'README.md',
      'api-keys.json',
      'keys',
      'main.ts',
      'package.json',
      'src',
      'svc.yaml',
      'tsconfig.json',
    ])
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
    const { keys } = await readKeyRing(join(folder, 'keys'))
    expect(keys.map(({ role, state }) => [role, state])).toEqual([
      ['manifest', 'active'],
      ['tokens', 'active'],
      ['audit', 'active'],
    ])
    expect(said).toContain('  npm install\n  npx svc validate\n  npx svc build\n  npx svc sign\n  npm start\n')
  })

  it('stores hashes of keys, and the keys in .env only', async () => {
    await init(folder, { yes: true, template: 'travel' })
    const keys = Object.fromEntries([...read('.env').matchAll(/^(\w+)=(.+)$/gmu)].map(([, name, key]) => [name, key]))
    const hash = (key: string | undefined) =>
      createHash('sha256')
        .update(key ?? '')
        .digest('hex')
    expect(JSON.parse(read('api-keys.json'))).toEqual([
      { id: 'developer', principal: 'human:developer@localhost', sha256: hash(keys['SVC_DEVELOPER_KEY']) },
      {
        id: 'approver',
        principal: 'human:approver@localhost',
        sha256: hash(keys['SVC_APPROVER_KEY']),
        scopes: ['travel.approver'],
      },
      { id: 'agent', principal: 'agent:assistant', sha256: hash(keys['SVC_AGENT_KEY']), scopes: [] },
    ])
  })

  it('runs no install script and pins every dependency', async () => {
    await init(folder, { yes: true, svcKit: '1.2.3' })
    const { scripts, dependencies, devDependencies } = JSON.parse(read('package.json')) as {
      [part: string]: { [name: string]: string }
    }
    expect(Object.keys(scripts!).filter((name) => name.includes('install') || name === 'prepare')).toEqual([])
    for (const version of Object.values({ ...dependencies, ...devDependencies }))
      expect(version).toMatch(/^\d+\.\d+\.\d+$/u)
  })

  it('refuses to overwrite, and names what is there', async () => {
    await init(folder, yes)
    rmSync(join(folder, 'keys'), { recursive: true })
    writeFileSync(join(folder, 'svc.yaml'), 'mine')
    await expect(init(folder, yes)).rejects.toThrow(/are in .*shop already: .*\bsvc\.yaml\b.*Nothing was written/u)
    expect(read('svc.yaml')).toBe('mine')
    expect(existsSync(join(folder, 'keys'))).toBe(false)
  })

  it.each([
    [{ yes: true, template: 'travle' }, 'There is no template "travle"; there are minimal and travel'],
    [{ yes: true, storage: 'redis' }, 'There is no storage "redis"; there are sqlite and postgres'],
    [{ yes: true, name: '../../etc' }, '"../../etc" cannot be the name of a service.'],
    [{ yes: true, name: 'Ünsafe' }, 'cannot be the name of a service.'],
    [{ yes: true, name: 'svc-kit' }, 'The service depends on a package of this name'],
    [{ yes: true, name: 'n'.repeat(101) }, 'up to 100 characters'],
  ])('refuses %j', async (options, message) => {
    await expect(init(folder, options)).rejects.toThrow(message)
    expect(existsSync(folder)).toBe(false)
  })

  it.each(['123', 'true', 'null', '1e3', '0x10', '2026-01-01'])(
    'takes %s as a name, though YAML reads more in it',
    async (name) => {
      expect(await init(folder, { yes: true, name })).toBe(0)
      expect(read('svc.yaml')).toContain(`  id: '${name}'\n`)
    },
  )

  it.each(['minimal', 'travel'])('takes the longest name with the template %s', async (template) => {
    expect(await init(folder, { yes: true, template, name: 'n'.repeat(100) })).toBe(0)
    const { diagnostics } = check([{ file: 'svc.yaml', text: read('svc.yaml') }])
    expect(diagnostics).toEqual([])
  })

  it('names a service otherwise in a folder that is called svc-kit', async () => {
    const own = join(folder, 'svc-kit')
    expect(await init(own, yes)).toBe(0)
    expect(readFileSync(join(own, 'svc.yaml'), 'utf8')).toContain("  id: 'service'\n")
  })

  it('asks nothing where it could write nothing', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'svc.yaml'), '')
    const { CI } = process.env
    delete process.env['CI']
    const terminals = [process.stdin, process.stdout].map((stream) => ({ stream, isTTY: stream.isTTY }))
    for (const { stream } of terminals) stream.isTTY = true
    const asked = init(folder, { yes: false })
    await expect(asked).rejects.toThrow('These are in')
    for (const { stream, isTTY } of terminals) stream.isTTY = isTTY
    if (CI !== undefined) process.env['CI'] = CI
  })

  it('leaves nothing behind when a file cannot be written', async () => {
    mkdirSync(folder)
    writeFileSync(join(folder, 'src'), 'a file where a folder is needed')
    await expect(init(folder, yes)).rejects.toThrow(/EEXIST|ENOTDIR/u)
    expect(readdirSync(folder)).toEqual(['src'])
  })

  it('prints a folder as one word of the shell', () => {
    expect(asShellWord('my shop')).toBe("'my shop'")
    expect(asShellWord('$(touch pwned)')).toBe("'$(touch pwned)'")
    expect(asShellWord("it's")).toBe(String.raw`'it'\''s'`)
    expect(asShellWord('-x')).toBe('./-x')
    expect(asShellWord('../Ladenfläche')).toBe('../Ladenfläche')
  })

  it('takes a template of the user’s own', async () => {
    const template = join(parent, 'ours')
    mkdirSync(template)
    writeFileSync(join(template, 'svc.yaml.tmpl'), readFileSync('templates/minimal/svc.yaml.tmpl', 'utf8'))
    writeFileSync(join(template, 'README.md.tmpl'), 'This is {{title}}.\n')
    await init(folder, { yes: true, template })
    expect(read('README.md')).toBe('This is Shop.\n')
  })
})
