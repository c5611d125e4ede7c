import { expect, it } from 'vitest'
import { judgedChecks } from '../../src/cli/permissions/why-checks.js'
import type { ApprovalRequirement, Capability } from '../../src/protocol/manifest.js'
import type { DelegationClaims } from '../../src/protocol/token.js'
import { capability } from '../runtime/fixture/manifest.js'

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 900, max_uses: 1 } as const // prettier-ignore

const BUY = { ...capability(), kind: 'composed', composition: { steps: [{ id: 'quote', capability: 'quote' }, { id: 'order', capability: 'order' }] } } as unknown as Capability // prettier-ignore

const judgedOf = (approval: ApprovalRequirement | undefined, own?: ApprovalRequirement) =>
  judgedChecks({
    name: 'buy',
    capability: { ...BUY, ...(own && { approval: own }) },
    capabilities: { quote: capability(), order: capability(approval === undefined ? {} : { approval }), buy: BUY },
    permissions: { available: [], restricted: [], denied: [] },
    claims: { purpose: {}, constraints: {} } as unknown as DelegationClaims,
  }).find(({ check }) => check === 'approval is given')

it.each([
  [undefined, undefined, 'holds', undefined],
  ['always', undefined, 'asks', 'A person decides about each call of its step order.'],
  [{ when: [{ cost: { above: 500 } }] }, undefined, 'unknown', 'A person decides where the inputs or the cost of its step order meet its conditions.'],
  [{ when: [{ cost: { above: 500 } }] }, 'always', 'asks', 'A person decides about each call.'],
] as const)('of a step that needs an approval %j, in a composition that needs one %j, the check %s', (step, own, result, detail) => {
  const approvalOf = (required: ApprovalRequirement['required'] | undefined) => required && { required, grant_policy }
  expect(judgedOf(approvalOf(step), approvalOf(own))).toEqual({ check: 'approval is given', result, ...(detail && { detail }) })
}) // prettier-ignore
