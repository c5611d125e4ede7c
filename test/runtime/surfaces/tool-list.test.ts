/** What a tool of each era takes besides its inputs, by its need of an approval. */
import { expect, it } from 'vitest'
import type { Capability } from '../../../src/protocol/manifest.js'
import { toolsOf } from '../../../src/protocol/tools.js'
import { mcpToolOf, takesApproval, type Era } from '../../../src/runtime/surfaces/mcp/tool-list.js'
import { capability, input, manifestOf } from '../fixture/manifest.js'

const grant_policy = { allowed_grant_types: ['one_time'], default_grant_type: 'one_time', expires_in_seconds: 60, max_uses: 1 } as const // prettier-ignore
const needing = (required: NonNullable<Capability['approval']>['required']) =>
  capability({ inputs: [input('price', { type: 'number' })], approval: { required, grant_policy } })
const composition = { steps: [{ id: 'one', capability: 'always' }] } as unknown as NonNullable<
  Capability['composition']
>
const { tools } = toolsOf(
  manifestOf({
    never: capability(),
    always: needing('always'),
    condition: needing({ when: [{ input: 'price', above: 5 }] }),
    handler: needing('handler'),
    step: capability({ kind: 'composed', composition }),
    taken: capability({ inputs: [input('_approval')], approval: { required: 'always', grant_policy } }),
  }),
)

it.each<[string, Era, string, readonly string[], boolean]>([
  ['never', 'legacy', 'never', [], false],
  ['always', 'legacy', 'always', ['price', '_approval'], true],
  ['condition', 'legacy', 'sometimes', ['price', '_approval'], true],
  ['handler', 'legacy', 'sometimes', ['price', '_approval'], true],
  ['step', 'legacy', 'sometimes', ['_approval'], true],
  ['taken', 'legacy', 'always', ['_approval'], false],
  ['never', 'modern', 'never', [], false],
  ['always', 'modern', 'always', ['price'], false],
  ['condition', 'modern', 'sometimes', ['price'], false],
  ['handler', 'modern', 'sometimes', ['price'], false],
  ['step', 'modern', 'sometimes', [], false],
  ['taken', 'modern', 'always', ['_approval'], false],
])('%s, for a client of the %s era, needs an approval %s and takes %j', (name, era, need, properties, takes) => {
  const tool = tools.find(({ capability: each }) => each === name)!
  const { inputSchema, _meta } = mcpToolOf(tool, { era })
  expect(Object.keys(inputSchema.properties ?? {})).toEqual(properties)
  if (takes) expect(inputSchema.required ?? []).not.toContain('_approval')
  expect(_meta).toMatchObject({ 'svc-kit/capability': { approval: need } })
  expect(takesApproval(tool, era)).toBe(takes)
})

it.each([
  ['read', true, false, true],
  ['write', false, false, false],
  ['transactional', false, true, false],
  ['irreversible', false, true, false],
] as const)(
  '%s is read-only %s, destructive %s, idempotent %s',
  (type, readOnlyHint, destructiveHint, idempotentHint) => {
    const [tool] = toolsOf(manifestOf({ act: capability({ side_effect: { type } }) })).tools
    const hints = { title: 'Act', readOnlyHint, destructiveHint, idempotentHint, openWorldHint: false }
    expect(mcpToolOf(tool!, { era: 'modern' }).annotations).toEqual(hints)
  },
)
