import { createHash } from 'node:crypto'
import { chmodSync, copyFileSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { add } from '../../src/cli/apikeys/add.js'
import { changeApiKey, expire, revokeApiKey } from '../../src/cli/apikeys/end.js'
import { listApiKeys } from '../../src/cli/apikeys/list.js'
import { readApiKeys } from '../../src/runtime/node.js'

const home = process.cwd()
const TRAVEL = resolve('examples/travel/svc.yaml')
let folder: string
let printed: string
let said: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-apikeys-'))
  process.chdir(folder)
  printed = said = ''
  vi.spyOn(process.stdout, 'write').mockImplementation((text) => ((printed += String(text)), true))
  vi.spyOn(process.stderr, 'write').mockImplementation((text) => ((said += String(text)), true))
})
afterEach(() => {
  vi.restoreAllMocks()
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

const entries = () => JSON.parse(readFileSync('api-keys.json', 'utf8')) as readonly { [name: string]: unknown }[]
const hashOf = (text: string) => createHash('sha256').update(text).digest('hex')

describe('svc apikeys', () => {
  it('makes a key that is printed once; the file has its hash, and is its owner’s alone', async () => {
    copyFileSync(TRAVEL, 'svc.yaml')
    expect(await add('human:ana@example.com', {})).toBe(0)
    const key = printed.trim()
    expect(key).toMatch(/^svc_[\w-]{32}$/u)
    expect(entries()).toEqual([
      {
        id: 'human:ana@example.com-1',
        principal: 'human:ana@example.com',
        sha256: hashOf(key),
        scopes: ['travel.book', 'travel.search'],
      },
    ])
    expect(readFileSync('api-keys.json', 'utf8') + said).not.toContain(key)
    expect(said).toContain(
      'added human:ana@example.com-1 to api-keys.json; running services apply this within 10 seconds',
    )
    expect(statSync('api-keys.json').mode & 0o777).toBe(0o600)
    expect([...(await readApiKeys('api-keys.json'))]).toHaveLength(1)
    await add('human:ana@example.com', {})
    expect(entries().map(({ id }) => id)).toEqual(['human:ana@example.com-1', 'human:ana@example.com-2'])
  })

  it('checks scopes against the manifest', async () => {
    copyFileSync(TRAVEL, 'svc.yaml')
    await expect(add('human:ana@example.com', { scope: ['travel.serach'] })).rejects.toThrow(
      'No capability of svc.yaml needs the scope "travel.serach". Is it travel.search?',
    )
    expect(await add('human:ana@example.com', { scope: ['travel.search', 'approver:book_flight'] })).toBe(0)
    expect(await add('agent:desk', { scopes: false, id: 'desk' })).toBe(0)
    expect(entries().map(({ scopes }) => scopes)).toEqual([['travel.search', 'approver:book_flight'], []])
    rmSync('svc.yaml')
    await add('human:ben@example.com', { scope: ['anything'] })
    expect(said).toContain('the scopes were not checked')
  })

  it('revokes and expires by id, and shows what is', async () => {
    writeFileSync(
      'api-keys.json',
      JSON.stringify([{ id: 'ana', principal: 'human:ana@example.com', sha256: 'a'.repeat(64) }]),
      { mode: 0o600 },
    )
    await add('human:ben@example.com', { id: 'ben', expires: 'P1D', scope: ['travel.search'], role: ['auditor'] })
    await add('agent:desk', { id: 'desk', scopes: false })
    await revokeApiKey('ana', {})
    await expire('desk', '2020-01-01T00:00:00Z', {})
    printed = ''
    await listApiKeys({}, Date.parse('2026-01-01T00:00:00Z'))
    expect(printed.split('\n')).toEqual([
      'ana   human:ana@example.com  revoked                               no bound: run svc apikeys change ana --scope <scope>',
      expect.stringMatching(/^ben {3}human:ben@example\.com {2}valid until \S+Z {2}travel\.search, role auditor$/u),
      'desk  agent:desk             expired at 2020-01-01T00:00:00.000Z   no scope',
      '',
    ])
    await expect(revokeApiKey('eve', {})).rejects.toThrow('api-keys.json has no key "eve". See: svc apikeys list')
  })

  it('replaces scopes and roles of a key, one that nothing bounds too, so that a service starts', async () => {
    const key = { id: 'ana', principal: 'human:ana', sha256: 'a'.repeat(64) }
    writeFileSync('api-keys.json', JSON.stringify([key]), { mode: 0o600 })
    await expect(readApiKeys('api-keys.json')).rejects.toThrow('svc apikeys change ana --scope')
    await changeApiKey('ana', { role: ['operator'] })
    expect(entries()).toEqual([{ ...key, scopes: [], roles: ['operator'] }])
    await changeApiKey('ana', { scope: ['a.read'] })
    expect(entries()).toEqual([{ ...key, scopes: ['a.read'] }])
    expect([...(await readApiKeys('api-keys.json'))]).toHaveLength(1)
  })

  it('leaves notes and the form of the file as they were', async () => {
    const key = { id: 'ana', principal: 'human:ana', sha256: 'a'.repeat(64), 'x-owner': 'sales' }
    writeFileSync('api-keys.json', JSON.stringify({ 'x-note': 'ours', keys: [key] }), { mode: 0o600 })
    await revokeApiKey('ana', {})
    expect(entries()).toEqual({ 'x-note': 'ours', keys: [{ ...key, revoked: true }] })
  })

  it('stores what a key may and until when', async () => {
    await add('human:ana', {
      id: 'ana',
      scopes: false,
      callerClass: ['internal', 'partner'],
      expires: '2030-01-01T01:00:00+01:00',
    })
    const [{ sha256, ...entry } = {}] = entries()
    expect(entry).toEqual({ id: 'ana', principal: 'human:ana', scopes: [], caller_classes: ['internal', 'partner'], expires_at: '2030-01-01T00:00:00.000Z' }) // prettier-ignore
    expect(sha256).toBe(hashOf(printed.trim()))
  })

  it('takes no id twice, and ends none that several keys have', async () => {
    await add('human:ana', { id: 'ana', scopes: false })
    const before = readFileSync('api-keys.json', 'utf8')
    await expect(add('human:ben', { id: 'ana', scopes: false })).rejects.toThrow(
      'api-keys.json has a key "ana" already',
    )
    await expect(add('human:ben', { id: '', scopes: false })).rejects.toThrow('name another with --id')
    expect(readFileSync('api-keys.json', 'utf8')).toBe(before)
    writeFileSync('api-keys.json', JSON.stringify([...entries(), { ...entries()[0], sha256: 'b'.repeat(64) }]))
    await expect(revokeApiKey('ana', {})).rejects.toThrow(/several keys "ana"|api-keys\.json: /u)
  })

  it('says of a key at its time that it has ended, and lets no scope steer the terminal', async () => {
    const key = { id: 'ana', principal: 'human:ana', sha256: 'a'.repeat(64), scopes: ['b\u001b[31m\nc'] }
    writeFileSync('api-keys.json', JSON.stringify([{ ...key, expires_at: '2030-01-01T00:00:00Z' }]), { mode: 0o600 })
    const listedAt = async (time: string) => {
      printed = ''
      await listApiKeys({}, Date.parse(time))
      return printed
    }
    expect(await listedAt('2029-12-31T23:59:59.999Z')).toBe('ana  human:ana  valid until 2030-01-01T00:00:00Z  b\\u001b[31m\\u000ac\n') // prettier-ignore
    expect(await listedAt('2030-01-01T00:00:00.000Z')).toContain('expired at 2030-01-01T00:00:00Z')
  })

  it('knows the scopes of those who approve: of all, and of a capability', async () => {
    copyFileSync(TRAVEL, 'svc.yaml')
    await add('human:ana', { scope: ['travel.approver', 'approver:book_flight'] })
    await expect(add('human:ana', { scope: ['approver:search_flights'] })).rejects.toThrow('No capability of svc.yaml')
    const tiers = 'required: always\n      tiers: [{ cost_above: 500, approver_scope: finance.approver }]'
    writeFileSync('svc.yaml', readFileSync(TRAVEL, 'utf8').replace('required: always', tiers))
    expect(await add('human:fay', { scope: ['finance.approver'] })).toBe(0)
    await expect(add('human:ana', { scope: ['zzzzzzzz'] })).rejects.toThrow(/There are approver:book_flight, finance\.approver, travel\./u) // prettier-ignore
  })

  it.each([
    [() => add('ana', {}), '"ana" is no principal such as'],
    [() => add('human:ana', { scopes: false, scope: ['a'] }), '--no-scopes and --scope exclude each other'],
    [() => add('human:ana', { role: ['owner'] }), 'There is no role "owner". There are auditor, operator, metrics.'],
    [() => add('human:ana', {}), 'Name what the key may do with --scope, --role or --no-scopes: there is no svc.yaml'],
    [() => changeApiKey('ana', {}), 'Name what the key may do: --scope, --no-scopes, --role.'],
    [() => add('human:ana', { scopes: false, expires: 'tomorrow' }), '"tomorrow" is neither a time such as'],
    [() => add('human:ana', { scopes: false, expires: '2030' }), '"2030" is neither a time such as'],
    [() => expire('ana', '', {}), '"" is neither a time'],
  ])('refuses what cannot be', async (work, message) => {
    await expect(work()).rejects.toThrow(message)
    await expect(work()).rejects.toMatchObject({ name: 'CliError' })
  })

  it('refuses a file that others may write, or that does not read, and leaves it as it is', async () => {
    writeFileSync('api-keys.json', '[{}]', { mode: 0o600 })
    await expect(add('human:ana', { scopes: false })).rejects.toThrow(
      'api-keys.json: key 1 needs an id of 1 to 256 visible characters.',
    )
    chmodSync('api-keys.json', 0o644)
    await expect(add('human:ana', { scopes: false })).rejects.toThrow('chmod 600 api-keys.json')
    expect(readFileSync('api-keys.json', 'utf8')).toBe('[{}]')
  })

  it('loses no key when several commands run at once', async () => {
    await Promise.all(Array.from({ length: 8 }, (_, at) => add('human:ana', { id: `key-${at}`, scopes: false })))
    expect(entries()).toHaveLength(8)
  })
})
