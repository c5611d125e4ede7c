import { parsedAddress } from '../../protocol/address.js'

/** Characters that begin another part of an address, and blanks. */
const OTHER_PARTS = /[/\\?#@\s]/u

/** Default ports of both schemes: a Host header does not show by which of them the client has asked. */
const DEFAULT_PORTS = ['', '80', '443']

/**
 * Returns a host, with its port, in the form in which two are compared (RFC 9110, section 4.2.3): in lower case,
 * without a default port. Undefined for a text that is no host.
 */
export function comparableHost(text: string): string | undefined {
  if (text === '' || OTHER_PARTS.test(text)) return undefined
  const address = parsedAddress(`https://${text}`)
  return address && (DEFAULT_PORTS.includes(address.port) ? address.hostname : `${address.hostname}:${address.port}`)
}
