/** Addresses of clients that come by proxies which the operator trusts, and no others (decisions, section 18). */
import { BlockList, isIP } from 'node:net'
import { StartUpError } from '../errors/start-up-error.js'

/** More proxies than that stand before no service. */
const MOST_HOPS = 32

/**
 * Returns the address of a client from that of the peer and `X-Forwarded-For`: the last one that is not a trusted
 * proxy's. What a client wrote itself comes before it, and is not read.
 */
export type ClientBehind = (peer: string | undefined, forwardedFor: string | null) => string | undefined

/** Throws `StartUpError` for what is neither an address nor a network, such as `10.0.0.0/8`. */
export function clientBehind(trustedProxies: readonly string[]): ClientBehind {
  const trusted = new BlockList()
  for (const text of trustedProxies) add(trusted, text)
  const isTrusted = (address: string): boolean =>
    isIP(address) !== 0 && trusted.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4')
  return (peer, forwardedFor) => {
    let client = plain(peer)
    const hops = forwardedFor === null ? [] : forwardedFor.split(',', MOST_HOPS + 1)
    if (hops.length > MOST_HOPS) return client
    while (client !== undefined && isTrusted(client)) {
      const before = hops.pop()
      const address = before === undefined ? undefined : plain(before.trim())
      if (address === undefined || isIP(address) === 0) return client
      client = address
    }
    return client
  }
}

function add(trusted: BlockList, text: string): void {
  const [address = '', length, ...rest] = text.split('/')
  const family = rest.length === 0 ? isIP(address) : 0
  const bits = length === undefined ? undefined : /^\d{1,3}$/u.test(length) ? Number(length) : Number.NaN
  if (family === 0 || (bits !== undefined && !(bits <= (family === 6 ? 128 : 32))))
    throw new StartUpError(
      `trustedProxies has ${JSON.stringify(text)}, which is neither an address nor a network: write 10.0.0.7 or 10.0.0.0/8.`,
    )
  const name = family === 6 ? 'ipv6' : 'ipv4'
  if (bits === undefined) trusted.addAddress(address, name)
  else trusted.addSubnet(address, bits, name)
}

/** An address as it is compared: without the prefix of an IPv4 one in IPv6, brackets, or a zone. */
function plain(text: string | undefined): string | undefined {
  const address = text?.replace(/^\[(.*)\]$/u, '$1').split('%', 1)[0]
  return address?.replace(/^::ffff:(?=\d{1,3}(?:\.\d{1,3}){3}$)/iu, '')
}
