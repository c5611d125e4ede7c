import { isDeepStrictEqual } from 'node:util'
import { type ConformanceCase } from '../../src/conformance/case.js'
import { NotApplicable, NotTried } from '../../src/conformance/outcomes.js'
import type { ServiceUnderTest } from '../../src/conformance/target.js'

interface Recorded {
  readonly request: string
  readonly status: number
  readonly headers: readonly (readonly [string, string])[]
  readonly text: string
}
interface Alteration {
  /** What is altered, and how. */
  readonly at: string
  readonly way: string
  readonly reply: Recorded
}

/** Ids and times differ from run to run. */
const requestOf = (url: string, method: string): string =>
  `${method} ${new URL(url).pathname}${new URL(url).search}`
    .replaceAll(/\b(?:apr|grt|ckp|tok)_[\w-]{12,}/gu, '*')
    .replaceAll(/\binv-[0-9a-f]{12}\b/gu, '*')
    .replaceAll(/(since=)20(?!20)[^&]+/gu, '$1*')
    .replaceAll(/(access_token=)[^&]+|(cursor=)(?!abc)[^&]+/gu, '$1$2*')

/** However long the service has run: a full list would be one that is altered by one more. */
function fewOf(request: string, text: string): string {
  if (request !== 'GET /svc/checkpoints' || !text.startsWith('{"checkpoints"')) return text
  const list = JSON.parse(text) as { readonly checkpoints: readonly unknown[] }
  return JSON.stringify({ ...list, checkpoints: list.checkpoints.slice(0, 5) })
}

const POLL = 'GET /svc/checkpoints?limit=1'

/** Runs a case, and gives what it was answered, whatever order the answers came in. */
export async function recordedBy(target: ServiceUnderTest, { run }: ConformanceCase): Promise<readonly Recorded[]> {
  await unusedConnectionsEnd()
  const own = globalThis.fetch
  const replies: Recorded[] = []
  globalThis.fetch = async (input, init) => {
    const response = await own(input, init)
    const request = requestOf(String(input), init?.method ?? 'GET')
    const text = fewOf(request, await response.clone().text())
    const isPoll = request === POLL && replies.at(-1)?.request === POLL
    if (isPoll) replies.pop()
    replies.push({ request, status: response.status, headers: [...response.headers], text })
    return request === 'GET /svc/checkpoints'
      ? new Response(text, { status: response.status, headers: response.headers })
      : response
  }
  await run({ ...target }).finally(() => (globalThis.fetch = own))
  return replies
}

/**
 * Lets connections close that a replay left unused for too long: it holds the event loop, so the service could not
 * close them, and the next request would be sent on one that is about to end.
 */
const unusedConnectionsEnd = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 50))

/** Whether a case finds something wrong with such answers. It may ask for no more than was recorded. */
async function deviates(target: ServiceUnderTest, { run }: ConformanceCase, replies: readonly Recorded[]) {
  const own = globalThis.fetch
  const left = [...replies]
  globalThis.fetch = async (input, init) => {
    const request = requestOf(String(input), init?.method ?? 'GET')
    const at = left.findIndex((each) => each.request === request)
    if (at === -1) throw new Error(`nothing was recorded of ${request}`)
    const [{ status, headers, text }] = left.splice(at, 1) as [Recorded]
    const response = new Response(status === 304 || init?.method === 'HEAD' ? null : text, { status, headers: headers as [string, string][] })
    return response
  }
  return run({ ...target })
    .then(
      () => false,
      (error: unknown) => !(error instanceof NotApplicable || error instanceof NotTried),
    )
    .finally(() => (globalThis.fetch = own))
} // prettier-ignore

/** What of its answers a case looks at: those that it does not pass with when they are altered. */
export async function lookedAt(target: ServiceUnderTest, tested: ConformanceCase): Promise<readonly string[]> {
  const replies = await recordedBy(target, tested)
  if (await deviates(target, tested, replies)) throw new Error(`${tested.title}: the answers cannot be given again`)
  const found = new Map<string, Set<string>>()
  for (const [index, reply] of replies.entries())
    for (const { at, way, reply: altered } of alterationsOf(reply))
      if (!isDeepStrictEqual(altered, reply) && (await deviates(target, tested, replies.with(index, altered)))) {
        const name = `${reply.request} ${reply.status} ${at.replace(/(x-keys)\.[\w-]{43}/u, '$1.*')}`
        found.set(name, (found.get(name) ?? new Set()).add(way))
      }
  const lines = [...found].map(([name, ways]) => `${name}: ${[...ways].join(', ')}`)
  return failuresInBrief(lines).sort()
}

/** What nearly every refusal is held to, in one line. */
function failuresInBrief(lines: readonly string[]): string[] {
  const about = (request: string) => [
    `${request} status: other`,
    `${request} body.success: gone, other, kind`,
    `${request} body.failure: gone`,
    ...['type', 'retry', 'resolution.action', 'resolution.recovery_class'].map((each) => `${request} body.failure.${each}: gone, other, kind`),
    `${request} body.failure.detail: gone, kind`,
  ]
  const requests = new Set(lines.map((line) => /^(\S+ .+ \d{3}) /u.exec(line)?.[1] ?? ''))
  const whole = [...requests].filter((request) => about(request).every((each) => lines.includes(each)))
  const hidden = new Set(whole.flatMap(about))
  return [...lines.filter((line) => !hidden.has(line)), ...whole.map((request) => `${request} as a failure of its type`)]
} // prettier-ignore

/** What of the documents of a service a case looks at; capabilities have no names there. */
export async function lookedAtInDocuments(target: ServiceUnderTest, tested: ConformanceCase): Promise<readonly string[]> {
  const replies = await recordedBy(target, tested)
  const found = new Map<string, Set<string>>()
  for (const document of ['discovery', 'manifest'] as const)
    for (const { at, way, value } of alteredOnce(target[document], document))
      if (await deviates({ ...target, [document]: value as never }, tested, replies)) {
        const name = at.replace(/\.capabilities\.[^.]+/u, '.capabilities.*').replace(/(input|output)_mapping.+$/u, '$1_mapping.*')
        found.set(name, (found.get(name) ?? new Set()).add(way))
      }
  return [...found].map(([name, ways]) => `${name}: ${[...ways].sort().join(', ')}`).sort()
} // prettier-ignore

const EXTRA = ['access-control-allow-origin', 'x-powered-by', 'x-evil']
const HEADERS = ['content-type', 'cache-control', 'etag', 'allow', 'x-content-type-options', 'www-authenticate', 'x-svc-signature', 'idempotency-replayed'] // prettier-ignore

function* alterationsOf(reply: Recorded): Generator<Alteration> {
  yield { at: 'status', way: 'other', reply: { ...reply, status: reply.status === 299 ? 200 : 299 } }
  for (const name of EXTRA) yield { at: name, way: 'there', reply: { ...reply, headers: [...reply.headers, [name, 'x']] } }
  for (const name of HEADERS.filter((each) => reply.headers.some(([given]) => given === each))) {
    const others = reply.headers.filter(([given]) => given !== name)
    yield { at: name, way: 'gone', reply: { ...reply, headers: others } }
    yield { at: name, way: 'other', reply: { ...reply, headers: [...others, [name, 'x']] } }
  }
  if (!/^[[{]/u.test(reply.text)) return yield { at: 'text', way: 'other', reply: { ...reply, text: '{"a":1}' } }
  const body: unknown = JSON.parse(reply.text)
  for (const { at, way, value } of alteredOnce(body)) yield { at, way, reply: { ...reply, text: JSON.stringify(value) } }
} // prettier-ignore

interface Altered {
  readonly at: string
  readonly way: string
  readonly value: unknown
}

/** A value with one thing in it altered, at each place that has a name of its own. */
export function* alteredOnce(value: unknown, at = 'body'): Generator<Altered> {
  if (Array.isArray(value)) {
    yield { at, way: 'repeated', value: [...value, ...value.slice(0, 1)] }
    yield { at, way: 'reversed', value: value.toReversed() }
    yield { at, way: 'empty', value: [] }
    for (const each of alteredOnce(value[0], `${at}[]`)) if (value.length > 0) yield { ...each, value: [each.value, ...value.slice(1)] }
  } else if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value)
    yield { at, way: 'more', value: { ...value, surprise: 1 } }
    for (const [name, member] of members) {
      const { [name]: _, ...others } = value as { readonly [name: string]: unknown }
      yield { at: `${at}.${name}`, way: 'gone', value: others }
      for (const each of alteredOnce(member, `${at}.${name}`)) yield { ...each, value: { ...value, [name]: each.value } }
    }
  } else {
    yield { at, way: 'other', value: otherThan(value) }
    yield { at, way: 'kind', value: typeof value === 'object' ? 1 : null }
  }
} // prettier-ignore

const otherThan = (value: unknown): unknown =>
  typeof value === 'string' ? `${value}~` : typeof value === 'number' ? value + 1 : !value
