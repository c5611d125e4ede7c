/**
 * The conformance suite of MCP (S12, S13): a service behind a credential as its server, and the client of servers
 * behind a service as its client. What fails is what `expected-failures.ts` lists, no more and no less.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { startConformanceWorld } from './conformance-world.js'
import { EXPECTED, type Era } from './conformance/expected-failures.js'
import { fileOfJudge, runJudge, withCredential } from './judge.js'

const STABLE = fileOfJudge('@modelcontextprotocol/conformance/dist/index.js')
const NEXT = fileOfJudge('conformance-2026-07-28/dist/index.js')

interface Run {
  readonly suite: string
  readonly words: readonly string[]
  readonly era: Era
}

const ACTIVE: Run = { suite: STABLE, words: ['--suite', 'active'], era: 'sessions' }
const CORE: Run = { suite: STABLE, words: ['--suite', 'core'], era: 'sessions' }
const SESSIONS: Run = { suite: NEXT, words: ['--requirements', '2025-11-25'], era: 'sessions' }
const MODERN: Run = { suite: NEXT, words: ['--requirements', '2026-07-28'], era: '2026-07-28' }

/** The list of expected failures, as the suite reads it. */
function expectedFailures(era: Era): string {
  const folder = mkdtempSync(join(tmpdir(), 'svc-expected-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  const file = join(folder, 'expected.yml')
  const here = EXPECTED.filter(({ only = era }) => only === era)
  const of = (leg: 'server' | 'client') => here.flatMap((each) => each[leg] ?? [])
  writeFileSync(file, JSON.stringify({ server: of('server'), client: of('client') }))
  return file
}

/** Runs a leg of the suite; returns its code, what differs from the expected failures, and how many scenarios passed. */
async function judged({ suite, words, era }: Run, leg: 'server' | 'client', ...more: readonly string[]) {
  const { code, stdout } = await runJudge(suite, leg, ...words, '--expected-failures', expectedFailures(era), ...more)
  const named = (lines: RegExp) => [...stdout.matchAll(lines)].map(([, name]) => name!)
  const failed = named(/^ {2}~ (\S+)$/gmu)
  const counted = named(/^[✓✗] (\S+): /gmu).filter((name) => !uncountedIn(words).includes(name))
  return {
    code,
    unexpected: named(/^ {2}([✓✗] \S+)$/gmu),
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
    ['0.1.16', ACTIVE, '28 of 30'],
    ['2025-11-25', SESSIONS, '28 of 30'],
    ['2026-07-28', MODERN, '37 of 37'],
  ])('of %s passes what a server has', async (_, run, passed) => {
    const address = await withCredential(await startConformanceWorld())
    expect(await judged(run, 'server', '--url', address)).toEqual({ code: 0, unexpected: [], passed })
    expect(README.includes(passed)).toBe(true)
  })

  it.each([
    ['0.1.16', CORE, '18 of 18'],
    ['2026-07-28', MODERN, '32 of 32'],
  ])('of %s passes what a client has, with people who consent', async (_, run, passed) => {
    const command = `${process.execPath} ${join(import.meta.dirname, 'conformance/client.js')}`
    const outcome = await judged(run, 'client', '--command', command, '--timeout', '40000')
    expect(outcome).toEqual({ code: 0, unexpected: [], passed })
    expect(README.includes(passed)).toBe(true)
  })
})
