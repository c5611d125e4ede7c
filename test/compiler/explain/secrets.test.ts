import { expect, it } from 'vitest'
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
