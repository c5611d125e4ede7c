import { spawnSync } from 'node:child_process'
import { createServer, type Server } from 'node:http'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { check } from '../../src/compiler/check.js'
import { servedManifest } from '../../src/protocol/served-manifest.js'
import { svc as command } from './command.js'

const TEXT = readFileSync('examples/travel/svc.yaml', 'utf8')
/** Weakens book_flight, and says nothing of it. */
const WEAKER = TEXT.replace('required: always', 'required: handler')
const SVC = resolve('bin/svc.cjs')

let folder: string
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'svc-diff-test-'))
  writeFileSync(join(folder, 'svc.yaml'), WEAKER)
  writeFileSync(join(folder, 'old.yaml'), TEXT)
})
afterEach(() => rmSync(folder, { recursive: true, force: true, maxRetries: 20 }))

const svc = (...args: readonly string[]) =>
  command(['diff', ...args], { cwd: folder, env: { ...process.env, NO_COLOR: '1' } })
const git = (...args: readonly string[]) =>
  spawnSync('git', ['-c', 'user.name=a', '-c', 'user.email=a@b', ...args], { cwd: folder, encoding: 'utf8' })

describe('svc diff', () => {
  it('prints what is weaker with both places, and fails', async () => {
    const { status, stdout } = await svc('old.yaml')
    expect(status).toBe(1)
    expect(stdout).toContain(
      'weakened SVC9215 approval-condition-weakened\n  book_flight: approval.required was always and is handler.',
    )
    expect(stdout).toMatch(/^svc\.yaml:\d+:7 weakened/mu)
    expect(stdout).toMatch(/^ {2}was old\.yaml:\d+:7$/mu)
    expect(stdout).toContain('unbumped SVC9161 version-not-bumped')
    expect(stdout).toContain('1 weakened, 1 unbumped. 2 of them must be undone, bumped, or accepted')
  })

  it('fails on what it is told to fail on', async () => {
    expect((await svc('old.yaml', '--fail-on', 'breaking')).status).toBe(0)
    expect((await svc('old.yaml', '--fail-on', 'breaking,weakened')).status).toBe(1)
    expect((await svc('old.yaml', '--fail-on', 'unbumped')).status).toBe(1)
    expect((await svc('old.yaml', '--fail-on', 'never')).status).toBe(0)
    expect(await svc('old.yaml', '--fail-on', 'braking')).toMatchObject({ status: 2 })
    expect(await svc('old.yaml', 'old.yaml')).toMatchObject({ status: 0, stdout: 'No changes.\n' })
  })

  it('accepts changes for a reason, and these changes only', async () => {
    expect(await svc('old.yaml', '--accept', ' ')).toMatchObject({ status: 2 })
    expect(await svc('old.yaml', '--accept', 'Agreed on 2 May.')).toMatchObject({ status: 0 })
    const entries = JSON.parse(readFileSync(join(folder, 'svc.accepted.json'), 'utf8')) as readonly {
      code: string
      reason: string
    }[]
    expect(entries.map(({ code, reason }) => [code, reason])).toEqual([
      ['SVC9215', 'Agreed on 2 May.'],
      ['SVC9161', 'Agreed on 2 May.'],
    ])
    expect(await svc('old.yaml')).toMatchObject({ status: 0 })
    expect((await svc('old.yaml')).stdout).toContain('accepted Agreed on 2 May.')
    writeFileSync(
      join(folder, 'svc.yaml'),
      TEXT.replace('required: always', 'required: { when: [{ input: passengers, above: 2 }] }'),
    )
    expect((await svc('old.yaml')).status).toBe(1)
    writeFileSync(join(folder, 'svc.accepted.json'), '[{"code": "SVC9215"}]')
    expect((await svc('old.yaml')).stderr).toContain('change 1 needs fingerprint, as a text.')
  })

  it('keeps what was accepted before, and why, when more is accepted', async () => {
    expect(await svc('old.yaml', '--accept', 'Agreed on 2 May.')).toMatchObject({ status: 0 })
    writeFileSync(join(folder, 'svc.yaml'), WEAKER.replace('rollback_window: PT24H', 'rollback_window: PT12H'))
    expect(await svc('old.yaml', '--accept', 'Agreed on 3 May.')).toMatchObject({ status: 0 })
    const entries = JSON.parse(readFileSync(join(folder, 'svc.accepted.json'), 'utf8')) as readonly { reason: string }[]
    expect(new Set(entries.map(({ reason }) => reason))).toEqual(new Set(['Agreed on 2 May.', 'Agreed on 3 May.']))
    expect(await svc('old.yaml')).toMatchObject({ status: 0 })
  }) // prettier-ignore

  it('compares with a commit, with what it includes', async () => {
    mkdirSync(join(folder, 'shop/parts'), { recursive: true })
    const at = TEXT.indexOf('  book_flight:')
    const [head, capabilities] = [TEXT.slice(0, at), TEXT.slice(at)]
    writeFileSync(join(folder, 'shop/svc.yaml'), `${head}include: [parts/*.yaml]\n`)
    writeFileSync(join(folder, 'shop/parts/all.yaml'), `capabilities:\n${capabilities}`)
    for (const args of [
      ['init', '-q'],
      ['add', '-A'],
      ['commit', '-qm', 'x'],
    ])
      git(...args)
    expect(await svc('git:HEAD:shop', 'shop')).toMatchObject({ status: 0, stdout: 'No changes.\n' })
    writeFileSync(
      join(folder, 'shop/parts/all.yaml'),
      `capabilities:\n${capabilities}`.replace('required: always', 'required: handler'),
    )
    const { status, stdout } = await svc('git:HEAD:shop/svc.yaml', 'shop')
    expect(status).toBe(1)
    expect(stdout).toMatch(/^shop\/parts\/all\.yaml:\d+:7 weakened/mu)
    expect(stdout).toMatch(/^ {2}was git:HEAD:shop\/parts\/all\.yaml:\d+:7$/mu)
    expect((await svc('git:nowhere')).stderr).toContain('git does not know the commit nowhere')
    expect((await svc('git:HEAD:none.yaml')).stderr).toContain('none.yaml does not exist in HEAD')
    expect((await svc('git:--output=x:svc.yaml')).stderr).toContain('does not name a commit')
  })

  it('writes reports of each format', async () => {
    const { stdout } = await svc(
      'old.yaml',
      '--json',
      '--out',
      'markdown=diff.md',
      '--out',
      'sarif=diff.sarif',
      '--out',
      'github=diff.txt',
    )
    const json = JSON.parse(stdout) as { summary: object; changes: readonly object[] }
    expect(json.summary).toEqual({ breaking: 0, weakened: 1, unbumped: 1, compatible: 0, accepted: 0 })
    expect(json.changes[0]).toMatchObject({
      code: 'SVC9215',
      effect: 'weakened',
      weakens: true,
      bump: 'minor',
      path: 'capabilities/book_flight/approval/required',
      file: 'svc.yaml',
      old: { file: 'old.yaml' },
      fails: true,
    })
    const file = (name: string) => readFileSync(join(folder, name), 'utf8')
    expect(file('diff.md')).toContain('| SVC9215 | `book_flight: approval.required was always and is handler.')
    expect(file('diff.txt')).toMatch(/^::error file=svc\.yaml,line=\d+,endLine=\d+,col=7/mu)
    const { runs } = JSON.parse(file('diff.sarif')) as {
      runs: readonly [{ automationDetails: object; results: readonly { ruleId: string; ruleIndex: number }[] }]
    }
    expect(runs[0].automationDetails).toEqual({ id: 'svc-diff/' })
    expect(runs[0].results.map(({ ruleId, ruleIndex }) => [ruleId, ruleIndex])).toEqual([
      ['SVC9215', 1],
      ['SVC9161', 0],
    ])
    expect((await svc('old.yaml', '--out', 'html=x')).stderr).toContain(
      'the formats are text, json, sarif, github, markdown',
    )
  })

  it('says what is wrong with what it cannot compare', async () => {
    writeFileSync(join(folder, 'old.yaml'), 'capabilities: 5\n')
    expect(await svc('old.yaml')).toMatchObject({ status: 2 })
    expect((await svc('old.yaml')).stderr).toMatch(
      /old\.yaml cannot be compared: it has errors\. The first is at old\.yaml:1: SVC\d+/u,
    )
    expect((await svc('none.yaml')).stderr).toContain('cannot read `none.yaml`')
    mkdirSync(join(folder, 'empty'))
    expect((await svc('empty')).stderr).toContain('cannot read `empty/svc.yaml`')
    expect((await svc('git:HEAD:svc.yaml')).stderr).toContain('git does not know the commit HEAD (')
    expect((await svc('git:')).stderr).toContain('does not name a commit: write git:REF or git:REF:path')
    expect((await svc('https://[')).stderr).toContain('https://[ is not an address such as https://shop.example.')
    expect((await svc('http://shop.example')).stderr).toContain('is read over https only')
    expect((await svc('https://me:secret@shop.example')).stderr).toContain('The address holds a credential')
  })

  it('steers no terminal and marks nothing up, whatever a manifest says', async () => {
    const hostile = '\u001B[31m<b>|@everyone [x](https://evil.example)'
    writeFileSync(
      join(folder, 'svc.yaml'),
      TEXT.replace('description: Day of departure.', `description: ${JSON.stringify(hostile)}`),
    )
    expect((await svc('old.yaml')).stdout).not.toContain('\u001B')
    const markdown = (await svc('old.yaml', '--format', 'markdown')).stdout
    expect(markdown.match(/^\| SVC9023 .*$/mu)?.[0]).toMatch(
      /^\| SVC9023 \| `[^`]*\\\|@everyone[^`]*` \| `svc\.yaml:\d+` \| {2}\|$/u,
    )
    expect(markdown).not.toContain('\u001B')
  })
})

describe('svc diff with an address', () => {
  let server: Server
  const serve = async (
    answer: (path: string) => { status: number; body: string; headers?: Record<string, string> },
  ) => {
    server = createServer((request, response) => {
      const { status, body, headers = {} } = answer(request.url ?? '')
      response.writeHead(status, headers).end(body)
    })
    server.listen(0, '127.0.0.1')
    await once(server, 'listening')
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  afterEach(() => void server.close())

  const asynchronously = async (...args: readonly string[]) => {
    const { spawn } = await import('node:child_process')
    const child = spawn(process.execPath, [SVC, 'diff', ...args], {
      cwd: folder,
      env: { ...process.env, NO_COLOR: '1' },
    })
    let text = ''
    for (const stream of [child.stdout, child.stderr]) stream.on('data', (data: Buffer) => (text += data.toString()))
    const [status] = (await once(child, 'close')) as [number]
    return { status, text }
  }

  it('compares what is served with what would be, and nothing that is only an author’s', async () => {
    const { manifest } = check([{ file: 'svc.yaml', text: TEXT }])
    const served = servedManifest(manifest!, { issued_at: '2030-01-01T00:00:00Z', expires_at: '2030-02-01T00:00:00Z' })
    const withDigest = {
      ...served,
      manifest_metadata: { ...(served['manifest_metadata'] as object), sha256: 'a'.repeat(64) },
    }
    const url = await serve((path) => ({
      status: path === '/svc/manifest' ? 200 : 404,
      body: JSON.stringify(withDigest),
    }))
    expect(await asynchronously(url, 'old.yaml')).toEqual({ status: 0, text: 'No changes.\n' })
    const { status, text } = await asynchronously(url, 'svc.yaml')
    expect(status).toBe(1)
    expect(text).toContain('SVC9215')
  })

  it('follows no redirect, and takes no other answer for a manifest', async () => {
    const url = await serve(() => ({ status: 302, body: '', headers: { location: 'http://127.0.0.1:1/' } }))
    expect((await asynchronously(url)).text).toContain('answered 302, not with a manifest')
    server.close()
    const [broken, closed] = [await serve(() => ({ status: 200, body: 'capabilities: 5' })), 'http://127.0.0.1:9']
    expect((await asynchronously(broken)).text).toContain(
      `${broken} cannot be compared: it has errors. The first is at ${broken}/svc/manifest:1`,
    )
    expect((await asynchronously(closed)).text).toContain(`${closed}/svc/manifest cannot be read (`)
  })
})
