/**
 * Files of tests share processes (`vitest.config.ts`): what one leaves behind would be met by the next, and by another each time. A file that
 * leaves its folder, an environment, a clock, a stand-in for a global or a listener of the process fails here.
 */
import { afterAll, expect, vi } from 'vitest'

const GLOBALS = ['fetch', 'Date', 'setTimeout', 'setInterval', 'setImmediate', 'queueMicrotask', 'crypto'] as const

export const state = (): Readonly<Record<string, unknown>> => ({
  folder: process.cwd(),
  'exit code': process.exitCode ?? 0,
  ...named('environment', Object.entries(process.env)),
  ...named(
    'global',
    GLOBALS.map((name) => [name, globalThis[name]]),
  ),
  ...named(
    'listeners',
    process.eventNames().map((name) => [String(name), process.listenerCount(name)]),
  ),
})

const named = (kind: string, members: readonly (readonly [string, unknown])[]): object =>
  Object.fromEntries(members.map(([name, value]) => [`${kind} ${name}`, value]))

/** Names what is not as it was. */
export function changedSince(before: Readonly<Record<string, unknown>>): readonly string[] {
  const now = state()
  const names = new Set([...Object.keys(before), ...Object.keys(now)])
  return [...names].filter((name) => before[name] !== now[name])
}

const WHY = 'A file leaves what the next would meet. Put it back in its afterEach or afterAll.'
const before = state()
afterAll(async () => {
  vi.restoreAllMocks() // as vitest does itself after each file
  // What a test has ended ends a moment later: a process, a connection.
  await vi.waitFor(() => expect(changedSince(before), WHY).toEqual([]), { timeout: 10_000, interval: 20 })
})
