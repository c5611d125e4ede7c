import { afterEach, expect, it, vi } from 'vitest'
import { jsonLog } from '../../../src/runtime/telemetry/log.js'

afterEach(() => vi.unstubAllEnvs())

function written(
  env: { readonly [name: string]: string },
  write: (log: ReturnType<typeof jsonLog>) => void,
): readonly string[] {
  for (const [name, value] of Object.entries(env)) vi.stubEnv(name, value)
  const lines: string[] = []
  write(jsonLog({ write: (line) => void lines.push(line) }))
  return lines
}

const levels = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { msg: string }).msg)

it.each([
  [{}, ['info', 'warn', 'error']],
  [{ LOG_LEVEL: '' }, ['info', 'warn', 'error']],
  [{ LOG_LEVEL: 'debug' }, ['debug', 'info', 'warn', 'error']],
  [{ LOG_LEVEL: 'error' }, ['error']],
  [{ LOG_LEVEL: 'silent' }, []],
] as const)('with %j it writes %j', (env, expected) => {
  const lines = written(env as never, (log) => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level)
  })
  expect(levels(lines)).toEqual(expected)
})

it('a level that there is not says which there are', () => {
  expect(() => written({ LOG_LEVEL: 'loud' }, () => undefined)).toThrow(
    'LOG_LEVEL is "loud". It takes debug, info, warn, error, silent.',
  )
})

it('has a line for each call where somebody watches, and else none', () => {
  const ended = { capability: 'search', invocation_id: 'inv-0123456789ab', ms: 2.7 }
  const write = (log: ReturnType<typeof jsonLog>) => {
    log.call?.(ended)
    log.call?.({ ...ended, failure_type: 'scope_insufficient' })
  }
  expect(written({}, write)).toEqual([])
  expect(written({ SVC_CALL_LINES: '1' }, write)).toEqual([
    'search ok 3 ms inv-0123456789ab\n',
    'search scope_insufficient 3 ms inv-0123456789ab\n',
  ])
})
