import { parsedAddress } from '../../protocol/address.js'
import type { UpstreamContext, UpstreamInput } from './context.js'
import { outputOfAnswer, endUnanswered } from './http-answer.js'
import { addQuery, givenTo, headersOf, mayBeHeader, pathText } from './http-request.js'
import type { HttpOperation } from './operation.js'
import { READS } from './context.js'
import { requestBodyOf } from './request-body.js'
import { addressBelow, filledPath } from './safe-path.js'
import { percentEncoded } from './serialized.js'

export interface HttpSettings {
  /** The address below which all paths are; https unless it is a loopback address. */
  readonly url: string
  /** The credential of this service. It goes to that address only. */
  readonly credential?: HttpCredential
  /** 20 s by default. */
  readonly timeoutMs?: number
  /** Of an answer; 8 MiB by default. */
  readonly mostBytes?: number
}

export interface HttpCredential {
  readonly in: 'header' | 'query'
  /** Of the header or of the parameter. */
  readonly name: string
  /** Before the value. `Basic` takes `user:password`, and encodes it. */
  readonly scheme?: string
  /** Without a value nothing is sent. */
  readonly value: string | undefined
}

/** A service behind this one, reached over HTTP. */
export interface HttpUpstream {
  /** Makes one call. What it gives is the output of the capability; what it refuses ends the invocation. */
  readonly call: <Output>(operation: HttpOperation, input: object, context: UpstreamContext) => Promise<Output>
}

/** The settings are read at the first call, when the environment is there. */
export function httpUpstream(name: string, settings: () => HttpSettings): HttpUpstream {
  let read: Required<Omit<HttpSettings, 'credential' | 'url'>> & { base: URL; credential: HttpCredential | undefined }
  const setUp = () => (read ??= checked(name, settings()))
  return {
    call: async <Output>(operation: HttpOperation, input: object, context: UpstreamContext) => {
      const { base, credential, timeoutMs, mostBytes } = setUp()
      const request = requestOf(base, credential, operation, input as UpstreamInput, context)
      const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)])
      const response = await fetch(request, { redirect: 'manual', signal }).catch((error: unknown) =>
        endUnanswered(operation, context, `${name} did not answer.`, neverSent(error)),
      )
      return (await outputOfAnswer(name, operation, response, mostBytes, context)) as Output
    },
  }
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

function checked(name: string, { url, credential, timeoutMs = 20_000, mostBytes = 8 * 1024 * 1024 }: HttpSettings) {
  const base = parsedAddress(url)
  const isSafe = base?.protocol === 'https:' || (base?.protocol === 'http:' && LOOPBACK.test(base.hostname))
  if (base === undefined || !isSafe || base.search !== '' || base.hash !== '' || base.username !== '')
    throw new Error(`The address of ${name} must be https, or a loopback address, without a query or a credential.`)
  return { base, credential, timeoutMs, mostBytes }
}

function requestOf(
  base: URL,
  credential: HttpCredential | undefined,
  operation: HttpOperation,
  input: UpstreamInput,
  context: UpstreamContext,
): Request {
  const given = givenTo(operation, input)
  const slashes = context.upstream?.slashes ?? []
  const filled = filledPath(operation.path, (name) => {
    const value = given.find((each) => each.in === 'path' && each.name === name)
    return value && pathText(value, slashes)
  })
  if (filled.unsafe !== undefined) return context.fail('unsafe_parameter', leadsElsewhere(filled.unsafe))
  const url = addressBelow(base, filled.path)
  addQuery(url, given)
  const headers = headersOf(given)
  if (headers === undefined) return context.fail('unsafe_parameter', 'A header holds a character that none may have.')
  headers.set('Accept', operation.accept ?? 'application/json')
  headers.set('User-Agent', 'svc-kit')
  if (!READS.has(operation.method)) headers.set('Idempotency-Key', context.idempotencyKey())
  if (context.trace !== undefined) headers.set('traceparent', context.trace.traceparent)
  if (context.trace?.tracestate !== undefined) headers.set('tracestate', context.trace.tracestate)
  const body = requestBodyOf(operation, given)
  if (typeof body === 'string') return context.fail('unsafe_parameter', `\`${body}\` must be bytes in base64.`)
  if (body !== undefined) headers.set('Content-Type', body.type)
  addCredential(url, headers, credential)
  return new Request(url, { method: operation.method, headers, ...(body && { body: body.content }) })
}

const leadsElsewhere = (name: string): string =>
  `\`${name}\` is part of a path. It may hold no slash, no dot segment, and nothing that decodes to one.`

/** Last, so that no input stands in its place. */
function addCredential(url: URL, headers: Headers, credential: HttpCredential | undefined): void {
  if (credential?.value === undefined || credential.value === '') return
  const { name, scheme, value } = credential
  if (credential.in === 'query') return setQuery(url, name, value)
  if (!mayBeHeader(name) && name.toLowerCase() !== 'authorization')
    throw new Error(`A credential cannot be the header ${name}.`)
  const sent = scheme === 'Basic' ? Buffer.from(value).toString('base64') : value
  headers.set(name, scheme === undefined ? sent : `${scheme} ${sent}`)
}

/** No parameter that an input has written stays beside it. */
function setQuery(url: URL, name: string, value: string): void {
  const others = url.search
    .slice(1)
    .split('&')
    .filter((part) => part !== '' && [...new URLSearchParams(part).keys()][0] !== name)
  url.search = [...others, `${percentEncoded(name)}=${percentEncoded(value)}`].join('&')
}

/** Errors before a connection stands: the request cannot have been read. */
const NEVER_SENT = ['ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH', 'ENETUNREACH', 'UND_ERR_CONNECT_TIMEOUT']

const neverSent = (error: unknown): boolean => {
  const { code, cause } = error as { readonly code?: string; readonly cause?: unknown }
  return (code !== undefined && NEVER_SENT.includes(code)) || (cause !== undefined && neverSent(cause))
}
