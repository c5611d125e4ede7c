/** When the bridge asks again, and what it says in the end. */
import { afterEach, expect, it, vi } from 'vitest'
import { exchange } from '../../src/cli/mcp/bridge/exchange.js'

const { waits } = vi.hoisted(() => ({ waits: [] as number[] }))
vi.mock('node:timers/promises', () => ({ setTimeout: async (ms: number) => void waits.push(ms) }))

afterEach(() => {
  vi.unstubAllGlobals()
  waits.length = 0
})

const MESSAGE = { jsonrpc: '2.0', id: 1, method: 'tools/list' } as const
async function said(answer: () => Response): Promise<readonly unknown[]> {
  vi.stubGlobal('fetch', async () => answer())
  const lines: unknown[] = []
  const tokens = { bearer: async () => 'tok', refused: () => undefined }
  const upstream = { address: 'https://svc.example/mcp', tokens, agreed: undefined }
  await exchange(upstream, MESSAGE, async (line) => void lines.push(line), new AbortController().signal)
  return lines
}

it.each<[string | undefined, readonly number[]]>([
  ['3', [3000, 3000, 3000, 3000]],
  ['60', [10_000, 10_000, 10_000, 10_000]],
  ['-5', [0, 0, 0, 0]],
  ['soon', [500, 1000, 2000, 4000]],
  [undefined, [500, 1000, 2000, 4000]],
])('after Retry-After %s waits %j', async (after, expected) => {
  await said(() => new Response('', { status: 503, ...(after !== undefined && { headers: { 'retry-after': after } }) }))
  expect(waits).toEqual(expected)
})

it.each<[string, unknown, string]>([
  ['a cause with a code', Object.assign(new Error('a'), { code: 'ECONNREFUSED' }), ': ECONNREFUSED'],
  ['a cause of its cause', new Error('a', { cause: Object.assign(new Error('b'), { code: 'ENOTFOUND' }) }), ': ENOTFOUND'],
  ['no code', new Error('a'), ''],
  ['no cause', undefined, ''],
])('says what keeps it from the service, with %s', async (_, cause, reason) => {
  const answers = await said(() => {
    throw new TypeError('fetch failed', { cause })
  })
  expect(answers).toEqual([{ jsonrpc: '2.0', id: 1, error: { code: -32_000, message: `https://svc.example/mcp cannot be reached${reason}. Start the service, or give its address.` } }])
}) // prettier-ignore
