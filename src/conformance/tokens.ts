import type { JsonObject } from '../protocol/manifest.js'
import { cases, casesFor } from './case.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import { equal, fails, holds, matches, succeeds, TIMESTAMP } from './expect.js'
import { isAnother } from './others.js'
import { asRoot, briefRoot, delegable, lifetimeOf, TOKENS } from './roots.js'
import { capabilitiesOf, plainRead } from './samples.js'
import { issued, textsIn, type Reply, type ServiceUnderTest } from './target.js'

const REFUSED_BODIES: readonly (readonly [string, JsonObject])[] = [
  ['without a scope', { scope: null }], ['with an empty scope', { scope: [] }], ['with a scope that is no list', { scope: 'a' }],
  ['with a scope in capitals', { scope: ['TRAVEL'] }], ['with a scope twice', { scope: ['a.b', 'a.b'] }], ['with a blank in a scope', { scope: ['a b'] }],
  ['with 101 scopes', { scope: Array.from({ length: 101 }, (_, index) => `s${index}`) }],
  ['with a subject that is no principal', { subject: 'somebody' }], ['with a subject of an unknown class', { subject: 'robot:x' }],
  ['with a NUL in the subject', { subject: 'agent:x\u0000' }], ['with a JWT as parent_token', { parent_token: 'eyJ.eyJ.sig' }],
  ['with a negative ttl_hours', { ttl_hours: -1 }], ['with ttl_hours 0', { ttl_hours: 0 }], ['with a ttl_hours of a nanosecond', { ttl_hours: 1e-9 }],
  ['with a ttl_hours of a century', { ttl_hours: 876_000 }], ['with ttl_hours as a string', { ttl_hours: '2' }], ['with ttl_hours true', { ttl_hours: true }],
  ['with a budget without currency', { budget: { max_amount: 1 } }], ['with a budget without max_amount', { budget: { currency: 'EUR' } }],
  ['with an unknown currency', { budget: { currency: 'XXQ', max_amount: 1 } }], ['with a currency in small letters', { budget: { currency: 'eur', max_amount: 1 } }],
  ['with a negative budget', { budget: { currency: 'EUR', max_amount: -1 } }], ['with a budget as text', { budget: { currency: 'EUR', max_amount: '5' } }],
  ['with a budget below a minor unit', { budget: { currency: 'EUR', max_amount: 0.001 } }], ['with a budget that is a list', { budget: [] }],
  ['with a budget beyond exactness', { budget: { currency: 'EUR', max_amount: 9_007_199_254_740_992 } }], ['with a null max_amount', { budget: { currency: 'EUR', max_amount: null } }],
  ['with an unknown concurrent_branches', { concurrent_branches: 'some' }], ['with purpose_parameters as a list', { purpose_parameters: [] }],
  ['with a task_id that is no string', { purpose_parameters: { task_id: 7 } }], ['with an unknown member', { surprise: 1 }],
  ['with a negative depth', { max_delegation_depth: -1 }], ['with an oversized purpose', { purpose_parameters: { note: 'x'.repeat(20_000) } }],
] // prettier-ignore

/** Bodies that a service with greater limits may take. */
const WITHIN_LIMITS: readonly string[] = ['with 101 scopes', 'with an oversized purpose']

const refusedBodies = casesFor('4.4', REFUSED_BODIES, ([what]) => `a root token ${what} is refused`, async ([what, body], target) => {
  const reply = await asRoot(target, body)
  const isWithin = WITHIN_LIMITS.includes(what) && (reply.status === 200 || (reply.body?.['failure']?.['type'] as unknown) === 'scope_escalation')
  if (isWithin) doesNotApply('the limits of the service are greater')
  fails(reply, 'invalid_parameters')
}) // prettier-ignore

const roots = cases('4.4', {
  'a root token has the response fields': async (target) => {
    const reply = await asRoot(target, {
      purpose_parameters: { task_id: 't-1' },
      budget: { currency: 'EUR', max_amount: 5 },
    })
    succeeds(reply)
    equal(reply.body['issued'], true, 'issued')
    matches(reply.body['token_id'], /^tok_[\w-]{20,}$/u, 'token_id')
    matches(reply.body['token'], /^[\w-]+\.[\w-]+\.[\w-]+$/u, 'token')
    equal(reply.body['scope'], target.scopes, 'scope')
    equal(reply.body['task_id'], 't-1', 'task_id')
    equal(reply.body['budget'], { currency: 'EUR', max_amount: 5 }, 'budget')
    matches(reply.body['expires_at'], TIMESTAMP, 'expires_at')
  },
  'a token answer is never cached': async (target) =>
    equal((await asRoot(target, {})).headers.get('cache-control'), 'no-store', 'Cache-Control'),
  'the lifetime is two hours by default': async (target) => {
    const { seconds, expires_at, isOfToken } = lifetimeOf(await target.root())
    const isUsual = Math.abs(seconds - 7_200) < 120
    if (!isUsual && isOfToken) doesNotApply(`the service has a default of its own: ${seconds / 3600} h`)
    holds(isUsual, `expires_at is ${expires_at}`)
  },
  'a null ttl_hours is the default': async (target) => succeeds(await asRoot(target, { ttl_hours: null })),
  'ttl_hours may be a fraction': async (target) => {
    const { seconds, expires_at } = lifetimeOf(await briefRoot(target, 0.5))
    holds(Math.abs(seconds - 1_800) < 120, `expires_at is ${expires_at}`)
  },
  'the token is an ES256 JWT of the service with the pinned type': async (target) => {
    const [header, payload] = (await target.root()).token
      .split('.')
      .map((part) => Buffer.from(part, 'base64url').toString())
    const { alg, typ } = JSON.parse(header!) as { alg: string; typ: string }
    equal({ alg, typ }, { alg: 'ES256', typ: 'svc-delegation+jwt' }, 'the header')
    const { iss, aud } = JSON.parse(payload!) as { iss: string; aud: string }
    equal([iss, aud], [target.discovery['service_id'], target.discovery['service_id']], 'iss and aud')
  },
  'the token names a key of the JWKS': async (target) => {
    const { kid } = JSON.parse(Buffer.from((await target.root()).token.split('.')[0]!, 'base64url').toString()) as {
      kid: string
    }
    const keys = (await target.send('/.well-known/jwks.json')).body['keys'] as unknown as readonly { kid: string }[]
    holds(
      keys.some((key) => key.kid === kid),
      'the kid is not published',
    )
  },
  'a capability binding is answered': async (target) => {
    const [name] = plainRead(target)
    equal((await target.root({ capability: name })).capability, name, 'capability')
  },
  'a binding to no capability is refused': async (target) =>
    fails(await asRoot(target, { capability: 'no_such_thing' }), 'unknown_capability'),
  'an unentitled scope is refused': async (target) =>
    fails(await asRoot(target, { scope: ['never.heard.of'] }), 'scope_escalation'),
  'an approver scope is not entitled by default': async (target) =>
    fails(await asRoot(target, { scope: ['approver:anything'] }), 'scope_escalation'),
  'a person may not name another person as subject': async (target) =>
    fails(await asRoot(target, { subject: 'human:somebody.else' }), 'insufficient_authority'),
  'a caller_class without entitlement is refused': async (target) =>
    fails(await asRoot(target, { caller_class: 'never_heard_of' }), 'scope_escalation'),
  'a missing credential is refused': async ({ post }) =>
    fails(await post(TOKENS, undefined, { scope: ['a.b'] }), 'authentication_required'),
  'an unknown credential is refused': async ({ post }) =>
    fails(await post(TOKENS, 'not-a-key', { scope: ['a.b'] }), 'authentication_required'),
  'a delegation token without parent_token is refused': async (target) =>
    fails(
      await target.post(TOKENS, (await target.root()).token, { scope: target.scopes, subject: 'agent:x' }),
      'insufficient_authority',
    ),
  'an agent is not entitled to everything': async (target) => {
    const { agent = cannotTry('no agent credential') } = target.credentials
    const everything = [...new Set(capabilitiesOf(target).flatMap(([, each]) => textsIn(each['minimum_scope'])))]
    const scope = everything.slice(0, Math.max(target.scopes.length, 1))
    const reply = await target.post(TOKENS, agent, { scope })
    if (reply.status === 200) cannotTry('the agent is entitled to everything')
    fails(reply, 'scope_escalation')
  },
  'token ids do not repeat': async (target) => {
    const ids = await Promise.all([target.root(), target.root(), target.root()])
    equal(new Set(ids.map((each) => each.token_id)).size, 3, 'distinct ids')
  },
})

const PARENT = {
  subject: 'agent:planner',
  purpose_parameters: { task_id: 't-1', team: 'a' },
  budget: { currency: 'EUR', max_amount: 100 },
  session_id: 's-1',
  concurrent_branches: 'exclusive',
}

async function delegated(target: ServiceUnderTest, body: object, parent: JsonObject = PARENT): Promise<Reply> {
  const { token, token_id } = await target.root(parent)
  const child = { scope: target.scopes, subject: 'agent:worker', parent_token: token_id }
  await delegable(target, token, child)
  return target.post(TOKENS, token, { ...child, ...body })
}

const WIDENED = [
  ['a scope that the parent lacks', { scope: ['never.heard.of'] }, 'scope_escalation'],
  ['a larger budget', { budget: { currency: 'EUR', max_amount: 100.01 } }, 'budget_exceeded'],
  ['a budget in another currency', { budget: { currency: 'USD', max_amount: 1 } }, 'budget_currency_mismatch'],
  ['another task', { purpose_parameters: { task_id: 't-2' } }, 'purpose_mismatch'],
  ['another purpose', { purpose_parameters: { team: 'b' } }, 'purpose_mismatch'],
  ['another session', { session_id: 's-2' }, 'scope_escalation'],
  ['a caller class', { caller_class: 'internal' }, 'scope_escalation'],
  ['more depth', { max_delegation_depth: 99 }, 'delegation_depth_exceeded'],
  ['a person as subject', { subject: 'human:somebody' }, 'insufficient_authority'],
  ['a service as subject of an agent', { subject: 'service:x' }, 'insufficient_authority'],
  ['another parent', { parent_token: 'tok_somebody_elses' }, 'insufficient_authority'],
  ['no subject', { subject: null }, 'invalid_parameters'],
] as const

const widened = casesFor('4.4', WIDENED, ([what]) => `a child with ${what} is refused`, async ([, body, type], target) => {
  fails(await delegated(target, body), type)
}) // prettier-ignore

const children = cases('4.4', {
  'a child inherits task and budget': async (target) => {
    const child = issued(await delegated(target, {}))
    equal([child.task_id, child.budget], ['t-1', { currency: 'EUR', max_amount: 100 }], 'task_id and budget')
  },
  'a child may narrow the budget': async (target) =>
    equal(
      issued(await delegated(target, { budget: { currency: 'EUR', max_amount: 1 } })).budget,
      { currency: 'EUR', max_amount: 1 },
      'budget',
    ),
  'a child may introduce a budget': async (target) =>
    succeeds(await delegated(target, { budget: { currency: 'EUR', max_amount: 9 } }, { subject: 'agent:planner' })),
  'a child never outlives its parent': async (target) => {
    const { token, token_id, expires_at } = await briefRoot(target, 0.1, { subject: 'agent:planner' })
    const child = issued(
      await target.post(TOKENS, token, {
        scope: target.scopes,
        subject: 'agent:w',
        parent_token: token_id,
        ttl_hours: 0.2,
      }),
    )
    holds(
      Date.parse(child.expires_at) <= Date.parse(expires_at),
      `the child ends at ${child.expires_at}, the parent at ${expires_at}`,
    )
  },
  'a child keeps the capability binding': async (target) => {
    const [name] = plainRead(target)
    equal(
      issued(await delegated(target, {}, { subject: 'agent:planner', capability: name })).capability,
      name,
      'capability',
    )
  },
  'a child cannot leave the capability binding': async (target) => {
    const [name] = plainRead(target)
    const other =
      Object.keys(target.manifest['capabilities']!).find((each) => each !== name) ?? doesNotApply('one capability only')
    fails(
      await delegated(target, { capability: other }, { subject: 'agent:planner', capability: name }),
      'scope_escalation',
    )
  },
  'chains end at the maximum depth': async (target) => {
    let { token, token_id } = await target.root({ subject: 'agent:0', max_delegation_depth: 1 })
    const next = (index: number) =>
      target.post(TOKENS, token, { scope: target.scopes, subject: `agent:${index}`, parent_token: token_id })
    ;({ token, token_id } = issued(await next(1)))
    fails(await next(2), 'delegation_depth_exceeded')
  },
  'a child may be issued with the credential of the subject of the parent': async (target) => {
    const { token_id } = await target.root()
    issued(await target.post(TOKENS, target.credentials.developer, { scope: target.scopes, parent_token: token_id }))
  },
})

const REVOKE = '/svc/tokens/revoke'
const revocation = cases('3', {
  'a revoked token is refused at once': async (target) => {
    const { token, token_id } = await target.root()
    const reply = await target.post(REVOKE, target.credentials.developer, { token_id })
    equal(reply.body, { revoked: true, token_id, descendants: 0 }, 'the answer')
    fails(await target.post('/svc/permissions', token, {}), 'token_revoked')
  },
  'revocation takes the descendants with it': async (target) => {
    const parent = await target.root({ subject: 'agent:planner' })
    const child = issued(
      await target.post(TOKENS, parent.token, {
        scope: target.scopes,
        subject: 'agent:w',
        parent_token: parent.token_id,
      }),
    )
    const reply = await target.post(REVOKE, target.credentials.developer, { token_id: parent.token_id })
    equal(reply.body['descendants'], 1, 'descendants')
    fails(await target.post('/svc/permissions', child.token, {}), 'token_revoked')
  },
  'a token may revoke itself': async (target) => {
    const { token, token_id } = await target.root()
    succeeds(await target.post(REVOKE, token, { token_id }))
  },
  'a child may not revoke its parent': async (target) => {
    const parent = await target.root({ subject: 'agent:planner' })
    const child = issued(
      await target.post(TOKENS, parent.token, {
        scope: target.scopes,
        subject: 'agent:w',
        parent_token: parent.token_id,
      }),
    )
    fails(await target.post(REVOKE, child.token, { token_id: parent.token_id }), 'insufficient_authority')
  },
  'a stranger may not revoke': async (target) => {
    const { approver = cannotTry('no approver credential') } = target.credentials
    if (!(await isAnother(target, approver))) cannotTry('the approver is no stranger')
    const { token_id } = await target.root()
    fails(await target.post(REVOKE, approver, { token_id }), 'insufficient_authority')
  },
})

const PROTECTED = ['/svc/permissions', '/svc/audit', '/svc/invoke/anything'] as const
const BAD_TOKENS = (token: string): { readonly [what: string]: string } => {
  const [header, payload, signature] = token.split('.') as [string, string, string]
  const none = Buffer.from('{"alg":"none","typ":"svc-delegation+jwt"}').toString('base64url')
  return {
    'without a signature': `${header}.${payload}.`,
    'with another signature': `${header}.${payload}.${signature.startsWith('A') ? 'B' : 'A'}${signature.slice(1)}`,
    'with another payload': `${header}.${Buffer.from('{}').toString('base64url')}.${signature}`,
    'with alg none': `${none}.${payload}.`,
    'that is no JWT': 'nonsense',
  }
}

const verification = [
  ...casesFor('5.7', PROTECTED, (path) => `${path} without a token is refused`, async (path, { post }) =>
    fails(await post(path, undefined, {}), 'authentication_required'),
  ),
  ...casesFor('5.7', PROTECTED, (path) => `${path} with a bootstrap credential is refused`, async (path, { post, credentials }) =>
    fails(await post(path, credentials.developer, {}), 'invalid_token'),
  ),
  ...casesFor('5.7', Object.keys(BAD_TOKENS('a.b.c')), (what) => `a token ${what} is refused`, async (what, target) =>
    fails(await target.post('/svc/permissions', BAD_TOKENS((await target.root()).token)[what], {}), 'invalid_token'),
  ),
  ...casesFor('5.2', ['bearer', 'BEARER'], (scheme) => `the scheme ${JSON.stringify(scheme)} is taken: its case says nothing`, async (scheme, target) => {
    const { token } = await target.root()
    const headers = { authorization: `${scheme} ${token}` }
    succeeds(await target.send('/svc/permissions', { method: 'POST', body: {}, headers }))
  }),
  ...casesFor('5.2', ['Bearer '], (scheme) => `the scheme ${JSON.stringify(scheme)} is taken: blanks say nothing`, async (scheme, target) => {
    const { token } = await target.root()
    const headers = { authorization: `${scheme} ${token}` }
    succeeds(await target.send('/svc/permissions', { method: 'POST', body: {}, headers }))
  }),
  ...casesFor('5.2', ['Basic'], (scheme) => `the scheme ${JSON.stringify(scheme)} is refused`, async (scheme, target) => {
    const { token } = await target.root()
    const headers = { authorization: `${scheme} ${token}` }
    fails(await target.send('/svc/permissions', { method: 'POST', body: {}, headers }), 'authentication_required')
  }),
] // prettier-ignore

export const tokenCases = [...roots, ...refusedBodies, ...children, ...widened, ...revocation, ...verification]
