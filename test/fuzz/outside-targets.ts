/** What answers and browsers send: servers behind, providers, services that a client calls, cookies (threats N16, N18, N20). */
import { isIP } from 'node:net'
import { PassThrough } from 'node:stream'
import { check } from '../../src/compiler/check.js'
import { stream } from '../../src/client/stream.js'
import { retryAfterMs, TransportError } from '../../src/client/transport.js'
import { cookieIn } from '../../src/console/session/cookie.js'
import { pageIn, signInUnderWay } from '../../src/console/sign-in/under-way.js'
import type { Setting } from '../../src/console/setting.js'
import { verifyOidcToken } from '../../src/crypto/jws/oidc-token.js'
import { providerOf } from '../../src/runtime/credentials/oidc/provider.js'
import { targetsBelow } from '../../src/runtime/http/base-path.js'
import type { HttpRequest } from '../../src/runtime/http/exchange.js'
import { clientBehind } from '../../src/runtime/http/forwarded.js'
import { challengedScopes, challengeMember } from '../../src/runtime/net/challenge.js'
import { secondsToWait } from '../../src/runtime/net/retry-after.js'
import { addressIn } from '../../src/runtime/surfaces/mcp/uri-template.js'
import { RpcError, Unreachable } from '../../src/runtime/upstream/mcp/channel.js'
import { lineChannel } from '../../src/runtime/upstream/mcp/lines.js'
import type { Target } from './fuzzing.js'

const withoutValues = (message: string): string => message.replaceAll(/"(?:[^"\\]|\\.)*"|\d+/gu, '').slice(0, 60)

/** The lines of an MCP server after it was asked twice: each question has one end, and no word of the server gets out. */
const mcp = (): Target => ({
  seeds: [
    '{"jsonrpc":"2.0","id":1,"result":{"tools":[]}}\n{"jsonrpc":"2.0","id":2,"error":{"code":-32601,"message":"No"}}\n',
    '{"jsonrpc":"2.0","method":"notifications/tools/list_changed"}\r\n{"jsonrpc":"2.0","id":"a","method":"roots/list"}\n',
  ],
  words: ['"id":1', '"id":2', '"result":', '"error":', '"code":', '"method":', '\n', '\r\n', '__proto__', 'null'],
  parse: async (input) => {
    const [sent, answers] = [new PassThrough(), new PassThrough()]
    sent.resume()
    const notices: string[] = []
    const channel = lineChannel({ input: sent, output: answers, close: () => undefined, release: () => undefined }, (method) => notices.push(method))
    const ended = ['tools/list', 'tools/call'].map((method) =>
      channel.ask(method, {}, AbortSignal.timeout(10_000)).then(
        (result) => Object.keys(result).length.toString(),
        (error: unknown) => {
          if (error instanceof RpcError) return 'error'
          if (error instanceof Unreachable) return withoutValues(error.message)
          throw error
        },
      ),
    )
    answers.end(input)
    return `${(await Promise.all(ended)).join()} ${Math.min(notices.length, 3)}`
  },
}) // prettier-ignore

const ISSUER = 'https://id.example'
const METADATA = `{"issuer":"${ISSUER}","jwks_uri":"${ISSUER}/jwks","id_token_signing_alg_values_supported":["RS256"],"subject_types_supported":["public"]}`
const TOKEN =
  'eyJhbGciOiJSUzI1NiIsImtpZCI6ImEifQ.eyJpc3MiOiJodHRwczovL2lkLmV4YW1wbGUiLCJhdWQiOiJhIiwiZXhwIjoxNTAwfQ.AAAA'

/** The keys that are read of a provider one of whose documents is the input; nothing but its own origin may be asked. */
async function keysWith(document: 'metadata' | 'jwks', input: Buffer) {
  const asked: string[] = []
  const fetch = async (url: string): Promise<Response> => {
    asked.push(url)
    if (new URL(url).origin !== ISSUER) throw new Error(`${url} was asked.`)
    const isKeys = !url.includes('/.well-known/')
    const text = isKeys === (document === 'jwks') ? input : isKeys ? '{"keys":[{"kty":"RSA"}]}' : METADATA
    return new Response(new Uint8Array(Buffer.from(text)), { headers: { 'content-type': 'application/json' } })
  }
  const log = { error: () => undefined, warn: () => undefined } as never
  const provider = providerOf({ issuer: ISSUER, audience: 'a' } as never, { now: () => 0, fetch, log, alarms: { add: () => undefined, clear: () => undefined } as never }) // prettier-ignore
  const keys = await provider.keys()
  return { keys, asked }
}

const metadata = (): Target => ({
  seeds: [METADATA],
  words: ['"jwks_uri":', '"https://id.example/', '"issuer":', '"pairwise"', 'https://evil.example/', '@', '"none"', '__proto__'],
  parse: async (input) => {
    const { keys, asked } = await keysWith('metadata', input)
    return `${keys?.length} ${asked.length}`
  },
}) // prettier-ignore

const jwks = (): Target => ({
  seeds: [
    '{"keys":[{"kty":"RSA","kid":"a","use":"sig","alg":"RS256","n":"sXch","e":"AQAB"},{"kty":"EC","crv":"P-256","x":"AA","y":"AA"}]}',
    '{"keys":[{"kty":"oct","k":"AA","kid":"a"},{"kty":"OKP","crv":"Ed25519","x":"AA"}]}',
  ],
  words: ['"kty":"RSA"', '"kid":"a"', '"use":"enc"', '"alg":"none"', '"n":', '"e":', '"x5c":', '"key_ops":', '__proto__'],
  parse: async (input) => {
    const { keys = [] } = await keysWith('jwks', input)
    const verdict = await verifyOidcToken(TOKEN, { keys, issuer: ISSUER, audience: 'a', now: 1000, toleranceSeconds: 5 })
    if (verdict.ok) throw new Error('A token that nobody signed was taken.')
    return `${keys.length} ${JSON.stringify(verdict)}`
  },
}) // prettier-ignore

const SIGN_IN = Buffer.from(
  '{"state":"s","nonce":"n","verifier":"v","page":"/-/console/approvals","begunAt":1}',
).toString('base64url')

/** What is read of the cookies of a browser: never more than a word, and a page of the console. */
const cookies = (): Target => ({
  seeds: [`__Host-svc-console-session=abc.def; theme=dark,light; __Host-svc-console-sign-in=${SIGN_IN}`, 'a=b;c', ';;=;'],
  words: ['__Host-svc-console-session=', '__Host-svc-console-sign-in=', '; ', ',', '=', '%3b', '"', SIGN_IN],
  parse: (input) => {
    const setting = { origin: () => 'https://svc.example', base: '', service: { now: () => 2 } } as unknown as Setting
    const request = { header: () => input.toString('latin1') } as unknown as HttpRequest
    const values = (['session', 'sign-in'] as const).map((kind) => cookieIn(setting, request, kind))
    if (values.some((value) => value !== undefined && !/^[\w.~-]{1,4000}$/u.test(value))) throw new Error('More than a word.')
    const page = signInUnderWay(setting, request)?.page
    if (page !== undefined && pageIn(page) !== page) throw new Error(`${page} is no page of the console.`)
    return `${values.map((value) => value?.length).join()} ${page}`
  },
}) // prettier-ignore

/** A stream of a service that a client follows: an outcome, or an error of the client. */
const events = (): Target => ({
  seeds: [
    ': hello\n\nevent: progress\ndata: {"invocation_id":"inv-1","timestamp":"t","payload":1}\nid: 4\n\nevent: completed\ndata: {"success":true,"invocation_id":"inv-1","result":{}}\n\n',
    'event: failed\r\ndata: {"success":false,"invocation_id":"inv-1",\r\ndata: "failure":{"type":"a","detail":"b","retry":false}}\r\n\r\n',
  ],
  words: [
    'event: ',
    'data: ',
    'id: ',
    'retry: ',
    '\n\n',
    '\r\n',
    ': ',
    'progress',
    'completed',
    'failed',
    '"invocation_id":"inv-1"',
    '\ufeff',
  ],
  parse: async (input) => {
    const fetch = async () => new Response(new Uint8Array(input), { headers: { 'content-type': 'text/event-stream' } })
    const connection = {
      baseUrl: 'https://svc.example', credential: 'a', fetch, retries: 0, maxAnswerBytes: 100_000, timeoutMs: 10_000, maxStreamBytes: 300_000,
      streamTimeoutMs: 10_000, manifestKeys: [],
    } // prettier-ignore
    const registration = { capability: 'a', effect: 'read', streams: true }
    const followed = stream(connection as never, registration as never, {}, {} as never, (outcome) => outcome)
    let steps = 0
    try {
      for await (const step of followed) steps += typeof step.timestamp === 'string' ? 1 : 0
      return `${Math.min(steps, 3)} ${String((await followed.outcome()).success)}`
    } catch (error) {
      if (error instanceof TransportError) return `${Math.min(steps, 3)} ${withoutValues(error.message)}`
      throw error
    }
  },
})

/** `Retry-After` of whoever answers: a time that can be waited for, or none. */
const retryAfter = (): Target => ({
  seeds: ['120', 'Fri, 31 Dec 2027 23:59:59 GMT', '0', '-1', '1e9', '0x10', '1.5', '99999999999999999999'],
  words: ['GMT', 'Fri, ', '²', 'e308', 'Infinity', 'NaN', '+', ' '],
  parse: (input) => {
    let headers: Headers
    try {
      headers = new Headers({ 'retry-after': input.toString('latin1'), date: 'Fri, 31 Dec 2027 23:59:00 GMT' })
    } catch {
      return 'no header'
    }
    const [ms, seconds] = [retryAfterMs(headers), secondsToWait(headers.get('retry-after'), headers.get('date'), 0)]
    if (ms !== undefined && !(ms >= 0 && Number.isFinite(ms))) throw new Error(`${ms} ms`)
    if (seconds !== undefined && !(Number.isInteger(seconds) && seconds >= 1 && seconds <= 86_400)) throw new Error(`${seconds} s`)
    return `${ms === undefined} ${seconds === undefined}`
  },
}) // prettier-ignore

const HEAD = `manifest_metadata: { version: "0.24.0" }
service_identity: { id: fuzzed }
trust: { level: signed }
capabilities:
  keep:
    description: Keeps what it is given until somebody asks for it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [a.read]
    output: { type: kept, fields: [kept] }
    inputs:
      - name: kept
        type: object
        x-schema: `

/** A JSON Schema of a value, as a manifest has it: findings, or a schema that the compiler takes. */
const schema = (): Target => ({
  seeds: [
    '{"type":"object","properties":{"a":{"type":"string","pattern":"^a{1,3}$"},"b":{"type":"array","items":{"type":"integer","minimum":1},"uniqueItems":true}},"required":["a"],"additionalProperties":false}',
    '{"type":"object","properties":{"c":{"oneOf":[{"const":1},{"enum":["x",null]}]},"d":{"$ref":"#/x-schemas/D"}}}',
  ],
  words: ['"$ref":', '"pattern":', '"oneOf":', '"anyOf":', '"properties":', '"items":', '"minimum":', '"format":', '"__proto__"', '(a+)+$', '{9999}', '1e400', '"type":'],
  parse: (input) => {
    const { diagnostics } = check([{ file: 'svc.yaml', text: HEAD + input.toString() + '\n' }], { now: 0, preset: 'minimal' })
    return [...new Set(diagnostics.map(({ code }) => code))].sort().join()
  },
}) // prettier-ignore

/** `WWW-Authenticate` of a resource: scopes that may be asked for, or none. */
const challenge = (): Target => ({
  seeds: ['Bearer resource_metadata="https://mcp.example/.well-known/oauth-protected-resource", scope="a b"', 'Bearer scope=a, error=x'],
  words: ['Bearer ', 'scope=', 'scope="', 'resource_metadata=', '"', ', ', '=', ' '.repeat(500), 'a'.repeat(300)],
  parse: (input) => {
    const text = input.toString('latin1')
    const scopes = challengedScopes(text)
    if (scopes.some((scope) => /[^\x21\x23-\x5b\x5d-\x7e]/u.test(scope))) throw new Error(`The scope ${JSON.stringify(scopes)}`)
    return `${scopes.length} ${challengeMember(text, 'resource_metadata') === undefined}`
  },
}) // prettier-ignore

/** `X-Forwarded-For` behind trusted proxies: an address, and never one of which a client is the author. */
const forwarded = (): Target => {
  const behind = clientBehind(['10.0.0.0/8', 'fd00::/8'])
  return {
    seeds: ['203.0.113.9', '198.51.100.7, 203.0.113.9, 10.1.2.3', '[2001:db8::1]', '::ffff:203.0.113.9, fd00::1'],
    words: [', ', ',', '10.0.0.1', '[', ']', '%eth0', '::ffff:', ':443', '127.0.0.1'],
    parse: (input) => {
      const text = input.toString('latin1')
      if (behind('198.51.100.1', text) !== '198.51.100.1') throw new Error('The peer is no trusted proxy.')
      const client = behind('10.0.0.1', `${text}, 203.0.113.9`)
      if (text.split(',').length < 32 && client !== '203.0.113.9') throw new Error(`The client is ${client}.`)
      return `${isIP(behind('10.0.0.1', text) ?? '')}`
    },
  }
}

/** Addresses that clients name: of a resource of MCP, and of a mounted service. */
const address = (): Target => {
  const below = targetsBelow('/agents', ['/.well-known/oauth-protected-resource/mcp'])
  return {
    seeds: [
      'shop://orders/a%20b/lines/2',
      '/agents/svc/tokens?x=1',
      '/.well-known/oauth-protected-resource/agents/mcp',
    ],
    words: ['%2f', '%00', '%', '..', '/agents', '//', '?', '#', 'shop://orders/', '/lines/', '%e2%80%a8'],
    parse: (input) => {
      const text = input.toString()
      const [values, target] = [addressIn('shop://orders/{id}/lines/{line}', text), below(text)]
      if ([...(values?.values() ?? [])].some((value) => value.includes('\0'))) throw new Error('A value holds U+0000.')
      if (target !== undefined && !target.startsWith('/')) throw new Error(`The target is ${JSON.stringify(target)}.`)
      return `${values?.size} ${target === undefined}`
    },
  }
}

/** By parser. */
export const outsideTargets = {
  mcp, metadata, jwks, cookies, events, retryAfter, schema, challenge, forwarded, address,
} as const // prettier-ignore
