/** What the commands say that work on files of this machine: API keys, the trail, the database. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { svc } from '../trust/command.js'

const home = process.cwd()
beforeEach(() => {
  process.chdir(mkdtempSync(join(tmpdir(), 'svc-words-of-files-')))
  for (const name of ['SVC_API_KEYS', 'SVC_DATABASE', 'SVC_KEYS', 'SVC_STATE_DIR']) vi.stubEnv(name, undefined)
})
afterEach(() => {
  vi.unstubAllEnvs()
  vi.useRealTimers()
  const folder = process.cwd()
  process.chdir(home)
  rmSync(folder, { recursive: true })
})

/** What a command printed (`>`) and said (`!`), with the key that it made as KEY. */
async function ran(...args: readonly string[]): Promise<readonly string[]> {
  const { code, out, err } = await svc(...args)
  const lines = (sign: string, text: string) => text.replaceAll(/svc_[\w-]{32}/gu, 'KEY').split('\n').filter((line) => line !== '').map((line) => `${sign} ${line}`) // prettier-ignore
  return [...lines('>', out), ...lines('!', err), ...(code === 0 ? [] : [`exit ${code}`])]
}

describe('svc apikeys', () => {
  it('says what it has done, with each option handed on', async () => {
    vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date'] })
    vi.stubEnv('SVC_API_KEYS', 'theirs.json')
    expect(await ran('apikeys', 'list')).toEqual(['! theirs.json holds no keys. Make one with: svc apikeys add human:ana@example.com']) // prettier-ignore
    expect(await ran('apikeys', 'add', 'human:ana', '--id', 'ana', '--scope', 'a', '--scope', 'b', '--caller-class', 'x', '--caller-class', 'y', '--expires', 'P1D')).toEqual([
      '> KEY',
      '! note: the scopes were not checked: there is no svc.yaml without errors here',
      '! added ana to theirs.json; running services apply this within 10 seconds',
      '! Copy this key now. It is not shown again:',
    ]) // prettier-ignore
    expect(await ran('apikeys', 'add', 'agent:desk', '--no-scopes', '--file', 'ours.json')).toHaveLength(3)
    const [{ sha256: _, ...key } = {}] = JSON.parse(readFileSync('theirs.json', 'utf8')) as { [name: string]: unknown }[] // prettier-ignore
    expect(key).toEqual({ id: 'ana', principal: 'human:ana', scopes: ['a', 'b'], caller_classes: ['x', 'y'], expires_at: '2030-01-02T00:00:00.000Z' }) // prettier-ignore
    expect(await ran('apikeys', 'expire', 'ana', 'PT1H')).toEqual(['! ana ends at 2030-01-01T01:00:00.000Z'])
    expect(await ran('apikeys', 'revoke', 'ana')).toEqual([
      '! revoked ana; running services apply this within 10 seconds',
    ])
    expect(await ran('apikeys', 'list')).toEqual(['> ana  human:ana  revoked  a, b'])
    expect(await ran('apikeys', 'list', '--file', 'ours.json')).toEqual(['> agent:desk-1  agent:desk  valid  no scope'])
    expect(statSync('ours.json').mode & 0o777).toBe(0o600)
    expect(readdirSync('.').toSorted()).toEqual(['ours.json', 'theirs.json'])
  })

  it('names the scopes that there are, and one that is near, where one is misspelt', async () => {
    writeFileSync('svc.yaml', readFileSync(join(home, 'examples/travel/svc.yaml')))
    const there = 'There are approver:book_flight, travel.approver, travel.book, travel.search, travel.supplier'
    const [near] = await ran('apikeys', 'add', 'human:ana', '--scope', 'travel.boko')
    expect(near).toMatch(/^! svc: No capability of svc\.yaml needs the scope "travel\.boko"\. Is it travel\.book\? There are /u) // prettier-ignore
    const [far] = await ran('apikeys', 'add', 'human:ana', '--scope', 'zzzzzzzzzzzz')
    expect([far?.includes('Is it'), far?.includes(there.slice(0, 40))]).toEqual([false, true])
    expect(readdirSync('.')).toEqual(['svc.yaml'])
  })
})

describe('svc audit', () => {
  it.each([
    [['erase', '--entries', '1-10001', '--reason', 'r'], '--entries 1-10001 names more than 10000 entries. Erase them in several runs.'],
    [['erase', '--entries', '1-9999,20000-20001', '--reason', 'r'], '--entries 1-9999,20000-20001 names more than 10000 entries. Erase them in several runs.'],
    [['erase', '--entries', '5-4', '--reason', 'r'], '--entries 5-4 must be sequences and ranges, such as 17,20-25.'],
    [['erase', '--entries', '0', '--reason', 'r'], '--entries 0 must be sequences and ranges, such as 17,20-25.'],
    [['erase', '--entries', '1,', '--reason', 'r'], '--entries 1, must be sequences and ranges, such as 17,20-25.'],
    [['erase', '--entries', '1', '--reason', ' '], '--reason must say why, in at most 1000 characters.'],
    [['erase', '--entries', '1', '--reason', 'r'.repeat(1001)], '--reason must say why, in at most 1000 characters.'],
    [['erase', '--entries', '1-10000', '--reason', 'r'.repeat(1000), '--database', 'none.db'], 'There is no database none.db.'],
    [['export', '--from', '0'], '--from 0 is not the sequence of an entry; the first is 1.'],
    [['export', '--from', '1'], 'Name the service: --service <id>, or run this in the folder of its svc.yaml.'],
    [['verify', '.', '--jwks', 'none'], undefined],
    [['resume', '--reason', 'r'], 'keys/checkpoints remembers no checkpoint; nothing keeps the service from signing.'],
    [['witness', '--service', 'https://a', '--witness', 'https://b', '--witness-key', 'x'], '--witness-key is not the key of a witness: name+hash+base64, of type cosignature/v1.'],
  ])('refuses %j', async (args, says) => {
    const [line, code] = await ran('audit', ...args)
    expect([says === undefined ? undefined : line, code]).toEqual([says === undefined ? undefined : `! svc: ${says}`, 'exit 2'])
  }) // prettier-ignore

  it('exports to a file, whole or not at all, and to nothing that is no file', async () => {
    await svc('keys', 'generate')
    await svc('migrate', 'up', '--database', 'a.db')
    const exported = (...more: readonly string[]) => ran('audit', 'export', '--service', 's', ...more)
    expect(await exported()).toEqual(['! svc: Name the database: --database <file or postgresql:// address>, or set SVC_DATABASE.', 'exit 2']) // prettier-ignore
    expect(await exported('--database', 'none.db')).toEqual(['! svc: There is no database none.db.', 'exit 2'])
    expect(await exported('--database', 'a.db', '--out', 'keys')).toEqual(['! svc: keys is not a file. Name a file, or `-` for standard output.', 'exit 2']) // prettier-ignore
    expect(await exported('--database', 'a.db', '--out', 'out')).toEqual(['! svc: No checkpoint covers entry 1 yet; there is nothing to prove.', 'exit 1']) // prettier-ignore
    expect(await exported('--database', 'a.db', '--keys', 'others')).toEqual([expect.stringContaining('others'), 'exit 2']) // prettier-ignore
    expect(readdirSync('.').filter((name) => name.startsWith('out'))).toEqual([])
  })

  it('lets a service sign on after a restored backup, and keeps what was remembered, with the reason', async () => {
    vi.useFakeTimers({ now: Date.parse('2030-01-01T00:00:00Z'), toFake: ['Date'] })
    const name = 'a'.repeat(32)
    mkdirSync('state/checkpoints', { recursive: true })
    for (const file of [`${name}.json`, `${name}.jsonx`, 'short.json']) writeFileSync(`state/checkpoints/${file}`, '{"sequence":3}') // prettier-ignore
    vi.stubEnv('SVC_STATE_DIR', 'state')
    expect(await ran('audit', 'resume', '--reason', 'Backup of May')).toEqual([
      `! ${name}.json: abandoned, the service signs on from what its database holds`,
      '! Tell those who hold newer checkpoints: they will see two histories.',
    ])
    const kept = `${name}.2030-01-01T00-00-00.000Z.abandoned.json`
    expect(readdirSync('state/checkpoints').toSorted()).toEqual([kept, `${name}.jsonx`, 'short.json'].toSorted())
    expect(JSON.parse(readFileSync(`state/checkpoints/${kept}`, 'utf8'))).toEqual({ abandoned_at: '2030-01-01T00:00:00.000Z', reason: 'Backup of May', checkpoint: { sequence: 3 } }) // prettier-ignore
    expect(statSync(`state/checkpoints/${kept}`).mode & 0o777).toBe(0o600)
  })
})

describe('svc migrate', () => {
  it('says what it did, as words and as data, and when there is nothing to do', async () => {
    vi.stubEnv('SVC_DATABASE', 'a.db')
    const rehearsed = await ran('migrate', 'up', '--dry-run')
    expect([rehearsed[0]?.startsWith('> would apply 001 '), readdirSync('.')]).toEqual([true, []])
    const dry = JSON.parse((await svc('migrate', 'up', '--dry-run', '--json')).out) as { applied: readonly object[]; dry_run: boolean } // prettier-ignore
    expect([dry.applied.length, dry.dry_run]).toEqual([rehearsed.length, true])
    expect((await ran('migrate', 'up'))[0]).toMatch(/^> applied 001 /u)
    expect(await ran('migrate', 'up')).toEqual(['! The schema is current; there is nothing to apply.'])
    expect(JSON.parse((await svc('migrate', 'up', '--json')).out)).toEqual({ version: 1, applied: [], dry_run: false })
    expect((await ran('migrate', 'status'))[0]).toMatch(/^> applied {2}001 \S+ {2}\d{4}-\d\d-\d\dT[\d:.]+Z$/u)
  })

  it.each([
    [['partition', '--every', '999', '--database', 'postgresql://127.0.0.1:1/x'], 'A partition takes 1000 entries or more; "999" is no such number.'],
    [['partition', '--every', '1e30', '--database', 'postgresql://127.0.0.1:1/x'], 'A partition takes 1000 entries or more; "1e30" is no such number.'],
    [['partition', '--every', '1000', '--database', 'a.db'], 'Only PostgreSQL has partitions; name a postgresql:// address.'],
    [['copy', '--from', 'a.db', '--to', 'b.db'], 'Copy from a SQLite file to a postgresql:// address: --from data/shop.db --to postgresql://…'],
    [['copy', '--from', 'postgresql://a/b', '--to', 'postgresql://c/d'], 'Copy from a SQLite file to a postgresql:// address: --from data/shop.db --to postgresql://…'],
    [['copy', '--from', 'none.db', '--to', 'postgresql://c/d'], 'There is no database none.db.'],
  ])('refuses %j', async (args, says) => {
    expect(await ran('migrate', ...args)).toEqual([`! svc: ${says}`, 'exit 2'])
  }) // prettier-ignore
})
