import type { AuditEntry } from '../protocol/audit.js'
import { byApprover, pending } from './asked.js'
import { cases } from './case.js'
import { equal, fails, holds, matches, succeeds } from './expect.js'
import { issued, textsIn, type ServiceUnderTest } from './target.js'

async function entriesAbout(target: ServiceUnderTest, token: string, query: string): Promise<readonly AuditEntry[]> {
  const reply = await target.send(`/svc/audit?${query}`, { method: 'POST', bearer: token })
  succeeds(reply)
  return reply.body['entries'] as unknown as readonly AuditEntry[]
}

/** The caller classes that discovery names, and that the developer is entitled to; and none. */
async function tokensOfClasses(target: ServiceUnderTest): Promise<readonly string[]> {
  const named = textsIn(target.discovery['metadata_disclosure']?.['caller_class'])
  const classes = named.filter((each) => each !== 'default')
  const replies = await Promise.all(
    classes.map((caller_class) =>
      target.post('/svc/tokens', target.credentials.developer, { scope: target.scopes, caller_class }),
    ),
  )
  const taken = replies.filter(({ status }) => status === 200).map((reply) => issued(reply).token)
  return [(await target.root()).token, ...taken]
}

/** A denial of a request by an approver, with a reason. */
async function denied(target: ServiceUnderTest) {
  const { reply, token, id, failure, approver } = await pending(target, { once: true })
  fails(reply, 'approval_required')
  succeeds(byApprover(await target.post(`/svc/approval_requests/${id}/deny`, approver, { reason: 'Not this week.' })))
  return { token, id, failure }
}

export const disclosureCases = cases('2.10', {
  'the trail tells a caller no more of a failure than its answer did': async (target) => {
    for (const token of await tokensOfClasses(target)) {
      const { body } = await target.invoke('no_such_thing', token)
      const [entry] = await entriesAbout(target, token, `invocation_id=${String(body['invocation_id'])}`)
      equal(entry?.detail ?? undefined, body['failure']!['detail'], 'detail on the trail')
    }
  },
  'the trail says what a token was given': async (target) => {
    const { token, token_id } = await target.root({ subject: 'agent:planner', budget: { currency: 'EUR', max_amount: 7 } })
    const entry = (await entriesAbout(target, token, 'limit=1000')).find((each) => each.entry_type === 'token_issued' && each.token_id === token_id)
    const said = JSON.stringify(entry ?? {})
    for (const given of ['agent:planner', ...target.scopes, '"max_amount":7']) holds(said.includes(given), `the entry of the token lacks ${given}`)
  },
  'the trail has the reason of a denial, and the digests of what the approver saw': async (target) => {
    const { token, id, failure } = await denied(target)
    const entries = await entriesAbout(target, token, `approval_request_id=${id}`)
    for (const type of ['approval_requested', 'approval_denied']) {
      const text = JSON.stringify(entries.find((each) => each.entry_type === type) ?? {})
      for (const digest of [failure['requested_parameters_digest'], failure['preview_digest'] ?? ''])
        holds(text.includes(digest as string), `${type} on the trail lacks the digest ${String(digest)}`)
      const isTold = target.discovery['metadata_disclosure'] === undefined || text.includes('reason')
      if (type === 'approval_denied' && isTold) matches(text, /Not this week\./u, 'the entry of the denial')
    }
  },
}) // prettier-ignore
