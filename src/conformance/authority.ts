import type { DelegationClaims } from '../protocol/token.js'
import { cases } from './case.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import { equal, fails, holds, matches, succeeds } from './expect.js'
import { capabilitiesOf, parametersOf, plainRead } from './samples.js'
import { issued, readTold, textsIn, type LooseJson, type ServiceUnderTest } from './target.js'

export const claimsOf = (jwt: string): DelegationClaims =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as DelegationClaims

/** A child with a budget and a task below a root token, as claims. */
async function childOf(
  target: ServiceUnderTest,
): Promise<{ readonly parent: string; readonly claims: DelegationClaims }> {
  const root = await target.root({ subject: 'agent:planner', purpose_parameters: { task_id: 'trip-7', note: 'x' } })
  const body = {
    scope: root.scope,
    subject: 'agent:worker',
    parent_token: root.token_id,
    budget: { currency: 'EUR', max_amount: 5 },
  }
  return { parent: root.token_id, claims: claimsOf(issued(await target.post('/svc/tokens', root.token, body)).token) }
}

const carried = cases('2.10', {
  'a token carries its scope': async (target) => equal(claimsOf((await target.root()).token).scope, target.scopes, 'scope'),
  'a token carries the capability that it is bound to, and none otherwise': async (target) => {
    const [name] = plainRead(target)
    equal([claimsOf((await target.root({ capability: name })).token).capability, claimsOf((await target.root()).token).capability], [name, undefined], 'capability')
  },
  'a token carries its task': async (target) => {
    const { purpose } = (await childOf(target)).claims
    equal([purpose.task_id, purpose.parameters['note']], ['trip-7', 'x'], 'purpose')
  },
  'a token carries its budget': async (target) =>
    equal((await childOf(target)).claims.constraints.budget, { currency: 'EUR', max_amount: 5 }, 'constraints.budget'),
  'a token carries its end': async (target) => {
    const { token, expires_at } = await target.root()
    equal(claimsOf(token).exp, Math.floor(Date.parse(expires_at) / 1000), 'exp')
  },
  'a child carries its parent': async (target) => {
    const { parent, claims } = await childOf(target)
    equal(claims.parent_token_id, parent, 'parent_token_id')
  },
  'a token is known by a stable id': async (target) => {
    const { token, token_id } = await target.root()
    equal(claimsOf(token).jti, token_id, 'token_id')
  },
}) // prettier-ignore

const PRINCIPAL = /^(?:human|agent|service|oidc):\S+$/u

const principals = cases('2.11', {
  'subject and root principal bear the prefix of a class': async (target) => {
    const { sub, root_principal } = (await childOf(target)).claims
    matches(sub, PRINCIPAL, 'sub')
    matches(root_principal, PRINCIPAL, 'root_principal')
  },
  'a subject without a class is refused': async (target) =>
    fails(await target.post('/svc/tokens', target.credentials.developer, { scope: target.scopes, subject: 'planner' }), 'invalid_parameters'),
  'a subject of an unknown class is refused': async (target) =>
    fails(await target.post('/svc/tokens', target.credentials.developer, { scope: target.scopes, subject: 'robot:planner' }), 'invalid_parameters'),
  'a person may delegate to another person, unless the manifest forbids it': async (target) => {
    const { token, token_id } = await target.root()
    const reply = await target.post('/svc/tokens', token, { scope: target.scopes, subject: 'human:a.colleague', parent_token: token_id })
    if ((reply.body?.['failure']?.['type'] as unknown) === 'delegation_depth_exceeded') doesNotApply('the service allows no such delegation')
    if (reply.status !== 200) return fails(reply, 'insufficient_authority')
    equal(claimsOf(issued(reply).token).sub, 'human:a.colleague', 'sub')
  },
  'a caller class is not taken from the prefix': async (target) =>
    equal(claimsOf((await target.root({ subject: 'agent:planner' })).token).caller_class, undefined, 'caller_class'),
}) // prettier-ignore

/** Says why there is no second scope. */
const oneScope = (target: ServiceUnderTest): never => {
  const declared = capabilitiesOf(target).flatMap(([, each]) => textsIn(each['minimum_scope']))
  return new Set(declared).size === 1
    ? doesNotApply('there is one scope only')
    : cannotTry('the credential may have one scope only')
}

const invocationIds = cases('2.13', {
  'an invocation id has its form, on success and on failure': async (target) => {
    const [name, capability] = plainRead(target)
    const { token } = await target.root()
    const done = await target.invoke(name, token, { parameters: parametersOf(capability) })
    const refused = await target.invoke('no_such_capability', token)
    for (const { body } of [done, refused]) matches(body['invocation_id'], /^inv-[0-9a-f]{12}$/u, 'invocation_id')
  },
  'the server chooses it': async (target) => {
    const { token } = await target.root()
    fails(await target.invoke(plainRead(target)[0], token, { parameters: {}, invocation_id: 'inv-000000000000' }), 'invalid_parameters')
  },
}) // prettier-ignore

const authentication = cases('5', {
  'discovery is reachable before any token exists': async ({ send }) => succeeds(await send('/.well-known/svc')),
  'a wrong credential beside a public document is not looked at': async ({ send }) =>
    succeeds(await send('/.well-known/svc', { bearer: 'nobody' })),
  'a missing bootstrap credential gives 401 and a failure body': async ({ post }) =>
    fails(await post('/svc/tokens', undefined, { scope: ['a'] }), 'authentication_required'),
  'the identity of the provider is no delegation: the service issues its own token': async (target) => {
    const { iss, aud } = claimsOf((await target.root()).token)
    const id = target.discovery['service_id'] as unknown as string
    equal([iss, aud], [id, id], 'iss and aud')
  },
  'an approval grant does not stand in for a token': async ({ send }) =>
    fails(await send('/svc/invoke/anything', { method: 'POST', bearer: 'grt_000000000000000000000000', body: { parameters: {} } }), 'invalid_token'),
  'a credential in the query does not count': async (target) => {
    const { token } = await target.root()
    fails(await target.post(`/svc/permissions?access_token=${token}`, undefined, {}), 'authentication_required')
  },
  'a credential in the body does not count': async (target) => {
    const { token } = await target.root()
    fails(await target.post('/svc/permissions', undefined, { token }), 'authentication_required')
  },
  'scope is not inferred from the name of a capability': async (target) => {
    const [name, capability] = plainRead(target)
    const other = target.scopes.find((scope) => !(capability['minimum_scope'] as unknown as readonly LooseJson[]).includes(scope as never)) ?? oneScope(target)
    const { token } = await target.root({ scope: [other], capability: name })
    fails(await target.invoke(name, token, { parameters: parametersOf(capability) }), 'scope_insufficient')
  },
  'HEAD is GET without a body': async (target) => {
    const reply = await readTold(target, '/svc/manifest', { method: 'HEAD' })
    holds(reply.status === 200 && reply.text === '', `it is ${reply.status} with ${reply.text.length} characters`)
  },
}) // prettier-ignore

export const authorityCases = [...carried, ...principals, ...invocationIds, ...authentication]
