import { verifyDetached } from '../crypto/jws/jws.js'
import { canonicalBytes } from '../crypto/json/canonical.js'
import { isDeepStrictEqual } from 'node:util'
import { ringKeysOf } from '../crypto/keys/key-ring.js'
import type { Jwks } from '../protocol/jwk.js'
import type { JsonObject } from '../protocol/manifest.js'
import { cases, casesFor } from './case.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import { DIGEST, equal, fails, holds, matches, succeeds, TIMESTAMP } from './expect.js'
import { grantBy, byApprover, mayHaveApproverScope, pending } from './asked.js'
import { preparedParameters, tokenFor, unlike } from './samples.js'
import { isAnother } from './others.js'
import type { LooseJson, ServiceUnderTest } from './target.js'

const ONE_TIME = { grant_type: 'one_time' }

const grant = (target: ServiceUnderTest, bearer: string | undefined, id: string, body: object = ONE_TIME) =>
  target.post('/svc/approval_grants', bearer, { approval_request_id: id, ...body })

async function granted(target: ServiceUnderTest) {
  const asked = await pending(target)
  const reply = await grantBy(target, asked)
  succeeds(reply)
  return { ...asked, grant: reply.body, grantId: reply.body['grant_id'] as unknown as string }
}

const requests = cases('2.12', {
  'approval_required carries what a grant must bind': async (target) => {
    const { reply, failure } = await pending(target)
    fails(reply, 'approval_required')
    matches(failure['approval_request_id'], /^apr_/u, 'approval_request_id')
    matches(failure['requested_parameters_digest'], DIGEST, 'requested_parameters_digest')
    holds(Array.isArray(failure['grant_policy']?.['allowed_grant_types']), 'grant_policy is missing')
  },
  'an id that is none, as abc, is refused': async (target) => {
    const { token, approver, name, parameters } = await pending(target)
    const read = await target.send('/svc/approval_requests/abc', { bearer: token })
    const denied = await target.post('/svc/approval_requests/abc/deny', approver, {})
    const used = await target.invoke(name, token, { parameters, approval_grant: 'abc' })
    for (const reply of [read, byApprover(denied), byApprover(await grant(target, approver, 'abc'))])
      fails(reply, 'approval_request_not_found')
    fails(used, 'approval_grant_invalid')
  },
  'the same call asks once': async (target) => {
    const { name, token, parameters, id } = await pending(target)
    equal(
      (await target.invoke(name, token, { parameters })).body['failure']?.['approval_request_id'],
      id,
      'approval_request_id',
    )
  },
  'the requester can read the request': async (target) => {
    const { token, id } = await pending(target)
    equal((await target.send(`/svc/approval_requests/${id}`, { bearer: token })).body['status'], 'pending', 'status')
  },
  'the approver can list it': async (target) => {
    const { approver, id } = await pending(target)
    const list = await target.send('/svc/approval_requests?status=pending&limit=1000', { bearer: approver })
    const { body } = byApprover(list)
    holds(
      (body['approval_requests'] as unknown as readonly LooseJson[]).some(
        (each) => (each['approval_request_id'] as unknown) === id,
      ),
      'it is not listed',
    )
  },
  'a stranger cannot read it': async (target) => {
    const asked = await pending(target)
    const { id } = asked
    const { agent = cannotTry('no agent credential') } = target.credentials
    if (!(await isAnother(target, agent))) cannotTry('the credential of the agent is of the requester')
    if (await mayHaveApproverScope(target, agent, asked)) cannotTry('the agent may approve')
    fails(await target.send(`/svc/approval_requests/${id}`, { bearer: agent }), 'approval_request_not_found')
  },
  'a denied request stays denied': async (target) => {
    const asked = await pending(target, { once: true })
    const denied = byApprover(
      await target.post(`/svc/approval_requests/${asked.id}/deny`, asked.approver, { reason: 'No.' }),
    )
    equal([denied.body['status'], denied.body['reason']], ['denied', 'No.'], 'the request')
    fails(await grantBy(target, asked), 'approval_request_closed')
  },
  'a withdrawn request stays withdrawn': async (target) => {
    const asked = await pending(target)
    const withdrawn = await target.post(`/svc/approval_requests/${asked.id}/withdraw`, asked.token, {})
    equal(withdrawn.body['status'], 'withdrawn', 'status')
    fails(await grantBy(target, asked), 'approval_request_closed')
  },
})

const grants = cases('4.7', {
  'a grant has the fields of section 2.12': async (target) => {
    const { grant: body, id, name, failure, terms } = await granted(target)
    matches(body['grant_id'], /^grt_/u, 'grant_id')
    equal(
      [body['approval_request_id'], body['capability'], body['grant_type'], body['session_id']],
      [id, name, terms['grant_type'], terms['session_id'] ?? null],
      'the grant',
    )
    equal(body['parameters_digest'], failure['requested_parameters_digest'], 'parameters_digest')
    equal(body['max_uses'], 1, 'max_uses')
    matches(body['expires_at'], TIMESTAMP, 'expires_at')
  },
  'a grant without grant_type has that of the policy': async (target) => {
    const asked = await pending(target)
    const { failure } = asked
    const { body } = await grantBy(target, asked, { grant_type: null, session_id: null })
    const type = failure['grant_policy']?.['default_grant_type'] as unknown
    if (type === 'one_time') equal(body['grant_type'], type, 'grant_type')
    else holds(body['grant_type'] === type || body['failure']?.['type'] === 'grant_policy_violation', 'another type')
  },
  'the signature of a grant verifies against the JWKS': async (target) => {
    const { signature, ...rest } = (await granted(target)).grant as unknown as JsonObject & { signature: string }
    const { keys } = (await target.send('/.well-known/jwks.json')).body as unknown as Jwks
    holds(
      verifyDetached(signature, canonicalBytes(rest), ringKeysOf(keys, 'tokens')) !== undefined,
      'the signature does not verify',
    )
  },
  'a continuation with the grant runs': async (target) => {
    const { name, token, parameters, grantId } = await granted(target)
    succeeds(await target.invoke(name, token, { parameters, approval_grant: grantId }))
  },
  'a one_time grant is used once': async (target) => {
    const { name, token, parameters, grantId, terms } = await granted(target)
    if (terms['grant_type'] !== 'one_time') doesNotApply('the service grants for sessions only')
    await target.invoke(name, token, { parameters, approval_grant: grantId })
    const again = await target.invoke(name, token, { parameters, approval_grant: grantId })
    fails(again, 'approval_grant_invalid')
    equal(again.body['failure']!['reason'], 'consumed', 'reason')
  },
  'eight continuations at once have one effect': async (target) => {
    const { name, token, parameters, grantId } = await granted(target)
    const replies = await Promise.all(
      Array.from({ length: 8 }, () => target.invoke(name, token, { parameters, approval_grant: grantId })),
    )
    equal(replies.filter(({ status }) => status === 200).length, 1, 'successes')
  },
  'a grant does not cover other parameters': async (target) => {
    const { name, named, token, grantId, parameters: given } = await granted(target)
    const again = await preparedParameters(target, token, named)
    const repeats = isDeepStrictEqual(again, given)
    const parameters =
      (repeats ? unlike(named[1], again) : again) ?? cannotTry(`the inputs of ${name} cannot be varied`)
    const reply = await target.invoke(name, token, { parameters, approval_grant: grantId })
    fails(reply, 'approval_grant_invalid')
    equal(reply.body['failure']!['reason'], 'parameters_mismatch', 'reason')
  },
  'a grant does not serve another requester': async (target) => {
    const { name, named, parameters, grantId, terms } = await granted(target)
    if (named[1]['requires_principal'] !== undefined) cannotTry(`only its root principal may call ${name}`)
    const token = await tokenFor(target, named, {
      subject: 'agent:somebody.else',
      session_id: terms['session_id'] ?? null,
    })
    const reply = await target.invoke(name, token, { parameters, approval_grant: grantId })
    fails(reply, 'approval_grant_invalid')
    equal(reply.body['failure']!['reason'], 'requester_mismatch', 'reason')
  },
  'an unknown grant is not found': async (target) => {
    const { name, token, parameters } = await pending(target)
    const reply = await target.invoke(name, token, { parameters, approval_grant: 'grt_unknown' })
    fails(reply, 'approval_grant_invalid')
    equal(reply.body['failure']!['reason'], 'not_found', 'reason')
  },
  'two approvers cannot grant the same request': async (target) => {
    const asked = await pending(target)
    const replies = await Promise.all([grantBy(target, asked), grantBy(target, asked), grantBy(target, asked)])
    equal(replies.map(({ status }) => status).sort(), [200, 409, 409], 'statuses')
  },
  'the root principal of the requester may not approve': async (target) => {
    const { id, terms } = await pending(target)
    const reply = await grant(target, target.credentials.developer, id, terms)
    if (reply.status === 200) doesNotApply('the service lets people approve what they ask for')
    fails(reply, 'approver_not_authorized')
  },
  'an agent may not approve': async (target) => {
    const { id, terms } = await pending(target)
    const reply = await grant(target, target.credentials.agent ?? cannotTry('no agent credential'), id, terms)
    if (reply.status === 200) doesNotApply('the service lets agents approve')
    fails(reply, 'approver_not_authorized')
  },
  'the requester may not approve with its token': async (target) => {
    const { token, id } = await pending(target)
    fails(await grant(target, token, id), 'approver_not_authorized')
  },
  'without a credential nothing is granted': async (target) =>
    fails(await grant(target, undefined, (await pending(target)).id), 'authentication_required'),
  'an unknown request is not found by an approver': async (target) =>
    fails(await grantBy(target, { ...(await pending(target)), id: 'apr_unknown' }), 'approval_request_not_found'),
  'who may not approve learns nothing about ids': async (target) => {
    const { id } = await pending(target)
    const [known, other] = await Promise.all([
      grant(target, target.credentials.developer, id),
      grant(target, target.credentials.developer, 'apr_unknown'),
    ])
    if (known.status === 200) doesNotApply('the service lets people approve what they ask for')
    if (other.status === 404) cannotTry('the credential may approve what others ask for')
    equal([known.status, known.body], [other.status, other.body], 'the answer')
  },
})

const OUTSIDE = [
  ['an unknown grant_type', { grant_type: 'forever' }, 'invalid_parameters'],
  ['max_uses 0', { max_uses: 0 }, 'invalid_parameters'], ['max_uses 1.5', { max_uses: 1.5 }, 'invalid_parameters'], ['max_uses as text', { max_uses: '1' }, 'invalid_parameters'],
  ['too many uses', { max_uses: 1_000_000 }, 'grant_policy_violation'], ['a negative expiry', { expires_in_seconds: -1 }, 'invalid_parameters'],
  ['a distant expiry', { expires_in_seconds: 1_000_000_000 }, 'grant_policy_violation'], ['a session for one_time', { session_id: 's-1' }, 'grant_policy_violation'],
  ['session_bound without a session', { grant_type: 'session_bound' }, 'grant_policy_violation'], ['a capability of its own', { capability: 'other' }, 'invalid_parameters'],
  ['a digest of its own', { parameters_digest: 'sha256:00' }, 'invalid_parameters'],
] as const // prettier-ignore

const outside = casesFor('4.7', OUTSIDE, ([what]) => `a grant with ${what} is refused, and the request stays pending`, async ([, body, type], target) => {
  const asked = await pending(target)
  const { id, token } = asked
  fails(await grantBy(target, asked, { grant_type: 'one_time', ...body }), type)
  equal((await target.send(`/svc/approval_requests/${id}`, { bearer: token })).body['status'], 'pending', 'status')
}) // prettier-ignore

export const approvalCases = [...requests, ...grants, ...outside]
