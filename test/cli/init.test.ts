import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { shellPath } from '../../src/protocol/shell.js'
import { init } from '../../src/cli/init/run.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'

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
  rmSync(parent, { recursive: true, force: true, maxRetries: 20 })
})

const read = (name: string) => readFileSync(join(folder, name), 'utf8')
const yes = { yes: true }

describe('svc init', () => {
  it('makes a service with development keys and credentials', async () => {
    expect(await init(folder, yes)).toBe(0)
    expect(readdirSync(folder).sort()).toEqual([
      '.editorconfig',
      '.env',
      '.env.example',
      '.gitattributes',
      '.github',
      '.gitignore',
      '.nvmrc',
      'README.md',
      'api-keys.json',
      'keys',
      'main.ts',
      'package.json',
      'samples.yaml',
      'src',
      'svc.yaml',
      'test',
      'tsconfig.json',
    ])
    expect(statSync(join(folder, 'keys')).mode & 0o777).toBe(0o700)
    expect(statSync(join(folder, '.env')).mode & 0o777).toBe(0o600)
    expect(statSync(join(folder, 'api-keys.json')).mode & 0o777).toBe(0o600)
    const { keys } = await readKeyRing(join(folder, 'keys'))
    expect(keys.map(({ role, state }) => [role, state])).toEqual([
      ['manifest', 'active'],
      ['tokens', 'active'],
      ['audit', 'active'],
    ])
    expect(said).toContain(
      [
        '  npm install',
        '  npx svc dev',
        '',
        'There, press s to call as an agent, t to read the audit trail.',
        'Each key prints the command that it runs.',
        '',
        'To run it without svc dev: npx svc build, npm test, npx svc sign, npm start.',
        '',
      ].join('\n'),
    )
  })

  it('stays as it is in a checkout that turns line feeds into CRLF, as those on Windows do', async () => {
    await init(folder, yes)
    const git = (...args: readonly string[]) =>
      spawnSync('git', ['-c', 'core.autocrlf=true', '-c', 'user.name=a', '-c', 'user.email=a@b', ...args], {
        cwd: folder,
      })
    for (const args of [['init'], ['add', '-A'], ['commit', '-m', 'x'], ['clone', '.', '../clone']]) git(...args)
    expect(readFileSync(join(parent, 'clone/svc.yaml'), 'utf8')).toBe(read('svc.yaml'))
  })

  it('stores hashes of keys, and the keys in .env only', async () => {
    await init(folder, { yes: true, template: 'travel' })
    const keys = Object.fromEntries([...read('.env').matchAll(/^(\w+)=(.+)$/gmu)].map(([, name, key]) => [name, key]))
    const hash = (key: string | undefined) =>
      createHash('sha256')
        .update(key ?? '')
        .digest('hex')
    expect(JSON.parse(read('api-keys.json'))).toEqual([
      {
        id: 'developer',
        principal: 'human:developer@localhost',
        sha256: hash(keys['SVC_DEVELOPER_KEY']),
        scopes: ['travel.search', 'travel.book'],
        development: true,
      },
      {
        id: 'approver',
        principal: 'human:approver@localhost',
        sha256: hash(keys['SVC_APPROVER_KEY']),
        scopes: ['travel.approver'],
        development: true,
      },
      { id: 'agent', principal: 'agent:assistant', sha256: hash(keys['SVC_AGENT_KEY']), scopes: [], development: true },
    ])
  })

  it('lets the approver approve by the scope that is named after a service without approvals', async () => {
    await init(folder, { yes: true, template: 'minimal', name: 'shop' })
    const keys = JSON.parse(read('api-keys.json')) as readonly { readonly id: string; readonly scopes?: unknown }[]
    expect(keys.find(({ id }) => id === 'approver')?.scopes).toEqual(['shop.approver'])
    expect(read('.env')).toContain(
      '# human:approver@localhost, who approves where svc.yaml says: approvals: { approver_scope: shop.approver }\n',
    )
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

  describe.each(['minimal', 'travel'])('with the template %s', (template) => {
    it.each([
      { storage: 'sqlite', signIn: 'api-keys', tests: true },
      { storage: 'sqlite', signIn: 'oidc', tests: false },
      { storage: 'postgres', signIn: 'api-keys', tests: false },
      { storage: 'postgres', signIn: 'oidc', tests: true },
    ])('makes what was chosen, and nothing of what was not: %j', async (choices) => {
      expect(await init(folder, { yes: true, template, ...choices })).toBe(0)
      const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.includes('.'))
      const all = files
        .filter((file) => statSync(join(folder, file)).isFile())
        .map((file) => read(file))
        .join('\n')
      expect(all).not.toMatch(/\{\{(?!\s*(?:github|secrets)\.)/u)
      expect(all.includes('openPostgres')).toBe(choices.storage === 'postgres')
      expect(all.includes('"pg": ')).toBe(choices.storage === 'postgres')
      expect(all.includes('openSqlite')).toBe(choices.storage === 'sqlite')
      expect(all.includes('SVC_OIDC_ISSUER')).toBe(choices.signIn === 'oidc')
      expect(files.includes('src/entitlements.ts')).toBe(choices.signIn === 'oidc')
      expect(files.includes('api-keys.json')).toBe(choices.signIn === 'api-keys')
      expect(all.includes('readApiKeys')).toBe(choices.signIn === 'api-keys')
      expect(files.includes('test/service.test.ts')).toBe(choices.tests)
      expect(files.includes('test/policy.svctest.yaml')).toBe(choices.tests)
      expect(read('.github/workflows/ci.yml')).toContain('BASE: ${{ github.base_ref }}')
      expect(read('.github/workflows/ci.yml')).toContain('SVC_MANIFEST_KEY: ${{ secrets.SVC_MANIFEST_KEY }}')
      const policyTests = choices.tests ? '- run: npm test # svc test, then vitest' : 'then npx svc test; fi'
      for (const step of [
        'svc validate --out sarif=',
        'svc build --check',
        policyTests,
        'svc diff "git:origin/$BASE" --format github',
        'svc sign --key env:',
        'upload-sarif',
      ])
        expect(read('.github/workflows/ci.yml')).toContain(step)
      expect([all.includes('"vitest"'), read('.github/workflows/ci.yml').includes('npm test')]).toEqual([
        choices.tests,
        choices.tests,
      ])
      expect(said.includes('npm test')).toBe(choices.tests)
      expect(said.includes('npx svc migrate up')).toBe(choices.storage === 'postgres')
      expect(said).not.toContain(choices.signIn === 'oidc' ? 'credentials' : 'identity provider')
    })
  })

  it('asks for the name without a folder, and makes a folder of that name; where nobody can be asked, it is this one', async () => {
    const home = process.cwd()
    mkdirSync(folder)
    process.chdir(folder)
    await init(undefined, { yes: true, name: 'bakery' }).finally(() => process.chdir(home))
    expect(read('svc.yaml')).toContain("id: 'bakery'")
  })

  it.each([
    [{ yes: true, signIn: 'saml' }, 'There is no sign-in "saml"; there are api-keys and oidc.'],
    [{ yes: true, storage: 'constructor' }, 'There is no storage "constructor"'],
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
    expect(shellPath('my shop')).toBe("'my shop'")
    expect(shellPath('$(touch pwned)')).toBe("'$(touch pwned)'")
    expect(shellPath("it's")).toBe(String.raw`'it'\''s'`)
    expect(shellPath('-x')).toBe('./-x')
    expect(shellPath('../Ladenfläche')).toBe('../Ladenfläche')
  })

  describe('with a template of the user’s own', () => {
    const ours = (name: string) => join(parent, 'ours', name)
    const made = () => init(folder, { yes: true, template: join(parent, 'ours') })
    beforeEach(() => {
      mkdirSync(ours('bin'), { recursive: true })
      writeFileSync(ours('svc.yaml.tmpl'), readFileSync('templates/minimal/svc.yaml.tmpl', 'utf8'))
    })

    it('fills in what ends in .tmpl, and copies the rest', async () => {
      writeFileSync(ours('README.md.tmpl'), 'This is {{title}}.\n')
      writeFileSync(ours('logo.png'), Buffer.from([0x89, 0xff, 0x00]))
      writeFileSync(ours('bin/run'), '#!/bin/sh\necho {{title}}\n', { mode: 0o755 })
      mkdirSync(ours('node_modules'))
      writeFileSync(ours('node_modules/huge.js'), '')
      await made()
      expect(read('README.md')).toBe('This is Shop.\n')
      expect([...readFileSync(join(folder, 'logo.png'))]).toEqual([0x89, 0xff, 0x00])
      expect(read('bin/run')).toBe('#!/bin/sh\necho {{title}}\n')
      expect(statSync(join(folder, 'bin/run')).mode & 0o777).toBe(0o755)
      expect(readdirSync(folder)).not.toContain('node_modules')
    })

    it.each<[string, () => void, string]>([
      ['a link', () => symlinkSync('/etc/passwd', ours('passwords.tmpl')), 'passwords.tmpl of the template'],
      ['a link to a folder', () => symlinkSync(parent, ours('up')), 'is a link. A template has files and folders.'],
      ['a pipe', () => void spawnSync('mkfifo', [ours('pipe')]), 'is no file'],
      ['a name without a value', () => writeFileSync(ours('a.tmpl'), '{{nmae}}'), 'a.tmpl: line 1: The template speaks of nmae, which has no value. There are {{'],
      ['no text', () => writeFileSync(ours('a.tmpl'), Buffer.of(0xff)), 'a.tmpl of the template is not text in UTF-8. Without .tmpl it is copied as it is.'],
      ['a name that leads up', () => writeFileSync(ours('bin/...tmpl'), ''), 'bin/...tmpl of the template has no name without .tmpl.'],
      ['credentials', () => writeFileSync(ours('.env'), 'KEY=1'), 'The template has .env, which svc init makes for each service itself.'],
      ['two files of one name', () => (writeFileSync(ours('a'), ''), writeFileSync(ours('a.tmpl'), '')), 'Two files of the template, a and a.tmpl, would be one.'],
      ['too many bytes', () => (writeFileSync(ours('a'), ''), truncateSync(ours('a'), 2 ** 40)), 'has more than 16 MiB; a is one file too many.'],
      ['too many files', () => Array.from({ length: 1001 }, (_, index) => writeFileSync(ours(`bin/${index}`), '')), 'has more than 1000 files.'],
      ['no manifest', () => rmSync(ours('svc.yaml.tmpl')), 'has no svc.yaml.tmpl.'],
      ['no folder', () => rmSync(join(parent, 'ours'), { recursive: true }), 'There is no template folder'],
    ])('refuses %s', async (_, spoil, says) => {
      spoil()
      await expect(made()).rejects.toThrow(says)
      await expect(made()).rejects.toMatchObject({ name: 'CliError' })
      expect(existsSync(folder)).toBe(false)
    }) // prettier-ignore

    it('looks at nothing below a folder that is no template', async () => {
      await expect(init(folder, { yes: true, template: '/' })).rejects.toThrow('The template / has no svc.yaml.tmpl.')
    })
  })
})
