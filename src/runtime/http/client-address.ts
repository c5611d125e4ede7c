import { isIPv6 } from 'node:net'

/**
 * Returns the key for limits on guessing: the peer's address, never a header that it may forge. An IPv6 peer counts
 * by its /64, whose addresses all belong to one client. A peer of HTTP/1.0 is a proxy of this machine, if it is on it.
 */
export function clientOf(remoteAddress: string | undefined, httpVersion = '1.1'): string {
  const address = addressOf(remoteAddress)
  return httpVersion === '1.0' ? `${address} by HTTP/1.0` : address
}

function addressOf(remoteAddress: string | undefined): string {
  if (remoteAddress === undefined) return ''
  if (!remoteAddress.includes(':') || !isIPv6(remoteAddress)) return remoteAddress
  const mapped = /^::ffff:(\d{1,3}(?:\.\d{1,3}){3})$/iu.exec(remoteAddress)?.[1]
  return mapped ?? networkOf(remoteAddress)
}

function networkOf(address: string): string {
  const [head = '', tail] = address.split('%', 1)[0]!.split('::')
  const front = head === '' ? [] : head.split(':')
  const back = tail === undefined || tail === '' ? [] : tail.split(':')
  const zeros = tail === undefined ? 0 : 8 - front.length - back.length
  const groups = [...front, ...Array.from({ length: zeros }, () => '0'), ...back]
  return `${groups
    .slice(0, 4)
    .map((group) => Number.parseInt(group, 16).toString(16))
    .join(':')}::/64`
}
