import { BlockList, isIP } from 'node:net'
import { parsedAddress } from '../../protocol/address.js'

/**
 * Networks that are of no use to the whole Internet: private, shared, local, for documents, for groups; and the address
 * by which machines of Azure reach their host.
 */
const PRIVATE_IPV4 = [
  ['0.0.0.0', 8], ['10.0.0.0', 8], ['100.64.0.0', 10], ['127.0.0.0', 8], ['168.63.129.16', 32], ['169.254.0.0', 16], ['172.16.0.0', 12],
  ['192.0.0.0', 24], ['192.0.2.0', 24], ['192.88.99.0', 24], ['192.168.0.0', 16], ['198.18.0.0', 15],
  ['198.51.100.0', 24], ['203.0.113.0', 24], ['224.0.0.0', 4], ['240.0.0.0', 4],
] as const // prettier-ignore

/** Of IPv6 only this is given to the public; and of it, not what carries IPv4 in it or is for documents. */
const GLOBAL_IPV6 = ['2000::', 3] as const
const PRIVATE_IPV6 = [
  ['2001::', 23], ['2001:db8::', 32], ['2002::', 16], ['3fff::', 20],
] as const // prettier-ignore

const privateIPv4 = new BlockList()
for (const [network, prefix] of PRIVATE_IPV4) privateIPv4.addSubnet(network, prefix, 'ipv4')
const globalIPv6 = new BlockList()
globalIPv6.addSubnet(...GLOBAL_IPV6, 'ipv6')
const privateIPv6 = new BlockList()
for (const [network, prefix] of PRIVATE_IPV6) privateIPv6.addSubnet(network, prefix, 'ipv6')

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8, 'ipv4')
loopback.addAddress('::1', 'ipv6')

/** The prefix under which an IPv6-only network reaches IPv4 addresses (NAT64; RFC 6052, section 2.1). */
const NAT64 = /^\[64:ff9b::(?:([\da-f]{1,4}):)?([\da-f]{1,4})\]$/u

/** Holds for an address that anybody on the Internet could have: one of this machine or its networks is none. */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !privateIPv4.check(address, 'ipv4')
  const inside = isIP(address) === 6 ? translated(address) : undefined
  if (inside !== undefined) return isPublicAddress(inside)
  return isIP(address) === 6 && globalIPv6.check(address, 'ipv6') && !privateIPv6.check(address, 'ipv6')
}

/** Returns the IPv4 address that an address of NAT64 stands for. */
function translated(address: string): string | undefined {
  const [, high = '0', low] = NAT64.exec(hostOf(address)) ?? []
  if (low === undefined) return undefined
  const [first, second] = [Number.parseInt(high, 16), Number.parseInt(low, 16)]
  return [first >> 8, first & 255, second >> 8, second & 255].join('.')
}

/** The one form of an IPv6 address, whatever it was written like; an address with a zone has none. */
const hostOf = (address: string): string => parsedAddress(`http://[${address}]`)?.hostname ?? ''

/** Holds for an address of a loopback interface. */
export const isLoopbackAddress = (address: string): boolean =>
  isIP(address) !== 0 && loopback.check(address, isIP(address) === 4 ? 'ipv4' : 'ipv6')
