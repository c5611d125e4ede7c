import type { UpstreamAccount } from '../definition.js'
import { clientTokens, type ClientCredentials, type ClientTokens } from './client-tokens.js'
import type { ConnectionSettings } from '../connections/settings.js'
import { mayBeHeader } from './http-request.js'
import type { HttpSecurity } from './operation.js'
import { percentEncoded } from './serialized.js'

/** One way in which this service proves who it is to the service behind. */
export interface HttpCredential {
  readonly in: 'header' | 'query' | 'cookie'
  /** Of the header, the parameter or the cookie. */
  readonly name: string
  /** Before the value. `Basic` takes `user:password`, and encodes it. */
  readonly scheme?: string
  /** Without a value nothing is sent. */
  readonly value: string | undefined
  /** Fetches the value where none is given. */
  readonly client?: ClientCredentials
  /** Account of each person at the upstream system, where no value is given. */
  readonly connection?: ConnectionSettings
}

export interface CredentialSettings {
  /** The only credential. */
  readonly credential?: HttpCredential
  /** By name, where there are several. */
  readonly credentials?: { readonly [name: string]: HttpCredential }
  /** The alternatives of operations that have none of their own. */
  readonly security?: HttpSecurity
}

interface Sent extends HttpCredential {
  readonly value: string
  /** Holds for a token of a person's account. */
  readonly isPersonal?: true
}

/** Returns how people connect accounts of theirs, unless the environment has a credential for all of them. */
export function connectionIn({ credential, credentials = {} }: CredentialSettings): ConnectionSettings | undefined {
  const all = credential === undefined ? Object.values(credentials) : [credential]
  return all.find(isPersonal)?.connection
}

/** Holds for a credential that no value and no client of the environment gives for everybody. */
const isPersonal = ({ connection, value, client }: HttpCredential): boolean =>
  connection !== undefined && !hasText(value) && !hasText(client?.clientId)

/** The credentials of one service behind: what a call sends, and what is forgotten once it was refused. */
export interface OwnCredentials {
  readonly sentWith: (security: HttpSecurity | undefined, account?: UpstreamAccount) => Promise<readonly Sent[]>
  readonly forget: () => void
}

const ONLY = 'only'

export function credentialsOf(settings: CredentialSettings): OwnCredentials {
  const { credential, credentials = credential === undefined ? {} : { [ONLY]: credential } } = settings
  const usual = settings.security ?? (credential === undefined ? [] : [[ONLY]])
  const tokens = new Map(
    Object.entries(credentials).flatMap(([name, { client, value }]): (readonly [string, ClientTokens])[] =>
      client === undefined || hasText(value) || !hasText(client.clientId) ? [] : [[name, clientTokens(client)]],
    ),
  )
  const isOwn = (name: string): boolean => credentials[name] !== undefined && isPersonal(credentials[name])
  const isThere = (name: string): boolean => hasText(credentials[name]?.value) || tokens.has(name) || isOwn(name)
  const sent = async (name: string, account: UpstreamAccount | undefined): Promise<Sent> => {
    const credential = credentials[name]!
    if (isOwn(name)) return { ...credential, value: await tokenOf(account), isPersonal: true }
    return { ...credential, value: (await tokens.get(name)?.token()) ?? credential.value! }
  }
  return {
    forget: () => tokens.forEach((each) => each.forget()),
    sentWith: (own, account) => {
      const security = own === undefined ? usual : credential === undefined || own.length === 0 ? own : [[ONLY]]
      return Promise.all(chosen(security, isThere).map((name) => sent(name, account)))
    },
  }
}

/** Only a running service knows accounts of people. */
const tokenOf = (account: UpstreamAccount | undefined): Promise<string> =>
  account === undefined ? Promise.reject(new Error('There is no account of a person here.')) : account.token()

const hasText = (value: string | undefined): value is string => value !== undefined && value !== ''

/** The first alternative that is there as a whole; what is there of the first one where none is and one is demanded. */
function chosen(security: HttpSecurity, isThere: (name: string) => boolean): readonly string[] {
  const complete = security.find((names) => names.length > 0 && names.every(isThere))
  if (complete !== undefined) return complete
  return security.some((names) => names.length === 0) ? [] : (security[0] ?? []).filter(isThere)
}

/** Last, so that no input stands in the place of a credential. */
export function addCredential(url: URL, headers: Headers, { in: place, name, scheme, value }: Sent): void {
  if (place === 'query') return setQuery(url, name, value)
  if (place === 'cookie') return setCookie(headers, name, value)
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

function setCookie(headers: Headers, name: string, value: string): void {
  const others = (headers.get('Cookie') ?? '')
    .split('; ')
    .filter((each) => each !== '' && each.split('=', 1)[0] !== name)
  headers.set('Cookie', [...others, `${name}=${percentEncoded(value)}`].join('; '))
}
