import { expect, it } from 'vitest'
import { conceal } from '../../../src/compiler/explain/secrets.js'
import { check } from '../../../src/compiler/check.js'

const manifest = (field: string): string => `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  sign_in:
    description: Signs in to the other service and returns a session.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: [{ name: password, type: integer, required: true, ${field} }]
    output: { type: session, fields: [session] }
`

it.each(['default: tr0ub4dor-3', 'allowed_values: [tr0ub4dor-3]'])('a message shows nothing of the secret in %s', (field) => {
  const { diagnostics } = check([{ file: 'svc.yaml', text: manifest(field) }])
  const said = JSON.stringify(diagnostics)
  expect(diagnostics.length).toBeGreaterThan(0)
  expect(said).toContain('***')
  expect(said).not.toContain('tr0ub4dor')
}) // prettier-ignore

it('a suggestion shows nothing of a secret that begins like another', () => {
  const text = manifest('description: How to get in., resolution: { mode: closed_values }, allowed_values: [tr0ub4dor-three], default: tr0ub4dor-thrice').replace('type: integer', 'type: string') // prettier-ignore
  const { diagnostics } = check([{ file: 'svc.yaml', text }])
  expect(diagnostics.find(({ code }) => code === 'SVC2304')).toMatchObject({
    message: 'The default "****************" is not among `allowed_values`. Did you mean `***************`?',
    suggestion: '***************',
  })
})

it.each([
  ['secret-one and secret-two', ['secret-one', 'secret-two'], '********** and **********'],
  ['secret-two', ['secret-t', 'secret-two'], '**********'],
  ['ABsecret-oneCD', ['absecret', 'secret-one'], '************CD'],
  ['İ secret-one', ['SECRET-ONE'], 'İ **********'],
  ['i secret-oné', ['secret-onÉ'], 'i **********'],
  ['secret-o…', ['secret-one'], '********…'],
  ['secret', ['secret-one'], 'secret'],
  ['secret-o, secret-one, secret-o', ['secret-one'], '********, **********, ********'],
])('of %j with the secrets %j is left %j', (text, secrets, left) => {
  expect(conceal(text, secrets)).toBe(left)
})

it('what is found to be a secret is not shown by what is found beside it', () => {
  const secret = 'Zq7Lp2xVw9Rt4Ky8Bn3Mc6Hd1Jf5Gs0Ta'
  const text = manifest(`description: Which one., allowed_values: [a, b], resolution: { mode: closed_values }, default: ${secret}, catalog_ref: ${secret}`).replace('password, type: integer', 'ref, type: string') // prettier-ignore
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { enable: ['SVC5004'] })
  const codes = diagnostics.map(({ code }) => code)
  expect([codes.includes('SVC5004'), codes.includes('SVC2304')]).toEqual([true, true])
  expect(JSON.stringify(diagnostics)).not.toContain(secret)
})
