import { parsedAddress } from '../../protocol/address.js'
import { StartUpError } from '../errors/start-up-error.js'
import { comparableHost } from '../net/host.js'
import { isLoopback } from '../net/loopback.js'
import { basePathOf } from './base-path.js'

/** The address that others reach a service by. */
export interface PublicAddress {
  readonly origin: string
  /** In the form in which hosts are compared. */
  readonly host: string
  /** Path without a slash at its end; empty at the root. */
  readonly base: string
}

/** Parses a publicUrl; throws `StartUpError` for one that is neither https nor of this machine. */
export function publicAddress(text: string): PublicAddress {
  const url = parsedAddress(text)
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && isLoopback(text))
  const host = url && comparableHost(url.host)
  if (url === undefined || host === undefined || !isSafe || url.search + url.hash + url.username + url.password !== '')
    throw new StartUpError(
      `The publicUrl ${JSON.stringify(text)} must be an https address, as https://svc.example or https://example.com/agents.`,
    )
  return { origin: url.origin, host, base: basePathOf(url.pathname) }
}

/** The address as text, without a slash at its end. */
export const addressText = ({ origin, base }: PublicAddress): string => origin + base
