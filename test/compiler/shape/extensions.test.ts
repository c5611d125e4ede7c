import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { servedManifest } from '../../../src/protocol/served-manifest.js'

/** One `x-` key in each object that a manifest knows. */
const TEXT = `manifest_metadata: { version: "0.24.0", x-in: metadata, x-tools-sha256: mine }
service_identity: { id: crm, x-in: identity, x-keys: mine }
trust: { level: anchored, x-in: trust, anchoring: { cadence: daily, x-in: anchoring } }
x-in: manifest
capabilities:
  lookup:
    x-in: capability
    description: Looks an account up by its id and returns it.
    contract_version: 1.0.0
    side_effect: { type: read, x-in: side effect }
    minimum_scope: [crm.read]
    inputs:
      - name: region
        type: integer
        description: The region.
        x-in: input
        input_meanings: { "1": Europe, "02": Asia }
        resolution: { mode: explicit_only, x-in: resolution }
    output: { type: account, x-in: output, fields: [{ name: account, x-in: output field }] }
    cost: { certainty: fixed, x-in: cost, financial: { currency: EUR, amount: 5, x-in: [{ a: 1 }] }, compute: { x-in: compute } }
    observability: { retention: P90D, x-in: observability }
`

const { diagnostics, manifest } = check([{ file: 'svc.yaml', text: TEXT }], { preset: 'minimal' })

it('x- keys are kept wherever they are written', () => {
  expect(diagnostics.filter(({ severity }) => severity === 'error')).toEqual([])
  expect(manifest).toMatchObject({
    manifest_metadata: { 'x-in': 'metadata' },
    service_identity: { 'x-in': 'identity' },
    trust: { 'x-in': 'trust', anchoring: { 'x-in': 'anchoring' } },
    extensions: { 'x-in': 'manifest' },
    capabilities: {
      lookup: {
        extensions: { 'x-in': 'capability' },
        side_effect: { 'x-in': 'side effect' },
        inputs: [{ 'x-in': 'input', resolution: { 'x-in': 'resolution' } }],
        output: { 'x-in': 'output', fields: [{ name: 'account', 'x-in': 'output field' }] },
        cost: { 'x-in': 'cost', financial: { 'x-in': [{ a: 1 }] }, compute: { 'x-in': 'compute' } },
        observability: { 'x-in': 'observability' },
      },
    },
  })
})

it('x- keys are published, but for those that the tools write', () => {
  const served = servedManifest(manifest!, { issued_at: 'now', expires_at: 'later' })
  expect(served).toMatchObject({
    manifest_metadata: { version: '0.24.0', issued_at: 'now', 'x-in': 'metadata' },
    service_identity: { id: 'crm', 'x-in': 'identity' },
    'x-in': 'manifest',
    capabilities: {
      lookup: { 'x-in': 'capability', output: { type: 'account', fields: ['account'], 'x-in': 'output' } },
    },
  })
  expect(JSON.stringify(served)).not.toContain('mine')
})

it('the meanings of an integer are integers', () => {
  expect(manifest!.capabilities['lookup']!.inputs[0]!.input_meanings).toEqual([
    { value: 1, label: 'Europe' },
    { value: '02', label: 'Asia' },
  ])
})

it('a configuration knows no x- keys', async () => {
  const { CONFIG } = await import('../../../src/compiler/shape/fields/config.js')
  expect(CONFIG.strict).toBe(true)
})
