import { expect, it } from 'vitest'
import { isSecretName } from '../../src/compiler/rules/facts/secrets.js'
import { saysVerb } from '../../src/compiler/rules/facts/verbs.js'
import { plainScalar } from '../../src/compiler/parse/scalars.js'

it.each([
  'password', 'PASSWORD', 'passwords', 'user_password', '_pin', 'api_key', 'apiKey', 'apikeys', 'my_api_keys', 'x_access_token',
  'accesstoken', 'client_secret', 'a_b_private_key', 'cvc',
])('isSecretName(%s)', (name) => {
  expect(isSecretName(name)).toBe(true)
}) // prettier-ignore

it.each(['', 's', '_', 'token', 'tokens', 'spin', 'api__key', 'password_hint', 'key', 'mypassword', 'secretss', 'pin_'])(
  'not isSecretName(%s)',
  (name) => {
    expect(isSecretName(name)).toBe(false)
  },
)

it.each([
  ['get', true],
  ['get_order', true],
  ['orders.get', true],
  ['orders.get_all', true],
  ['get_all.orders', true],
  ['get.orders', false],
  ['getorder', false],
  ['orders_get', false],
  ['', false],
])('saysVerb(%s) is %s', (name, says) => {
  expect(saysVerb(name, new Set(['get']))).toBe(says)
})

it.each([
  ['0', 0],
  ['010', 10],
  ['0.05', 0.05],
  ['1.', 1],
  ['.5', 0.5],
  ['.', '.'],
  ['..', '..'],
  ['1.0.0', '1.0.0'],
  ['-1', -1],
  ['+.5e3', 500],
  ['0x1F', 31],
  ['1e3', 1000],
  ['9007199254740991', 9007199254740991],
  ['9007199254740993', { value: 9007199254740992, trouble: 'too-big' }],
  [`1${'0'.repeat(400)}`, { value: `1${'0'.repeat(400)}`, trouble: 'not-finite' }],
])('plainScalar(%s) is %j', (text, value) => {
  const read = plainScalar(text)
  expect(read).toEqual(typeof value === 'object' ? { ...value, value: expect.anything() as unknown } : value)
})
