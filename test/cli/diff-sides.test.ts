/** What names a side of `svc diff`, what is accepted for which reason, and each refusal in its words. */
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { changePrint, readAccepted, readNamedAccepted } from '../../src/cli/diff/accepted.js'
import { fetchedManifest } from '../../src/cli/diff/address.js'
import { manifestOfCommit } from '../../src/cli/diff/commit.js'
import { diff } from '../../src/cli/diff/run.js'
import { sideOf } from '../../src/cli/diff/side.js'
import { pinnedText } from '../../src/compiler/mcp-tools/print-tools.js'
import type { DiffOptions } from '../../src/cli/diff/options.js'

const home = process.cwd()
let folder: string
beforeEach(() => {
  folder = realpathSync(mkdtempSync(join(tmpdir(), 'svc-sides-')))
  process.chdir(folder)
})
afterEach(() => {
  process.chdir(home)
  vi.restoreAllMocks()
  rmSync(folder, { recursive: true, maxRetries: 20 })
})
function write(name: string, text: string): void {
  mkdirSync(dirname(name), { recursive: true })
  writeFileSync(name, text)
}
async function ended<T>(work: () => T | Promise<T>): Promise<T | string> {
  try {
    return await work()
  } catch (error) {
    return (error as Error).message
  }
}

const HEAD = 'manifest_metadata: { version: "0.24.0" }\nservice_identity: { id: crm }\ntrust: { level: signed }\n'
const CAPABILITIES = `capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read, crm.see]
    inputs: []
    output: { type: account, fields: [account] }
`
const MANIFEST = HEAD + CAPABILITIES
const WEAKER = MANIFEST.replace('[crm.read, crm.see]', '[crm.read]')
const DESCRIBED = MANIFEST.replace('Looks an account', 'Looks one account').replace('1.0.0', '1.0.1')

const OPTIONS: DiffOptions = { format: 'text', out: [], failOn: ['breaking', 'weakened', 'unbumped'] }
async function run(before: string, after: string, more: Partial<DiffOptions> = {}) {
  let said = ''
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((chunk) => ((said += String(chunk)), true))
  const code = await ended(() => diff(before, after, { ...OPTIONS, ...more }))
  spy.mockRestore()
  return [code, said] as const
}

describe('what was accepted of an imported server', () => {
  const pinned = (network: string) => pinnedText(JSON.stringify({ name: 'notes', server: { package: 'notes', network }, tools: {} }))
  const SAYS = ['weakened', 'SVC9274', 'src/notes.pinned.ts', 'src/notes.pinned.ts.server.network was none and is open.']
  /** Exit code, and what is reported. */
  async function reported(before: string, after: string) {
    const [code] = await run(before, after, { out: ['json=report.json'] })
    const { changes } = JSON.parse(readFileSync('report.json', 'utf8')) as { readonly changes: readonly { readonly [name: string]: string }[] }
    return [code, changes.map(({ effect, code: kind, file, message }) => [effect, kind, file, message!.split(' It ')[0]])]
  }

  it('is compared with a commit, beside the manifest of a folder within it', async () => {
    const git = (...parameters: readonly string[]) => execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...parameters])
    git('init', '--quiet')
    write('app/svc.yaml', MANIFEST)
    write('app/src/notes.pinned.ts', pinned('none'))
    git('add', '.')
    git('commit', '--quiet', '-m', 'One')
    expect((await run('git:HEAD:app', 'app'))[0]).toBe(0)
    write('app/src/notes.pinned.ts', pinned('open'))
    expect(await reported('git:HEAD:app', 'app')).toEqual([1, [SAYS]])
    process.chdir('app')
    expect(await reported('git:HEAD', 'svc.yaml')).toEqual([1, [SAYS]])
    rmSync('src/notes.pinned.ts')
    expect(await reported('git:HEAD', 'svc.yaml')).toEqual([0, [['compatible', 'SVC9272', 'src/notes.pinned.ts', 'src/notes.pinned.ts is gone.']]])
  })

  it('is compared between folders, and of nothing where a side came alone', async () => {
    for (const [at, network] of [['old', 'none'], ['new', 'open']] as const) {
      write(`${at}/svc.yaml`, MANIFEST)
      write(`${at}/src/notes.pinned.ts`, pinned(network))
    }
    expect(await reported('old', 'new')).toEqual([1, [SAYS]])
    write('new/src/notes.pinned.ts', 'nothing')
    expect((await run('old', 'new'))[0]).toBe('new/src/notes.pinned.ts is not as svc import mcp writes it. Import the server again.')
  })
}) // prettier-ignore

describe('what is accepted', () => {
  beforeEach(() => {
    write('old.yaml', MANIFEST)
    write('new.yaml', WEAKER)
  })
  const entries = (file = 'svc.accepted.json') => JSON.parse(readFileSync(file, 'utf8')) as readonly { readonly code: string; readonly reason: string }[] // prettier-ignore

  it('is written with its reason, and passes from then on; another change does not', async () => {
    expect((await run('old.yaml', 'new.yaml'))[0]).toBe(1)
    expect(await run('old.yaml', 'new.yaml', { accept: ' Agreed. ' })).toEqual([0, 'Accepted 1 weakened, 1 unbumped. svc.accepted.json was written; commit it.\n']) // prettier-ignore
    expect(entries().map(({ code, reason }) => `${code} ${reason}`)).toEqual(['SVC9072 Agreed.', 'SVC9161 Agreed.'])
    expect((await run('old.yaml', 'new.yaml'))[0]).toBe(0)
    write('new.yaml', WEAKER.replace('crm.read', 'crm.see'))
    expect((await run('old.yaml', 'new.yaml'))[0]).toBe(1)
    expect((await run('old.yaml', 'new.yaml', { accept: 'Again.' }))[1]).toContain('Accepted ')
    expect(new Set(entries().map(({ reason }) => reason))).toContain('Again.')
  })

  it('is nothing where nothing fails, and for no reason', async () => {
    expect(await run('old.yaml', 'old.yaml', { accept: 'Why.' })).toEqual([0, 'Nothing had to be accepted. svc.accepted.json was written; commit it.\n']) // prettier-ignore
    expect(entries()).toEqual([])
    expect((await run('old.yaml', 'new.yaml', { accept: ' \t' }))[0]).toBe('Say why the changes are accepted: --accept "Agreed with all callers."') // prettier-ignore
  })

  it('is written beside the new manifest, or where it is named, and read beside the old one', async () => {
    write('deep/new.yaml', WEAKER)
    expect((await run('old.yaml', 'deep/new.yaml', { accept: 'Agreed.' }))[1]).toBe('Accepted 1 weakened, 1 unbumped. deep/svc.accepted.json was written. It counts once it is svc.accepted.json: merge it first.\n') // prettier-ignore
    expect(entries('deep/svc.accepted.json').length).toBe(2)
    expect((await run('old.yaml', 'deep/new.yaml'))[0]).toBe(1)
    expect((await run('old.yaml', 'deep/new.yaml', { accepted: 'deep/svc.accepted.json' }))[0]).toBe(0)
    expect((await run('old.yaml', 'new.yaml', { accept: 'Agreed.', accepted: 'mine.json' }))[1]).toContain('It counts with --accepted mine.json.') // prettier-ignore
    expect(entries('mine.json').length).toBe(2)
    expect(await ended(() => readNamedAccepted('none.json'))).toBe('none.json cannot be read (ENOENT).')
    expect((await run('old.yaml', 'new.yaml', { accepted: 'none.json' }))[0]).toBe('none.json cannot be read (ENOENT).')
  })

  it.each([
    ['{', /^a\.json is not JSON: /u],
    ['{}', /^a\.json must hold a list of accepted changes\.$/u],
    ['[{}]', /^a\.json: change 1 needs fingerprint, as a text\.$/u],
    ['[{"fingerprint":"a"}]', /^a\.json: change 1 needs code, as a text\.$/u],
    ['[{"fingerprint":"a","code":"b"}]', /^a\.json: change 1 needs path, as a text\.$/u],
    ['[{"fingerprint":"a","code":"b","path":"c"}]', /^a\.json: change 1 needs change, as a text\.$/u],
    ['[{"fingerprint":"a","code":"b","path":"c","change":"d","reason":" "}]', /^a\.json: change 1 needs reason, as a text\.$/u],
    ['[null]', /^a\.json: change 1 needs fingerprint, as a text\.$/u],
  ])('in a file that says %s is nothing', async (text, message) => {
    write('a.json', text)
    expect(await ended(() => readAccepted('a.json'))).toMatch(message)
  }) // prettier-ignore

  it('is a change by its kind, its place and its values', () => {
    const change = { code: 'SVC9001', at: ['a', 'b'], says: ['c'] }
    const prints = [change, { ...change, code: 'SVC9002' }, { ...change, at: ['a'] }, { ...change, says: ['d'] }].map((each) => changePrint(each as never)) // prettier-ignore
    expect(new Set(prints).size).toBe(4)
    expect(changePrint({ ...change, message: 'other' } as never)).toBe(prints[0])
  })
})

describe('a side', () => {
  it('is a file, a folder or a commit, whose first error is named', async () => {
    write('app/svc.yaml', MANIFEST)
    expect((await sideOf('app')).sources.map(({ file }) => file)).toEqual(['app/svc.yaml'])
    expect((await sideOf('app/svc.yaml')).manifest.service_identity.id).toBe('crm')
    write('bad.yaml', MANIFEST.replace('type: read', 'type: raed'))
    expect(await ended(() => sideOf('bad.yaml'))).toBe(
      'bad.yaml cannot be compared: it has errors. The first is at bad.yaml:8: SVC0204 `raed` is not allowed for `type`: choose one of read, write, transactional, irreversible.',
    )
    expect(await ended(() => sideOf('none.yaml'))).toBe('SVC0002 unreadable: cannot read `none.yaml` (ENOENT).')
  })

  it('--out is a format and a file', async () => {
    write('old.yaml', MANIFEST)
    const formats = 'is not format=file; the formats are text, json, sarif, github, markdown.'
    for (const option of ['xml=a', 'json', 'json=', '=a'])
      expect((await run('old.yaml', 'old.yaml', { out: [option] }))[0]).toBe(`--out \`${option}\` ${formats}`)
    write('new.yaml', DESCRIBED)
    expect((await run('old.yaml', 'new.yaml', { out: ['json=a.json', 'markdown=a.md'] }))[0]).toBe(0)
    expect(JSON.parse(readFileSync('a.json', 'utf8'))).toMatchObject({ before: 'old.yaml', after: 'new.yaml', summary: { breaking: 0, weakened: 0, unbumped: 0 } }) // prettier-ignore
  })
})

describe('a commit', () => {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8', stdio: 'pipe' })
  beforeEach(() => {
    write('svc.yaml', MANIFEST)
    write('app/svc.yaml', `${HEAD}include: [parts/*.yaml]\n`)
    write('app/parts/a.yaml', CAPABILITIES.replace('inputs: []', 'inputs: [{ name: a, type: object, x-schema: { $ref: ./s.yaml } }]')) // prettier-ignore
    write('app/parts/s.yaml', '{ type: object }\n')
    write('app/parts/notes.txt', 'no YAML')
    git('init', '-q', '-b', 'main')
    git('add', '-A')
    git('commit', '-q', '-m', 'a')
    rmSync('app', { recursive: true })
    write('svc.yaml', 'broken: [')
  })
  const filesOf = async (name: string) => (await manifestOfCommit(name)).sources.map(({ file }) => file)

  it.each([
    ['git:main', ['git:main:svc.yaml']],
    ['git:main:', ['git:main:svc.yaml']],
    ['git:HEAD:svc.yaml', ['git:HEAD:svc.yaml']],
    ['git:main:./svc.yaml', ['git:main:svc.yaml']],
    ['git:main:app', ['git:main:app/svc.yaml', 'git:main:app/parts/a.yaml', 'git:main:app/parts/s.yaml']],
    ['git:main:app/svc.yaml', ['git:main:app/svc.yaml', 'git:main:app/parts/a.yaml', 'git:main:app/parts/s.yaml']],
  ])('%s is %j', async (name, files) => {
    expect(await filesOf(name)).toEqual(files)
  })

  it('is named from this folder', async () => {
    mkdirSync('app')
    process.chdir('app')
    expect(await filesOf('git:main')).toEqual(['git:main:svc.yaml', 'git:main:parts/a.yaml', 'git:main:parts/s.yaml'])
    expect((await manifestOfCommit('git:main')).sources[0]?.text).toContain('include')
  })

  it.each([
    ['git:', 'git: does not name a commit: write git:REF or git:REF:path, such as git:main:svc.yaml.'],
    ['git::svc.yaml', 'git::svc.yaml does not name a commit: write git:REF or git:REF:path, such as git:main:svc.yaml.'],
    ['git:-x', 'git:-x does not name a commit: write git:REF or git:REF:path, such as git:main:svc.yaml.'],
    ['git:a b', 'git:a b does not name a commit: write git:REF or git:REF:path, such as git:main:svc.yaml.'],
    ['git:none', /^\. does not exist in none \(.+\)\.$/u],
    ['git:main:none.yaml', /^none\.yaml does not exist in main \(.+\)\.$/u],
    ['git:main:app/parts', /^app\/parts\/svc\.yaml does not exist in main \(.+\)\.$/u],
  ])('%s is none', async (name, message) => {
    expect(await ended(() => filesOf(name))).toEqual(typeof message === 'string' ? message : expect.stringMatching(message))
  }) // prettier-ignore
})

describe('a pull request', () => {
  const git = (...args: readonly string[]): string =>
    execFileSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { encoding: 'utf8', stdio: 'pipe' })
  const commit = (message: string) => (git('add', '-A'), git('commit', '-q', '--allow-empty', '-m', message))
  beforeEach(() => {
    git('init', '-q', '-b', 'main')
    write('svc.yaml', MANIFEST)
    commit('The service')
    git('checkout', '-q', '-b', 'weaker')
    write('svc.yaml', WEAKER)
  })

  it('N34: does not accept its own weakening; the acceptance of the base counts', async () => {
    expect(await run('git:main', '.', { accept: 'Agreed.' })).toEqual([0, 'Accepted 1 weakened, 1 unbumped. svc.accepted.json was written. It counts once it is git:main:svc.accepted.json: merge it first.\n']) // prettier-ignore
    commit('Weaker, and accepted in the same change')
    expect((await run('git:main', '.'))[0]).toBe(1)
    git('checkout', '-q', 'main')
    git('checkout', '-q', 'weaker', '--', 'svc.accepted.json')
    commit('Accept what the next change does')
    git('checkout', '-q', 'weaker')
    expect((await run('git:main', '.'))[0]).toBe(0)
    write('svc.yaml', WEAKER.replace('crm.read', 'crm.see'))
    expect((await run('git:main', '.'))[0]).toBe(1)
  })

  it('is judged by the acceptances that the caller names, also those of another branch', async () => {
    await run('git:main', '.', { accept: 'Agreed.' })
    git('checkout', '-q', '-b', 'acceptances')
    commit('Accept')
    git('checkout', '-q', 'weaker')
    write('svc.yaml', WEAKER)
    expect((await run('git:main', '.', { accepted: 'git:acceptances:svc.accepted.json' }))[0]).toBe(0)
    expect((await run('git:main', '.', { accepted: 'git:main:svc.accepted.json' }))[0]).toBe('git:main:svc.accepted.json cannot be read (ENOENT).') // prettier-ignore
    expect((await run('git:main', '.', { accepted: 'git:none:svc.accepted.json' }))[0]).toMatch(
      /^git does not know the commit none \(.+\)\.$/u,
    )
    expect((await run('git:main', '.', { accepted: 'git:main:a.json', accept: 'Why.' }))[0]).toBe('Name the file that the accepted changes are written to: --accepted <file>.') // prettier-ignore
  })

  it('N34: is compared whole, also where it claims to be what a service published', async () => {
    const claims = (text: string) => text.replace('"0.24.0" }', `"0.24.0", sha256: ${'a'.repeat(64)} }`)
    write('svc.yaml', claims(`${MANIFEST}limits: { max_ttl_hours: 900 }\n`))
    expect((await run('git:main', '.'))[0]).toBe(1)
    write('old.yaml', claims(MANIFEST))
    expect((await run('old.yaml', '.'))[0]).toBe(1)
  })

  it('keeps the reason of what was accepted before, when more is accepted', async () => {
    await run('git:main', '.', { accept: 'First.' })
    write('svc.yaml', WEAKER.replace('[crm.read]', '[]'))
    await run('git:main', '.', { accept: 'Second.' })
    const reasons = (JSON.parse(readFileSync('svc.accepted.json', 'utf8')) as { code: string; reason: string }[]).map(({ code, reason }) => `${code} ${reason}`) // prettier-ignore
    expect(reasons).toEqual(['SVC9073 Second.', 'SVC9161 First.'])
  })

  it('may name a branch without git:, unless a file has its name', async () => {
    expect([(await run('main', '.'))[0], (await run('main', 'main'))[0]]).toEqual([1, 0])
    write('main', WEAKER)
    expect([(await run('main', '.'))[0], (await run('git:main', '.'))[0]]).toEqual([0, 1])
    expect((await run('nowhere', '.'))[0]).toBe('SVC0002 unreadable: cannot read `nowhere` (ENOENT).')
  })

  it('of a new service adds everything, and passes; of another path that is not there it does not', async () => {
    vi.spyOn(process.stderr, 'write').mockReturnValue(true)
    mkdirSync('new')
    write('new/svc.yaml', WEAKER)
    expect((await run('git:main', 'new'))[0]).toBe(1)
    expect([(await run('git:main:new', 'new'))[0], (await run('git:main:new/svc.yaml', 'new'))[0]]).toEqual([0, 0])
    process.chdir('new')
    expect((await run('git:main', '.', { out: ['json=a.json'] }))[0]).toBe(0)
    const { changes } = JSON.parse(readFileSync('a.json', 'utf8')) as { changes: { code: string; file: string; old?: object }[] } // prettier-ignore
    expect(changes.map(({ code, file, old }) => [code, file, old])).toEqual([['SVC9002', 'svc.yaml', undefined]])
    expect(process.stderr.write).toHaveBeenCalledWith('git:main has no svc.yaml in this folder: the service is new, and everything in it is added.\n') // prettier-ignore
    expect((await run('git:none', '.'))[0]).toMatch(/^git does not know the commit none/u)
    expect((await run('git:main:old.yaml', '.'))[0]).toMatch(/^old\.yaml does not exist in main/u)
  })
})

describe('an address', () => {
  let server: Server
  let origin: string
  beforeEach(async () => {
    server = createServer(({ url = '' }, response) => {
      const status = /\/(\d{3})\//u.exec(url)?.[1] ?? '200'
      response.writeHead(Number(status), { location: '/' }).end(url)
    })
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  })
  afterEach(() => {
    server.closeAllConnections()
    server.close()
  })

  it.each([
    ['', '/svc/manifest'],
    ['/', '/svc/manifest'],
    ['/shop', '/shop/svc/manifest'],
    ['/shop//', '/shop/svc/manifest'],
    ['/shop/svc/manifest', '/shop/svc/manifest'],
    ['/a.json', '/a.json'],
    ['/a.yaml', '/a.yaml'],
    ['/a.yml', '/a.yml'],
    ['/a.txt', '/a.txt/svc/manifest'],
  ])('%j is read at %s', async (path, asked) => {
    const { sources } = await fetchedManifest(`${origin}${path}`)
    expect(sources).toEqual([{ file: `${origin}${asked}`, text: asked }])
  })

  it('is read over https or from this machine, without a credential, and answers with a manifest', async () => {
    const of = async (address: string) => ended(() => fetchedManifest(address))
    expect(await of(`${origin}/404/`)).toBe(`${origin}/404/svc/manifest answered 404, not with a manifest.`)
    expect(await of(`${origin}/302/`)).toBe(`${origin}/302/svc/manifest answered 302, not with a manifest.`)
    expect(await of('https://')).toBe('https:// is not an address such as https://shop.example.')
    expect(await of('https://a:b@shop.example')).toBe('The address holds a credential; a manifest needs none.')
    expect(await of('https://a@shop.example')).toBe('The address holds a credential; a manifest needs none.')
    for (const host of ['shop.example', 'localhost.shop.example', '10.0.0.1'])
      expect(await of(`http://${host}`)).toBe(`http://${host} is read over https only: anybody on the way could answer in its place.`) // prettier-ignore
    expect(await of('http://127.0.0.1:1')).toMatch(/^http:\/\/127\.0\.0\.1:1\/svc\/manifest cannot be read \(.+\)\.$/u)
  })
})
