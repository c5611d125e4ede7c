/** Whom limits on guessing count as one client: an IPv4 address, or the /64 of an IPv6 one. */
import { expect, it } from 'vitest'
import { clientOf } from '../../src/runtime/http/client-address.js'

it.each([
  [undefined, ''],
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['::FFFF:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8:1:2:ffff:4:5:6', '2001:db8:1:2::/64'],
  ['2001:0db8:0001:0002:3:4:5:6', '2001:db8:1:2::/64'],
  ['2001:db8::5', '2001:db8:0:0::/64'],
  ['2001:db8:1::2:3:4:5', '2001:db8:1:0::/64'],
  ['2001::3:4:5:6:7:8', '2001:0:3:4::/64'],
  ['::1', '0:0:0:0::/64'],
  ['2001:db8:1:2::', '2001:db8:1:2::/64'],
  ['fe80::1:2:3:4%eth0', 'fe80:0:0:0::/64'],
  ['fe80::%eth0', 'fe80:0:0:0::/64'],
  ['no:address', 'no:address'],
])('%s counts as %s', (address, client) => {
  expect(clientOf(address)).toBe(client)
})
