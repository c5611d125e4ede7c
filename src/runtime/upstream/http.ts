import { outwardFetch } from '../net/outward-fetch.js'
import { neverSent } from '../net/never-sent.js'
import { parsedAddress } from '../../protocol/address.js'
import type { UpstreamContext, UpstreamInput } from './context.js'
import { outputOfAnswer, endUnanswered } from './http-answer.js'
import { addCredential, connectionIn, credentialsOf, type CredentialSettings } from './credentials.js'
import { addQuery, givenTo, headersOf, pathText } from './http-request.js'
import type { HttpOperation } from './operation.js'
import { READS } from './context.js'
import { asPerson, type PersonalAnswer } from './as-person.js'
import { declareConnection } from '../connections/settings.js'
import type { UpstreamAccount } from '../definition.js'
import { FailedByHandler } from '../errors/refusal.js'
import { requestBodyOf, type RequestBody } from './request-body.js'
import { addressBelow, filledPath } from './safe-path.js'

/** Credentials go to the address only. */
export interface HttpSettings extends CredentialSettings {
  /** The address below which all paths are; https unless it is a loopback address. */
  readonly url: string
  /** 20 s by default. */
  readonly timeoutMs?: number
  /** Of an answer; 8 MiB by default. */
  readonly mostBytes?: number
}

/** A service behind this one, reached over HTTP. */
export interface HttpUpstream {
  /** Makes one call. What it gives is the output of the capability; what it refuses ends the invocation. */
  readonly call: <Output>(operation: HttpOperation, input: object, context: UpstreamContext) => Promise<Output>
}

/** The settings are read at the first call, when the environment is there. */
export function httpUpstream(name: string, settings: () => HttpSettings): HttpUpstream {
  declareConnection(name, () => connectionIn(settings()))
  let read: ReturnType<typeof checked> | undefined
  const setUp = () => (read ??= checked(name, settings()))
  const sent = async (
    { operation, input, context }: HttpCall,
    account: UpstreamAccount | undefined,
  ): Promise<PersonalAnswer> => {
    const { base, credentials, timeoutMs } = setUp()
    const { url, headers, body } = requestOf(base, operation, input, context)
    const proofs = await credentials.sentWith(operation.security, account).catch((error: unknown) => {
      if (error instanceof FailedByHandler) throw error
      context.log?.warn(`${name} has no token: its authorization server gave none.`, { error: String(error) })
      return context.fail('upstream_unavailable', `${name} could not be called: this service got no token for it.`)
    })
    for (const each of proofs) addCredential(url, headers, each)
    const request = new Request(url, { method: operation.method, headers, ...(body && { body: body.content }) })
    const signal = AbortSignal.any([context.signal, AbortSignal.timeout(timeoutMs)])
    const response = await outwardFetch(request, { redirect: 'manual', signal }).catch((error: unknown) =>
      endUnanswered(operation, context, `${name} did not answer.`, neverSent(error)),
    )
    if (response.status === 401) credentials.forget()
    return { response, personal: proofs.find(({ isPersonal }) => isPersonal)?.value }
  }
  return {
    call: async <Output>(operation: HttpOperation, input: object, context: UpstreamContext) => {
      const account = context.account?.(name)
      const call = { operation, input: input as UpstreamInput, context }
      const response = await asPerson(account, () => sent(call, account))
      return (await outputOfAnswer(name, operation, response, setUp().mostBytes, context)) as Output
    },
  }
}

interface HttpCall {
  readonly operation: HttpOperation
  readonly input: UpstreamInput
  readonly context: UpstreamContext
}

const LOOPBACK = /^(?:localhost|127\.\d{1,3}\.\d{1,3}\.\d{1,3}|\[::1\])$/u

function checked(name: string, settings: HttpSettings) {
  const { url, timeoutMs = 20_000, mostBytes = 8 * 1024 * 1024 } = settings
  const base = parsedAddress(url)
  const isSafe = base?.protocol === 'https:' || (base?.protocol === 'http:' && LOOPBACK.test(base.hostname))
  if (base === undefined || !isSafe || base.search !== '' || base.hash !== '' || base.username !== '')
    throw new Error(`The address of ${name} must be https, or a loopback address, without a query or a credential.`)
  return { base, credentials: credentialsOf(settings), timeoutMs, mostBytes }
}

interface Unsigned {
  readonly url: URL
  readonly headers: Headers
  readonly body: RequestBody | undefined
}

/** A request without its credentials, which are added last. */
function requestOf(base: URL, operation: HttpOperation, input: UpstreamInput, context: UpstreamContext): Unsigned {
  const given = givenTo(operation, input)
  const slashes = context.upstream?.slashes ?? []
  const filled = filledPath(operation.path, (name) => {
    const value = given.find((each) => each.in === 'path' && each.name === name)
    return value && pathText(value, slashes)
  })
  if (filled.unsafe !== undefined) return context.fail('unsafe_parameter', leadsElsewhere(filled.unsafe))
  const url = addressBelow(base, filled.path)
  addQuery(url, given, operation.query)
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
  return { url, headers, body }
}

const leadsElsewhere = (name: string): string =>
  `\`${name}\` is part of a path. It may hold no slash, no dot segment, and nothing that decodes to one.`
