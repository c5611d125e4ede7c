/** Holds for hosts whose traffic never leaves the machine (RFC 6761, section 6.3; RFC 1122, section 3.2.1.3). */
const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' ||
  hostname.endsWith('.localhost') ||
  hostname === '[::1]' ||
  /^127(?:\.\d{1,3}){3}$/u.test(hostname)

/**
 * The address without its last slash; throws for what is none, and for one over which a credential could be read on the
 * way.
 */
export function usableAddress(baseUrl: string, hasCredential: boolean, insecureHttp: boolean): string {
  // A parser drops line ends, so a text that holds them is not the address that it is judged as.
  if (!/^https?:\/\/[^\s\p{Cc}\p{Cf}]+$/u.test(baseUrl) || !URL.canParse(baseUrl))
    throw new TypeError(`The baseUrl ${JSON.stringify(baseUrl)} is not an address such as http://127.0.0.1:4100.`)
  const { protocol, hostname } = new URL(baseUrl)
  if (protocol === 'http:' && hasCredential && !insecureHttp && !isLoopback(hostname))
    throw new TypeError(
      `The baseUrl ${JSON.stringify(baseUrl)} would send the credential in the clear; use https, or set ` +
        'insecureHttp: true in a network that you trust.',
    )
  return baseUrl.replace(/\/+$/u, '')
}
