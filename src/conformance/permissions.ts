import { RECOVERY_CLASS_OF } from '../protocol/failures.js'
import { REASON_TYPES } from '../protocol/words.js'
import { cases } from './case.js'
import { doesNotApply } from './outcomes.js'
import { equal, fails, holds, succeeds } from './expect.js'
import { capabilitiesOf, capabilityBeyondScope, capabilityThat, plainRead } from './samples.js'
import { textsIn, type LooseJson, type ServiceUnderTest } from './target.js'

const permissionsWith = async (target: ServiceUnderTest, root: object = {}) => {
  const { token } = await target.root(root as never)
  const reply = await target.post('/svc/permissions', token, {})
  succeeds(reply)
  return { token, body: reply.body }
}

const listed = (bucket: LooseJson | undefined): readonly LooseJson[] =>
  (bucket ?? []) as unknown as readonly LooseJson[]
const named = (bucket: LooseJson | undefined): readonly unknown[] => listed(bucket).map((each) => each['capability'])

export const permissionCases = cases('4.5', {
  'the answer has exactly three arrays': async (target) => {
    const { body } = await permissionsWith(target)
    equal(Object.keys(body).sort(), ['available', 'denied', 'restricted'], 'members')
    holds(
      ['available', 'denied', 'restricted'].every((bucket) => Array.isArray(body[bucket])),
      'a bucket is no array',
    )
  },
  'every capability is in one bucket': async (target) => {
    const { body } = await permissionsWith(target)
    const all = [...named(body['available']), ...named(body['restricted']), ...named(body['denied'])]
    equal(
      [...all].sort(),
      capabilitiesOf(target)
        .map(([name]) => name)
        .sort(),
      'capabilities',
    )
  },
  'the answer is never cached': async (target) => {
    const reply = await target.post('/svc/permissions', (await target.root()).token, {})
    equal(reply.headers.get('cache-control'), 'no-store', 'Cache-Control')
  },
  'an empty body without content type is accepted': async (target) =>
    succeeds(await target.send('/svc/permissions', { method: 'POST', bearer: (await target.root()).token })),
  'a body that is no object is refused': async (target) =>
    fails(await target.post('/svc/permissions', (await target.root()).token, []), 'invalid_parameters'),
  'available entries have scope_match and constraints': async (target) => {
    const { body } = await permissionsWith(target)
    for (const { scope_match, constraints } of listed(body['available']) as unknown as readonly {
      scope_match: unknown
      constraints: unknown
    }[])
      holds(
        typeof scope_match === 'string' && typeof constraints === 'object',
        'an entry lacks scope_match or constraints',
      )
  },
  'other entries have reason and a known reason_type': async (target) => {
    const { body } = await permissionsWith(target, { scope: target.scopes.slice(0, 1) })
    for (const entry of [...listed(body['restricted']), ...listed(body['denied'])])
      holds(
        typeof entry['reason'] === 'string' && REASON_TYPES.includes(entry['reason_type'] as never),
        'an entry lacks its reason',
      )
  },
  'a missing scope is restricted as insufficient_scope': async (target) => {
    const scope = target.scopes.slice(0, 1)
    const [name] = capabilityBeyondScope(target, 'needs another scope', (each) =>
      textsIn(each['minimum_scope']).some((one) => !scope.includes(one)),
    )
    const { body } = await permissionsWith(target, { scope })
    equal(
      listed(body['restricted']).find((each) => each['capability'] === name)?.['reason_type'],
      'insufficient_scope',
      'reason_type',
    )
  },
  'unmet control requirements are listed': async (target) => {
    const [name, declared] = capabilityThat(
      target,
      'has control requirements',
      (each) => each['control_requirements'] !== undefined,
    )
    const { body } = await permissionsWith(target)
    const entry = listed(body['restricted']).find((each) => each['capability'] === name)
    const types = (declared['control_requirements'] as unknown as readonly { type: string }[]).map(({ type }) => type)
    equal(
      [entry?.['reason_type'], entry?.['unmet_token_requirements']],
      ['unmet_control_requirement', types],
      'the entry',
    )
  },
  'a met cost ceiling makes the capability available': async (target) => {
    const [name, { cost }] = capabilityThat(
      target,
      'has a cost ceiling only',
      (each) =>
        JSON.stringify(each['control_requirements'])?.includes('cost_ceiling') === true &&
        !JSON.stringify(each['control_requirements']).includes('stronger'),
    )
    const { financial } = (cost ?? {}) as { readonly financial?: { readonly currency?: string } }
    const budget = { currency: financial?.currency ?? 'EUR', max_amount: 1_000_000 }
    const { body } = await permissionsWith(target, { budget })
    holds(named(body['available']).includes(name), `${name} is not available`)
  },
  'a token bound to a capability has only that one': async (target) => {
    const [name] = plainRead(target)
    equal(named((await permissionsWith(target, { capability: name })).body['available']), [name], 'available')
  },
  'a capability for the root principal is denied to a delegate': async (target) => {
    const [name] = capabilityThat(target, 'requires a principal', (each) => each['requires_principal'] !== undefined)
    const { body } = await permissionsWith(target, { subject: 'agent:x' })
    equal(
      listed(body['denied']).find((each) => each['capability'] === name)?.['reason_type'],
      'non_delegable',
      'reason_type',
    )
  },
  'what is restricted cannot be invoked, and the hint is the action of the failure': async (target) => {
    const { token, body } = await permissionsWith(target, { scope: target.scopes.slice(0, 1), subject: 'agent:x' })
    const restricted = listed(body['restricted'])
    if (restricted.length === 0) doesNotApply('nothing is restricted')
    for (const entry of restricted) {
      const { body: answer } = await target.invoke(entry['capability'] as unknown as string, token)
      equal(
        answer['failure']?.['resolution']?.['action'],
        entry['resolution_hint'],
        `the action for ${String(entry['capability'])}`,
      )
      holds((entry['resolution_hint'] as unknown as string) in RECOVERY_CLASS_OF, 'the hint is no action')
    }
  },
  'what is denied cannot be invoked, and names nobody who could grant it': async (target) => {
    const { token, body } = await permissionsWith(target, { subject: 'agent:x' })
    const denied = listed(body['denied'])
    if (denied.length === 0) doesNotApply('nothing is denied to an agent')
    for (const entry of denied) {
      const { body: answer } = await target.invoke(entry['capability'] as unknown as string, token)
      equal(answer['success'], false, `success of ${String(entry['capability'])}`)
      equal(entry['grantable_by'], undefined, `grantable_by of ${String(entry['capability'])}`)
      equal(entry['resolution_hint'], undefined, `resolution_hint of ${String(entry['capability'])}`)
    }
  },
  'what is denied is denied whatever the token is bound to': async (target) => {
    const { body } = await permissionsWith(target, { subject: 'agent:x' })
    if (listed(body['denied']).length === 0) doesNotApply('nothing is denied to an agent')
    const bound = await permissionsWith(target, { subject: 'agent:x', capability: plainRead(target)[0] })
    equal(named(bound.body['denied']), named(body['denied']), 'what a bound token is denied')
  },
  'what is available does not fail for scope, binding or depth': async (target) => {
    const { token, body } = await permissionsWith(target)
    const structural = [
      'scope_insufficient',
      'purpose_mismatch',
      'delegation_depth_exceeded',
      'non_delegable_action',
      'control_requirement_unsatisfied',
    ]
    for (const name of named(body['available']) as readonly string[]) {
      const failure = (await target.invoke(name, token, { parameters: { no_such_input: 1 } })).body['failure']
      holds(
        !structural.includes(failure?.['type'] as unknown as string),
        `${name} fails with ${String(failure?.['type'])}`,
      )
    }
  },
})
