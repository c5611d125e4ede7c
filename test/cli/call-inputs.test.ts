import { expect, it } from 'vitest'
import { nextOfCall } from '../../src/cli/call/known-capability.js'
import { typedValue } from '../../src/cli/call/typed-value.js'
import type { Capability, Input } from '../../src/protocol/manifest.js'

const REFUSED = { type: 'scope_insufficient', resolution: { action: 'request_broader_scope' } }

it('N27 a scope of a service that is not trusted is one word of the command to paste', () => {
  const declared = { minimum_scope: ['a.read', 'x; rm -rf ~', '$(id)\u001b[2J'] } as unknown as Capability
  expect(nextOfCall('look', { declared, names: ['look'] }, REFUSED)).toBe(
    String.raw`svc token issue --scope a.read 'x; rm -rf ~' $'$(id)\x1b[2J' --out my.token, then SVC_TOKEN_FILE=my.token`,
  )
})

it.each([
  [{ type: 'boolean' }, 'true', true],
  [{ type: ['integer', 'null'] }, '2', 2],
  [{ type: ['string', 'integer'] }, '2', '2'],
  [{ enum: ['2'] }, '2', '2'],
])('an input of the schema %j reads %j as %j', (schema, text, value) => {
  const inputs = [{ name: 'a', type: 'any', 'x-schema': schema }] as unknown as readonly Input[]
  expect(typedValue('a', text, inputs)).toBe(value)
})
