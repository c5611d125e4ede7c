/** The advisory fields of the public protocol: known, published as written, noted, and obeyed by nothing. */
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { blocksOf } from '../../../src/compiler/report/fields/blocks.js'
import type { JsonObject } from '../../../src/protocol/manifest.js'
import { servedCapability } from '../../../src/protocol/served-manifest.js'

const STEP =
  '{ target: { service: billing, capability: pay }, required_for_task_completion: true, continuity: same_task, completion_mode: followup_status }'
const COST = 'certainty: fixed, financial: { currency: EUR, amount: 5 }'
/** Path of each field -> its value as written. */
const WRITTEN = {
  'capabilities.<name>.cost.factors': ['[demand]', ['demand']],
  'capabilities.<name>.cost.rate_limit': ['{ requests_per_minute: 60 }', { requests_per_minute: 60 }],
  'capabilities.<name>.observability.audit_accessible_by': ['[auditors]', ['auditors']],
  'capabilities.<name>.cross_service_contract': [
    `{ handoff: [${STEP}], verification: [] }`,
    {
      handoff: [
        {
          target: { service: 'billing', capability: 'pay' },
          required_for_task_completion: true,
          continuity: 'same_task',
          completion_mode: 'followup_status',
        },
      ],
      verification: [],
    },
  ],
  'capabilities.<name>.composes_with': [
    '[{ capability: show, optional: false }, { capability: elsewhere }]',
    [{ capability: 'show', optional: false }, { capability: 'elsewhere' }],
  ],
  'capabilities.<name>.session': ['{ type: workflow, steps: 4 }', { type: 'workflow', steps: 4 }],
} as const

/** The line of a capability with the field of a path. */
function lineOf(path: string, value: string): string {
  const [block = '', field] = path.split('.').slice(2)
  if (field === undefined) return `${block}: ${value}`
  return `${block}: { ${block === 'cost' ? `${COST}, ` : ''}${field}: ${value} }`
}

const manifest = (line: string) => `manifest_metadata: { version: "0.24.0" }
service_identity: { id: crm }
trust: { level: signed }
capabilities:
  lookup:
    description: Looks an account up by its id and returns it.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
    ${line}
`
const checked = (line: string) => check([{ file: 'svc.yaml', text: manifest(line) }], { preset: 'minimal', now: 0 })

it('is written of every field that the table marks', () => {
  const marked = blocksOf().flatMap(({ path, shape }) =>
    Object.entries(shape.fields).flatMap(([name, { unenforced }]) => (unenforced ? [`${path}.${name}`] : [])),
  )
  expect(marked.toSorted()).toEqual(Object.keys(WRITTEN).toSorted())
})

it.each(Object.entries(WRITTEN))('%s is published as written, with a note', (path, [value, published]) => {
  const { diagnostics, manifest: read } = checked(lineOf(path, value))
  const [block = '', field] = path.split('.').slice(2)
  const name = field ?? block
  expect(diagnostics.map(({ code, severity, message }) => [code, severity, message])).toEqual([
    ['SVC0216', 'info', `\`${name}\` is published as it is written. svc does not enforce it.`],
  ])
  const served = servedCapability(read!.capabilities['lookup']!)[block]
  expect(field === undefined ? served : (served as JsonObject)[field]).toEqual(published)
})

it('keeps the resource hints of a cost', () => {
  const { manifest: read } = checked('cost: { certainty: fixed, compute: { expected_duration: PT2S, tokens: 1500 } }')
  expect(read!.capabilities['lookup']!.cost).toEqual({
    certainty: 'fixed',
    compute: { expected_duration: 'PT2S', tokens: 1500 },
  })
})

it.each([
  ['cross_service_contracts: {}', 'SVC0202'],
  ['depends_on: []', 'SVC0202'],
  [`cross_service_contract: { handof: [${STEP}] }`, 'SVC0202'],
  ['cross_service_contract: { handoff: [{ target: { service: billing, capability: pay }, retries: 3 }] }', 'SVC0202'],
  [`cross_service_contract: { handoff: [${STEP.replace('followup_status', 'hope')}] }`, 'SVC0204'],
  ['composes_with: [{ capability: show, when: always }]', 'SVC0202'],
  ['session: { type: endless }', 'SVC0204'],
])('%s is an error, as any other that is not known', (line, code) => {
  expect(
    checked(line)
      .diagnostics.filter(({ severity }) => severity === 'error')
      .map((each) => each.code),
  ).toContain(code)
})
