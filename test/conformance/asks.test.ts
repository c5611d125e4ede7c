/** What the suite asks of a service, request by request: no case is easier to pass than it says. */
import { afterAll, beforeAll, expect, it, vi } from 'vitest'
import { CASES, judge } from '../../src/cli/conformance/run.js'
import { connectToService, type ServiceUnderTest } from '../../src/conformance/target.js'
import type { Running } from '../../src/runtime/node.js'
import { CREDENTIALS, startService } from './service.js'

let running: Running
let target: ServiceUnderTest

beforeAll(async () => {
  running = await startService()
  target = await connectToService(running.url, CREDENTIALS)
  // What is found out once for all cases.
  await judge(target, [])
})
afterAll(() => running.close())

/** Ids, keys, times and tokens differ from run to run; what is long says how long it is. */
const stable = (text: string): string =>
  text
    .replaceAll(/eyJ[\w-]+\.[\w-]{20,}\.[\w-]{86}/gu, '<token>')
    .replaceAll(/eyJ[\w-]*\.[\w-]*\.[\w-]*/gu, '<another token>')
    .replaceAll(/\b(apr|grt|ckp|tok|bnd)_[\w-]{20,}/gu, '<$1>')
    .replaceAll(/\binv-(?!0{12}|0123456789a)[0-9a-f]{12}\b/gu, '<inv>')
    .replaceAll(/[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}/gu, '<uuid>')
    .replaceAll(/(since|until)=20(?!20)[^&"]+/gu, '$1=<time>')
    .replaceAll(/cursor=(?!abc)[^&"]+/gu, 'cursor=<cursor>')
    .replaceAll(/if-none-match: "[0-9a-f]{64}(?:-gzip)?"/gu, 'if-none-match: <etag>')
    .replaceAll(/access_token=[^&"]+/gu, 'access_token=<token>')
    .replaceAll(/(🎈|.)\1{39,}/gu, (run, each: string) => `${each}×${run.length / each.length}`)

const headersOf = (init: RequestInit | undefined): string =>
  Object.entries((init?.headers ?? {}) as { readonly [name: string]: string })
    .filter(([name, value]) => name !== 'content-type' || value !== 'application/json')
    .map(([name, value]) => ` ${name}: ${value}`)
    .join('')

/** The requests of a case; a question that is asked until its answer comes stands there once. */
async function askedBy(each: (typeof CASES)[number]): Promise<readonly string[]> {
  const lines: string[] = []
  const own = globalThis.fetch
  vi.stubGlobal('fetch', (async (input, init) => {
    const body = typeof init?.body === 'string' ? ` ${init.body}` : ''
    const line = `  ${stable(`${init?.method ?? 'GET'} ${String(input).slice(running.url.length)}${headersOf(init)}${body}`)}`
    if (lines.at(-1) !== line || !line.includes('/svc/checkpoints')) lines.push(line)
    return own(input, init)
  }) satisfies typeof fetch)
  const [verdict] = await judge(target, [each])
  vi.unstubAllGlobals()
  expect([each.title, verdict?.result]).toEqual([each.title, 'passed'])
  return lines
}

it('asks what its cases say', async () => {
  const lines: string[] = []
  for (const each of CASES) lines.push(`[${each.section}] ${each.title}`, ...(await askedBy(each)))
  await expect(`${lines.join('\n')}\n`).toMatchFileSnapshot('asks.txt')
}, 120_000)
