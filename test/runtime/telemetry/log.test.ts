import { expect, it } from 'vitest'
import { jsonLog, type LogOptions } from '../../../src/runtime/telemetry/log.js'
import { tracedLog } from '../../../src/runtime/telemetry/traced-log.js'

function written(options: LogOptions, write: (log: ReturnType<typeof jsonLog>) => void): readonly string[] {
  const lines: string[] = []
  write(jsonLog({ ...options, destination: { write: (line) => void lines.push(line) } }))
  return lines
}

const levels = (lines: readonly string[]) => lines.map((line) => (JSON.parse(line) as { msg: string }).msg)

it.each([
  [{}, ['info', 'warn', 'error']],
  [{ level: '' }, ['info', 'warn', 'error']],
  [{ level: 'debug' }, ['debug', 'info', 'warn', 'error']],
  [{ level: 'error' }, ['error']],
  [{ level: 'silent' }, []],
] as const)('with %j it writes %j', (env, expected) => {
  const lines = written(env, (log) => {
    for (const level of ['debug', 'info', 'warn', 'error'] as const) log[level](level)
  })
  expect(levels(lines)).toEqual(expected)
})

it('a level that there is not says which there are', () => {
  expect(() => written({ level: 'loud' }, () => undefined)).toThrow(
    'LOG_LEVEL is "loud". It takes debug, info, warn, error, silent.',
  )
})

it('leaves out what is secret by its name, also one level down', () => {
  const fields = { capability: 'search', token: 'CANARY', given: { password: 'CANARY', name: 'ana' } }
  const [line = ''] = written({}, (log) => log.info('asked', fields))
  expect(JSON.parse(line)).toMatchObject({ capability: 'search', given: { name: 'ana' } })
  expect(line).not.toContain('CANARY')
})

it.each(['authorization', 'token', 'bearer', 'credential', 'api_key', 'password', 'secret', 'parameters'])(
  'leaves %s out, beside its like and below a name',
  (name) => {
    const fields = { kept: 1, [name]: 'CANARY', below: { kept: 2, [name]: { whole: 'CANARY' } } }
    for (const level of ['debug', 'info', 'warn', 'error'] as const) {
      const [line = ''] = written({ level: 'debug' }, (log) => log[level]('asked', fields))
      expect(JSON.parse(line)).toMatchObject({ kept: 1, below: { kept: 2 } })
      expect(line).not.toMatch(new RegExp(`CANARY|${name}`, 'u'))
    }
  },
)

it('names the trace of a call in each of its lines, whatever its handler says there', () => {
  const traceparent = '00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01'
  const lines = written({ level: 'debug' }, (log) => {
    const traced = tracedLog(log, { traceparent })
    for (const level of ['debug', 'info', 'warn', 'error'] as const) traced[level](level, { trace_id: 'mine', a: 1 })
  })
  const trace = { trace_id: '4bf92f3577b34da6a3ce929d0e0e4736', span_id: '00f067aa0ba902b7', a: 1 }
  expect(lines.map((line) => JSON.parse(line) as object)).toMatchObject([trace, trace, trace, trace])
})

it('is the same log where there is no trace', () => {
  const log = jsonLog({ destination: { write: () => undefined } })
  expect(tracedLog(log, undefined)).toBe(log)
})

it('has a line for each call where somebody watches, and else none', () => {
  const ended = { capability: 'search', invocation_id: 'inv-0123456789ab', ms: 2.7 }
  const write = (log: ReturnType<typeof jsonLog>) => {
    log.call?.(ended)
    log.call?.({ ...ended, failure_type: 'scope_insufficient' })
  }
  expect(written({}, write)).toEqual([])
  expect(written({ calls: true }, write)).toEqual([
    'search ok 3 ms inv-0123456789ab\n',
    'search scope_insufficient 3 ms inv-0123456789ab\n',
  ])
})

it('is written for people where somebody watches, without what steers their terminal', () => {
  const write = (log: ReturnType<typeof jsonLog>) => {
    log.info('The service is listening.', { url: 'http://127.0.0.1:4100' })
    log.warn('It said "no".', { count: 2, why: 'two\u001b[2J words' })
    log.error('The wire\u001b[2J broke.')
    log.error('\u009b2J', { error: '\u202ea\u2028\u{e0041}\u007f' })
  }
  expect(written({ calls: true }, write)).toEqual([
    'The service is listening.  url=http://127.0.0.1:4100\n',
    'warning: It said "no".  count=2  why="two\\u001b[2J words"\n',
    'error: The wire\\u001b[2J broke.\n',
    'error: \\u009b2J  error="\\u202ea\\u2028\\udb40\\udc41\\u007f"\n',
  ])
})
