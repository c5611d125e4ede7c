import { copyFileSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs' // prettier-ignore
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Database from 'libsql'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { lineSplitter } from '../../src/cli/verify/lines.js'
import { signerFor, verificationKeys } from '../../src/crypto/keys/key-ring.js'
import { signCheckpoint } from '../../src/crypto/merkle/checkpoint.js'
import { checkpointDetail } from '../../src/runtime/checkpoints/detail.js'
import { makeCheckpoint } from '../../src/runtime/checkpoints/make.js'
import { readKeyRing } from '../../src/runtime/keys/key-directory.js'
import { svc } from './command.js'
import { originOf } from './origin.js'
import { draftOf, seal, startTrail } from './trail.js'

let folder = ''
let origin: readonly string[] = []
const path = (name: string) => join(folder, name)
const write = (name: string, value: object) => writeFileSync(path(name), JSON.stringify(value))

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'svc-audit-'))
  await svc('keys', 'generate', '--dir', path('keys'))
  origin = await originOf(path('keys'), path('origin'))
  const ring = await readKeyRing(path('keys'))
  const { storage, dependencies, append } = await startTrail(path('trail.db'))
  const given = {
    ...dependencies,
    signer: () => signerFor(ring, 'audit'),
    keys: () => verificationKeys(ring, 'audit', Date.now()),
  }
  await append(1, 3)
  const older = (await makeCheckpoint(given)).made!
  await append(4, 7)
  const newer = (await makeCheckpoint(given)).made!
  await append(8, 8)
  write('older.json', older)
  write(
    'newer.json',
    await checkpointDetail(storage, newer.checkpoint_id, { leafIndex: 4, consistencyFrom: older.checkpoint_id }),
  )
  write('entry.json', seal(draftOf(5), 5).entry)
  await storage.close()
})
afterAll(() => rmSync(folder, { recursive: true }))

const exported = (...more: readonly string[]) =>
  svc('audit', 'export', '--database', path('trail.db'), '--keys', path('keys'), '--service', 'flights', ...more)
const verified = (file: string, ...more: readonly string[]) => svc('audit', 'verify', path(file), ...origin, ...more)

describe('svc audit', () => {
  it('writes an export through no link, and leaves nothing beside it', async () => {
    writeFileSync(path('mine'), 'mine')
    symlinkSync(path('mine'), path('linked.ndjson.svc-tmp'))
    expect((await exported('--out', path('linked.ndjson'))).code).toBe(0)
    expect(readFileSync(path('mine'), 'utf8')).toBe('mine')
    expect(readdirSync(folder).filter((name) => name.endsWith('.svc-tmp'))).toEqual([])
  })

  it('does not verify an export of another service, whose keys are the same', async () => {
    expect((await exported('--service', 'hotels', '--out', path('hotels.ndjson'))).code).toBe(0)
    const { code, out } = await verified('hotels.ndjson')
    expect(code).toBe(1)
    expect(out).toContain('hotels')
    const plain = await svc('verify', path('hotels.ndjson'), ...origin)
    expect([plain.code, plain.out.split('\n')[0]]).toEqual([1, `NOT verified: export ${path('hotels.ndjson')}`])
  })

  it('exports what checkpoints cover and verifies it', async () => {
    const { code, err, out } = await exported('--out', path('trail.ndjson'))
    expect({ code, out }).toEqual({ code: 0, out: '' })
    expect(err).toContain('exported the entries 1 to 7')
    expect(err).toContain('1 newer entries wait for the next checkpoint')
    expect(statSync(path('trail.ndjson')).mode & 0o777).toBe(0o600)
    const answer = await verified('trail.ndjson', '--since', path('older.json'))
    expect(answer).toMatchObject({ code: 0, err: '' })
    expect(answer.out).toMatch(/verified: export[\s\S]*service +flights[\s\S]*entries +7/u)
    expect((await svc('verify', path('trail.ndjson'), ...origin)).out).toMatch(/^verified: export/u)
  })

  it('exports to standard output', async () => {
    const { out } = await exported('--from', '6')
    expect(out.split('\n')).toHaveLength(1 + 2 + 2 + 1 + 1)
  })

  it('exports the audit keys alone', async () => {
    const [head = ''] = (await exported()).out.split('\n')
    const audit = verificationKeys(await readKeyRing(path('keys')), 'audit', Date.now())
    expect((JSON.parse(head) as { keys: readonly { kid: string }[] }).keys.map(({ kid }) => kid)).toEqual(audit.map(({ kid }) => kid)) // prettier-ignore
  })

  it('takes no empty file for one that ends with a line', () => {
    const ends = (...chunks: readonly string[]) => {
      const splitter = lineSplitter(() => undefined)
      for (const chunk of chunks) splitter.push(Buffer.from(chunk))
      return splitter.end()
    }
    expect([ends(), ends(''), ends('a'), ends('a\n'), ends('a', '\n', '')]).toEqual([false, false, false, true, true])
  })

  it('names the first bad sequence', async () => {
    await exported('--out', path('edited.ndjson'))
    writeFileSync(
      path('edited.ndjson'),
      readFileSync(path('edited.ndjson'), 'utf8').replace(
        '\\"sequence\\":4,\\"success\\":true',
        '\\"sequence\\":4,\\"success\\":false',
      ),
    )
    const { code, out } = await verified('edited.ndjson')
    expect(code).toBe(1)
    expect(out).toMatch(/first bad +sequence 4/u)
    expect(JSON.parse((await verified('edited.ndjson', '--format', 'json')).out)).toMatchObject({
      verified: false,
      facts: { entries: 7, first_bad: 4 },
    })
  })

  it('N06: is not told whose keys they are by what it judges', async () => {
    await exported('--out', path('trail.ndjson'))
    const [jwks, file, manifest, place, kid, key] = origin as [string, string, string, string, string, string]
    for (const some of [[jwks, file], [jwks, file, manifest, place], [jwks, file, kid, key]]) {
      const { code, out } = await svc('audit', 'verify', path('trail.ndjson'), ...some)
      expect(code).toBe(1)
      expect(out).toContain('Origin unverified')
    }
    const other = await svc('audit', 'verify', path('trail.ndjson'), jwks, file, manifest, place, kid, 'x'.repeat(43))
    expect(other).toMatchObject({ code: 1, out: expect.stringContaining('which is not among the given keys') })
  }) // prettier-ignore

  it.each([
    [['--database', 'nowhere.db'], 2, 'There is no database nowhere.db.'],
    [['--database', ''], 2, 'Name the database'],
    [['--keys', 'nowhere'], 2, 'nowhere holds no keys'],
    [['--from', '0'], 2, 'is not the sequence of an entry'],
    [['--from', '8'], 1, 'No checkpoint covers entry 8 yet'],
    [['--out', '/nowhere/x'], 2, 'there is no such file or folder'],
    [['--out', '/dev/null'], 2, '/dev/null is not a file'],
    [['--out', tmpdir()], 2, 'is not a file'],
  ])('refuses to export with %j', async (args, code, message) => {
    expect(await exported(...args)).toMatchObject({ code, err: expect.stringContaining(message) })
  })

  it.each(['nowhere.ndjson', tmpdir()])('verifies no %s, which is no file', async (file) => {
    expect(await svc('audit', 'verify', file, ...origin)).toEqual({ code: 2, out: '', err: `svc: There is no file ${file}.\n` }) // prettier-ignore
  })

  it('A04: names the entry that somebody removed from the database', async () => {
    copyFileSync(path('trail.db'), path('damaged.db'))
    const database = new Database(path('damaged.db'))
    for (const { name } of database.prepare("select name from sqlite_master where type = 'trigger'").all() as {
      name: string
    }[])
      database.exec(`drop trigger ${name}`)
    database.exec('delete from audit_entries where sequence = 4')
    database.close()
    const out = path('damaged.ndjson')
    expect(await exported('--database', path('damaged.db'), '--out', out)).toMatchObject({
      code: 1,
      err: expect.stringContaining('Entry 4 is missing or damaged'),
    })
    expect(existsSync(out)).toBe(false)
  })

  it('leaves nothing behind when there is nothing to export', async () => {
    await exported('--from', '8', '--out', path('none.ndjson'))
    expect(readdirSync(folder).filter((name) => name.startsWith('none'))).toEqual([])
  })

  it('holds no more of a line that does not end than memory bears', () => {
    const splitter = lineSplitter(() => undefined)
    const chunk = new Uint8Array(1024 * 1024)
    const push = (): void => {
      for (let mebibytes = 0; mebibytes < 65; mebibytes++) splitter.push(chunk)
    }
    expect(push).toThrow('A line has more than 64 MiB: this is no audit export.')
  })

  it('joins a long line once, in whatever pieces it comes', () => {
    const lines: Uint8Array[] = []
    const splitter = lineSplitter((line) => lines.push(line))
    for (let piece = 0; piece < 10_000; piece++) splitter.push(new Uint8Array(4096).fill(0x61))
    splitter.push(Buffer.from('b\n\nc'))
    expect(splitter.end()).toBe(false)
    expect(lines.map(({ length }) => length)).toEqual([10_000 * 4096 + 1, 0, 1])
  })
})

describe('svc verify', () => {
  it('verifies a checkpoint with its proofs, and that it continues an older one', async () => {
    const { code, out } = await svc(
      'verify',
      'checkpoint',
      path('newer.json'),
      ...origin,
      '--since',
      path('older.json'),
    )
    expect(code).toBe(0)
    expect(out).toMatch(/sequence +2[\s\S]*entries +7/u)
  })

  it('N06: refuses what the key of another role signed, though the service publishes that key', async () => {
    const ring = await readKeyRing(path('keys'))
    const { signature: _, ...head } = JSON.parse(readFileSync(path('newer.json'), 'utf8'))
    write('forged.json', await signCheckpoint(signerFor(ring, 'tokens'), head))
    const { code, out } = await svc('verify', 'checkpoint', path('forged.json'), ...origin)
    expect(code).toBe(1)
    expect(out).toContain('No trusted audit key signed this checkpoint')
  })

  it('verifies an entry by the proof in a checkpoint', async () => {
    const args = [...origin, '--checkpoint', path('newer.json')]
    expect((await svc('verify', 'entry', path('entry.json'), ...args)).code).toBe(0)
    write('changed.json', { ...JSON.parse(readFileSync(path('entry.json'), 'utf8')), success: false })
    const { code, out } = await svc('verify', path('changed.json'), ...args)
    expect(code).toBe(1)
    expect(out).toContain('The entry is not the one that the proof is for')
    const { leaf_hash } = JSON.parse(readFileSync(path('newer.json'), 'utf8')).inclusion_proof
    write('withheld.json', { ...seal(draftOf(5), 5).entry, actor_key: 'agent:forged', redacted: true, leaf_hash })
    const withheld = await svc('verify', 'entry', path('withheld.json'), ...args)
    expect(withheld).toMatchObject({ code: 1, out: expect.stringContaining('Included, content withheld') })
    const allowed = await svc('verify', 'entry', path('withheld.json'), '--allow-withheld', ...args)
    expect(allowed).toMatchObject({ code: 0, out: expect.stringContaining('included, content withheld') })
    expect(withheld.out + allowed.out).not.toContain('agent:forged')
    for (const redacted of [undefined, false, 'true']) {
      write('made-up.json', { ...seal(draftOf(5), 5).entry, actor_key: 'agent:forged', redacted, leaf_hash })
      const madeUp = await svc('verify', 'entry', path('made-up.json'), '--allow-withheld', ...args)
      expect(madeUp).toMatchObject({ code: 1, out: expect.stringContaining('The entry is not the one that') })
    }
    expect((await svc('verify', 'entry', path('entry.json'), ...origin)).err).toContain('--checkpoint <file>')
  })
})
