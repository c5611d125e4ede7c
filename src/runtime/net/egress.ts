/** The way out through a proxy, where the environment names one (HTTPS_PROXY, NO_PROXY): a tunnel for each connection. */
import { request as httpRequest, type ClientRequest } from 'node:http'
import { request as httpsRequest, type Agent, type RequestOptions } from 'node:https'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { connect as tlsConnect, type ConnectionOptions } from 'node:tls'
import { parsedAddress } from '../../protocol/address.js'
import { isLoopback } from './loopback.js'
import { onUnanswered } from './unanswered.js'

/** Names of the environment, in the spelling of either tradition. */
export type EgressEnvironment = {
  readonly [name in 'HTTPS_PROXY' | 'https_proxy' | 'NO_PROXY' | 'no_proxy']?: string | undefined
}

interface Egress {
  readonly proxy: URL
  /** Hosts that are reached directly: names with all below them, or `*`; each perhaps with a port. */
  readonly direct: readonly string[]
}

let egress: Egress | undefined

/**
 * Sends what leaves this process from now on through the proxy of an environment; directly, if it names none. Returns
 * the problem of its address, which may hold a password and is not repeated.
 */
export function useEgressProxy(environment: EgressEnvironment): string | undefined {
  const address = environment.https_proxy || environment.HTTPS_PROXY || ''
  const proxy = address === '' ? undefined : proxyAt(address)
  if (proxy === undefined && address !== '') return NO_PROXY_ADDRESS
  const direct = (environment.no_proxy ?? environment.NO_PROXY ?? '').toLowerCase().split(/[\s,]+/u)
  egress = proxy && { proxy, direct: direct.filter((each) => each !== '') }
  return undefined
}

const NO_PROXY_ADDRESS = 'HTTPS_PROXY must be the http or https address of a proxy, as http://proxy.internal:3128.'

function proxyAt(address: string): URL | undefined {
  const proxy = parsedAddress(address.includes('://') ? address : `http://${address}`)
  return proxy?.protocol === 'http:' || proxy?.protocol === 'https:' ? proxy : undefined
}

/** The host of the proxy, for the log. */
export const egressHost = (): string | undefined => egress?.proxy.host

/** Returns the proxy for a host; undefined for what is reached directly, as this machine always is. */
function proxyFor(host: string, port: string): URL | undefined {
  if (egress === undefined || isLoopback(`https://${host.includes(':') ? `[${host}]` : host}`)) return undefined
  const isDirect = egress.direct.some((each) => covers(each, host.toLowerCase(), port))
  return isDirect ? undefined : egress.proxy
}

/** Checks whether an address is reached through the proxy. */
export const leavesByProxy = ({ protocol, hostname, port }: URL): boolean =>
  protocol === 'https:' && proxyFor(hostname.replaceAll(/^\[|\]$/gu, ''), port === '' ? '443' : port) !== undefined

function covers(entry: string, host: string, port: string): boolean {
  const [, name = entry, only] = /^\[?(.+?)\]?:(\d+)$/u.exec(entry) ?? []
  if (only !== undefined && only !== port) return false
  const bare = name.replace(/^\*?\./u, '')
  return entry === '*' || host === bare || host.endsWith(`.${bare}`)
}

type Done = (error: Error | null, connection?: Duplex) => void
type Connecting = RequestOptions & ConnectionOptions

/** Returns an agent whose connections go through the proxy of the environment, where there is one for their host. */
export function throughEgress(agent: Agent): Agent {
  const direct = agent.createConnection.bind(agent) as (options: object, done: Done) => Duplex | undefined
  const createConnection = (options: Connecting, done: Done): Duplex | undefined => {
    const proxy = proxyFor(options.host ?? '', String(options.port ?? 443))
    if (proxy === undefined) return direct(options, done)
    judge(options, (error) => (error === null ? tunnel(proxy, options, done) : done(error)))
    return undefined
  }
  return Object.assign(agent, { createConnection })
}

/** Codes of a name that is not known here: behind a proxy often no outer name is. */
const UNKNOWN = ['ENOTFOUND', 'EAI_AGAIN', 'ENODATA']

/** Judges what a name means here. The proxy resolves it again, and is the operator's to bound. */
function judge({ lookup, host = '' }: Connecting, then: (error: Error | null) => void): void {
  if (lookup === undefined) return then(null)
  lookup(host, { all: true }, (error) => then(error !== null && !UNKNOWN.includes(error.code ?? '') ? error : null))
}

const TUNNEL_WITHIN_MS = 10_000

function tunnel(proxy: URL, options: Connecting, done: Done): void {
  const { host = '', port = 443 } = options
  const authority = `${host.includes(':') ? `[${host}]` : host}:${port}`
  const asked = connectTo(proxy, authority)
  let isOpen = false
  asked.setTimeout(TUNNEL_WITHIN_MS, () => asked.destroy(proxyError('PROXY_TIMEOUT')))
  onUnanswered(asked, (error) => isOpen || done(error))
  asked.on('connect', ({ statusCode }, socket: Socket) => {
    socket.setTimeout(0)
    isOpen = true
    if (statusCode === 200) return done(null, tlsConnect({ ...options, socket }))
    socket.destroy()
    done(proxyError(`PROXY_${statusCode}`))
  })
  asked.end()
}

function connectTo({ protocol, hostname, port, username, password }: URL, authority: string): ClientRequest {
  const isSecure = protocol === 'https:'
  const credential = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`
  const headers = {
    host: authority,
    ...(username !== '' && { 'proxy-authorization': `Basic ${Buffer.from(credential).toString('base64')}` }),
  }
  const at = { host: hostname.replaceAll(/^\[|\]$/gu, ''), port: port === '' ? (isSecure ? 443 : 80) : Number(port) }
  return (isSecure ? httpsRequest : httpRequest)({ ...at, method: 'CONNECT', path: authority, headers, agent: false })
}

/** Codes of a tunnel that was not opened begin with `PROXY_`. */
const proxyError = (code: string): Error => Object.assign(new Error(`The egress proxy failed (${code}).`), { code })
