/** What others have written steers no page, and takes no more of it than its place (threat N17). */
import { describe, expect, it } from 'vitest'
import { entry } from './entries.js'
import { asks } from './requests.js'
import { at, ME, openPage, type Answers } from './screen.js'

const API = 'GET /-/console/api'
const evil = (name: string): string => `\u202E${name}\u0007\u{E0041}${'x'.repeat(3000)}`
const who = (kind: string): string => `${kind}:${evil(kind)}`

const money = { currency: 'EUR', max_amount: 200, mode: 'cumulative' }
const decided = { status: 'approved', approver: who('human'), decided_at: at(-600), reason: evil('reason') }
const REQUEST = asks('hold', {
  requester: { subject: who('agent'), root_principal: who('human'), token_id: 't' },
  task_id: evil('task'),
  approver_scope: evil('scope'),
  approvals_needed: 2,
  approvals: 1,
  preview: { note: evil('note'), [evil('label')]: evil('value') },
  context: {
    description: evil('description'),
    token: { budget: money, spent: 50, task_id: evil('task'), expires_at: at(86_400) },
    delegation: [who('human'), who('service'), who('agent')],
    approved_by: [decided],
    earlier: { counts: { approved: 1 }, last: [decided] },
  },
})
const asked = (more: object = {}): Answers => ({
  [`${API}/me`]: { ...ME, person: { ...ME.person, tiers: [REQUEST.approver_scope], may_approve: ['hold'] } },
  [`${API}/approvals?status=pending&limit=200`]: { approval_requests: [{ ...REQUEST, ...more }] },
  [`${API}/approvals?limit=50`]: { approval_requests: [{ ...REQUEST, ...decided, ...more }] },
  [`${API}/approvals/apr_hold`]: { ...REQUEST, ...more },
})

const WRITTEN = { actor_key: who('agent'), root_principal: who('human'), task_id: evil('task') }
const ENTRIES = [
  entry(9, { ...WRITTEN, success: false, failure_type: 'sold_out', detail: evil('detail'), token_id: evil('token'), parameters: { [evil('input')]: evil('value') } }),
  entry(8, { ...WRITTEN, success: false, failure_type: 'rate_limited', detail: evil('detail') }),
  entry(7, { ...WRITTEN, entry_type: 'approval_denied', approval: { reason: evil('reason') } as never }),
  entry(6, { ...WRITTEN, entry_type: 'token_issued', issued: { subject: who('agent'), scope: [evil('scope')] } as never }),
  entry(5, { ...WRITTEN, entry_type: 'operator_action', operated: { name: 'pause', target: { name: evil('name') }, reason: evil('reason') } as never }),
  entry(4, { ...WRITTEN, entry_type: 'integrity_failure', capability: null, detail: evil('detail') }),
] // prettier-ignore
const trail: Answers = { [`${API}/trail?*`]: { entries: ENTRIES } }

const token = { token_id: 'root', root_principal: who('human'), subject: who('agent'), scope: [evil('scope')], capability: evil('capability'), task_id: evil('task'), depth: 0, state: 'live', issued_at: at(-100), expires_at: at(7200) } // prettier-ignore
const CHILD = { ...token, token_id: 'child', parent_token_id: 'root', depth: 1, scope: [], capability: evil('other'), task_id: evil('other'), expires_at: at(60) } // prettier-ignore
const tokens: Answers = {
  [`${API}/me`]: { ...ME, person: { ...ME.person, roles: ['operator'] } },
  [`${API}/tokens?*`]: { tokens: [token, CHILD] },
}

const CAPABILITY = {
  description: evil('description'),
  side_effect: { type: 'read' },
  minimum_scope: ['a'],
  inputs: [],
  response_modes: ['unary'],
  cost: { certainty: 'estimated', determined_by: evil('decider'), financial: { currency: 'EUR' } },
  business_effects: { produces: [evil('made')], does_not_produce: [evil('unmade')] },
  'x-failures': { sold_out: evil('failure') },
}
const capabilities: Answers = {
  'GET /svc/manifest': { service_identity: { id: 'travel' }, capabilities: { look: CAPABILITY } },
  'GET /tools.json': {
    tools: [{ capability: 'look', approval: 'never', minimum_scope: ['a'], input_schema: { type: 'object' } }],
  },
  'POST /-/console/api/try/permission': {
    available: [],
    restricted: [{ capability: 'look', reason: evil('reason') }],
    denied: [],
  },
}

type Screen = Awaited<ReturnType<typeof openPage>>

describe.each<[string, string, Answers, ((screen: Screen) => Promise<void>)?]>([
  ['the page of a request', '/approvals/apr_hold', asked()],
  ['a request without a preview', '/approvals/apr_hold', asked({ preview: undefined, context: { ...REQUEST.context, logged_inputs: { [evil('input')]: evil('value') } } })],
  ['a request that was denied', '/approvals/apr_hold', asked({ ...decided, status: 'denied' })],
  ['a request that was withdrawn', '/approvals/apr_hold', asked({ decided_at: at(-100), status: 'withdrawn' })],
  ['the inbox', '/approvals', asked()],
  ['what was decided', '/approvals/decided', asked()],
  ['the list of activity', '/activity', trail, (screen) => screen.event('from')],
  ['the page of a call that failed', '/activity/inv-000000000009', { [`${API}/trail?*`]: { entries: [ENTRIES[0]] } }],
  ['the page of a call that was refused', '/activity/inv-000000000008', { [`${API}/trail?*`]: { entries: [ENTRIES[1]] } }],
  ['the tokens', '/tokens', tokens],
  ['the revocation of a token', '/tokens', tokens, (screen) => screen.click('Revoke…')],
  ['the catalogue', '/capabilities', capabilities],
  ['the page of a capability', '/capabilities/look', capabilities],
])('%s', (_, path, answers, act) => {
  it('shows what cannot be seen, and of each text no more than its place has', async () => {
    const screen = await openPage(path, answers)
    await act?.(screen)
    const html = screen.window.document.documentElement.outerHTML
    expect(html).toContain('\\u{202E}')
    expect(html.match(/[\u202E\u0007\u{E0041}]/u)).toBeNull()
    expect(html.match(/x{1001}/u)).toBeNull()
  })
}) // prettier-ignore
