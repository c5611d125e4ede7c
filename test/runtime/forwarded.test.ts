import { expect, it } from 'vitest'
import { StartUpError } from '../../src/runtime/errors/start-up-error.js'
import { clientBehind } from '../../src/runtime/http/forwarded.js'

const TRUSTED = ['10.0.0.0/8', '192.0.2.7', 'fd00::/8']
const HOPS = Array.from({ length: 40 }, () => '10.0.0.1').join(',')

it.each([
  [[], '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  [TRUSTED, '203.0.113.9', '198.51.100.1', '203.0.113.9'],
  [TRUSTED, '10.1.2.3', null, '10.1.2.3'],
  [TRUSTED, '10.1.2.3', '198.51.100.1', '198.51.100.1'],
  [TRUSTED, '::ffff:10.1.2.3', '198.51.100.1', '198.51.100.1'],
  [TRUSTED, 'fd00::1', '2001:db8::5', '2001:db8::5'],
  [TRUSTED, '10.1.2.3', '6.6.6.6, 198.51.100.1, 192.0.2.7', '198.51.100.1'],
  [TRUSTED, '10.1.2.3', '198.51.100.1,10.9.9.9 , 192.0.2.7', '198.51.100.1'],
  [TRUSTED, '10.1.2.3', '10.9.9.9', '10.9.9.9'],
  [TRUSTED, '10.1.2.3', 'unknown', '10.1.2.3'],
  [TRUSTED, '10.1.2.3', '198.51.100.1, ', '10.1.2.3'],
  [TRUSTED, '10.1.2.3', '198.51.100.1:4711', '10.1.2.3'],
  [TRUSTED, '10.1.2.3', '[2001:db8::5]', '2001:db8::5'],
  [TRUSTED, '10.1.2.3', HOPS, '10.1.2.3'],
  [TRUSTED, undefined, '198.51.100.1', undefined],
])('behind %j, the peer %s with %j is %s', (trusted, peer, forwarded, client) =>
  expect(clientBehind(trusted)(peer, forwarded)).toBe(client),
)

it.each(['proxy', '10.0.0.0/33', '10.0.0.0/x', '10.0.0.0/8/8', '10.0.0.0/', '::/129', '', '*'])(
  'refuses the trusted proxy %j',
  (text) => expect(() => clientBehind([text])).toThrow(StartUpError),
)
