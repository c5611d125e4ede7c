/**
 * The conformance suite of MCP (S12, S13): a service behind a credential as its server, and the client of servers
 * behind a service as its client. No scenario fails or warns.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startConformanceWorld } from './conformance-world.js'
import { fileOfJudge, runJudge, withCredential } from './judge.js'

const STABLE = fileOfJudge('@modelcontextprotocol/conformance/dist/index.js')
const NEXT = fileOfJudge('conformance-2026-07-28/dist/index.js')

interface Run {
  readonly suite: string
  readonly words: readonly string[]
}

const ACTIVE: Run = { suite: STABLE, words: ['--suite', 'active'] }
const CORE: Run = { suite: STABLE, words: ['--suite', 'core'] }
const SESSIONS: Run = { suite: NEXT, words: ['--requirements', '2025-11-25'] }
const MODERN: Run = { suite: NEXT, words: ['--requirements', '2026-07-28'] }

/** An empty list of expected failures: with it, a scenario that warns fails the run, too. */
function noneExpected(): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-expected-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'expected.yml')
  writeFileSync(file, JSON.stringify({ server: [], client: [] }))
  return file
}

/** Runs a leg of the suite; returns its code, what fails or warns, and how many scenarios passed. */
async function judged({ suite, words }: Run, leg: 'server' | 'client', ...more: readonly string[]) {
  const { code, stdout } = await runJudge(suite, leg, ...words, '--expected-failures', noneExpected(), ...more)
  const named = (lines: RegExp) => [...stdout.matchAll(lines)].map(([, name]) => name!)
  const failed = named(/^ {2}[✗~] (\S+)$/gmu)
  const counted = named(/^[✓✗] (\S+): /gmu).filter((name) => !uncountedIn(words).includes(name))
  return {
    code,
    failed,
    passed: `${counted.length - failed.length} of ${counted.length}`,
  }
}

/** Scenarios that the suite runs and does not count for a revision. */
function uncountedIn([option, revision]: readonly string[]): readonly string[] {
  if (option !== '--requirements') return []
  const text = readFileSync(fileOfJudge(`conformance-2026-07-28/requirements/${revision}.yaml`), 'utf8')
  return [...text.matchAll(/^ {2}- scenario: (\S+)$/gmu)].map(([, name]) => name!)
}

const README = readFileSync(join(import.meta.dirname, '../../README.md'), 'utf8')

describe('the conformance suite', () => {
  it.each([
    ['0.1.16', ACTIVE, '30 of 30'],
    ['2025-11-25', SESSIONS, '30 of 30'],
    ['2026-07-28', MODERN, '37 of 37'],
  ])('of %s passes what a server has', async (_, run, passed) => {
    const address = await withCredential(await startConformanceWorld())
    expect(await judged(run, 'server', '--url', address)).toEqual({ code: 0, failed: [], passed })
    expect(README.includes(passed)).toBe(true)
  })

  it.each([
    ['0.1.16', CORE, '18 of 18'],
    ['2026-07-28', MODERN, '32 of 32'],
  ])('of %s passes what a client has, with people who consent', async (_, run, passed) => {
    const command = `${process.execPath} ${join(import.meta.dirname, 'conformance/client.js')}`
    const outcome = await judged(run, 'client', '--command', command, '--timeout', '40000')
    expect(outcome).toEqual({ code: 0, failed: [], passed })
    expect(README.includes(passed)).toBe(true)
  })
})
