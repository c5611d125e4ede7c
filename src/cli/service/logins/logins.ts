/** Logins of `svc login`: one for each service, in a folder that only the user can read. */
import { mkdirSync, readFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { join } from 'node:path'
import { CliError } from '../../shared/errors/cli-error.js'
import { replaceFile } from '../../shared/files/replace-file.js'

/** A login at a service: the credential, and what a new one is asked with. */
export interface Login {
  readonly issuer: string
  readonly client_id: string
  /** Kind of token that the service accepts. */
  readonly send: SentToken
  readonly resource?: string
  readonly credential: string
  readonly refresh_token?: string
  /** RFC 3339. */
  readonly expires_at: string
}

export const SENT_TOKENS = ['access', 'id'] as const
export type SentToken = (typeof SENT_TOKENS)[number]

type Logins = { readonly [service: string]: Login }

/** A credential is sent to the service that it was asked for, and to no other. */
export const serviceKey = (url: string): string => new URL(url).href.replace(/\/+$/u, '')

const folder = (): string => join(process.env['XDG_CONFIG_HOME'] || join(homedir(), '.config'), 'svc')
const file = (): string => join(folder(), 'logins.json')

/** The lock under which logins change: two commands at once would use one refresh token twice. */
export const lockOfLogins = (): string => {
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  return `${file()}.lock`
}

export const loginAt = (url: string): Login | undefined => {
  const all = logins()
  const service = serviceKey(url)
  return Object.hasOwn(all, service) ? all[service] : undefined
}

/** Keeps a login, or forgets it. */
export async function keepLogin(url: string, login: Login | undefined): Promise<void> {
  const others = Object.entries(logins()).filter(([service]) => service !== serviceKey(url))
  const all = Object.fromEntries(login === undefined ? others : [...others, [serviceKey(url), login]])
  mkdirSync(folder(), { recursive: true, mode: 0o700 })
  await replaceFile(file(), `${JSON.stringify(all, null, 2)}\n`, 0o600)
}

function logins(): Logins {
  const text = textOf(file())
  if (text === undefined) return {}
  try {
    const all = JSON.parse(text) as Logins
    if (isObject(all) && Object.values(all).every(isLogin)) return all
  } catch {
    // Said below; the text holds secrets, and a parser quotes it.
  }
  throw new CliError(`${file()} is not what svc login wrote. Delete it, and sign in again.`)
}

function textOf(path: string): string | undefined {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw new CliError(`The logins in ${path} cannot be read: ${(error as Error).message}.`)
  }
}

const isObject = (value: unknown): value is { readonly [name: string]: unknown } =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const isLogin = (value: unknown): value is Login =>
  isObject(value) &&
  ['issuer', 'client_id', 'send', 'credential', 'expires_at'].every((name) => typeof value[name] === 'string')
