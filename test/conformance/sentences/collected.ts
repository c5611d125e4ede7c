/** Documents and answers of a service: one for each thing that the interface document describes. */
import type { JsonObject } from '../../../src/protocol/manifest.js'

interface Answer {
  readonly status: number
  readonly headers: { readonly [name: string]: string }
  readonly body: Loose
}
export type Loose = { readonly [name: string]: Loose } & string & number & readonly Loose[]

const sleep = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))
const ALL = ['letter.read', 'letter.book']

/** Asks a service for everything, in an order in which each answer has what the next question needs. */
export async function collect(url: string) {
  const ask = async (method: string, path: string, bearer?: string, body?: object): Promise<Answer> => {
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(bearer !== undefined && { authorization: `Bearer ${bearer}` }),
        ...(body !== undefined && { 'content-type': 'application/json' }),
      },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    })
    const text = await response.text()
    return { status: response.status, headers: Object.fromEntries(response.headers), body: (text.startsWith('{') ? JSON.parse(text) : text) as Loose } // prettier-ignore
  }
  const token = async (body: object = {}, bearer = 'ana-key') =>
    (await ask('POST', '/svc/tokens', bearer, { scope: ALL, ...body })).body
  const invoke = (name: string, by: Loose, parameters: JsonObject = {}, more: object = {}) =>
    ask('POST', `/svc/invoke/${name}`, by['token'], { parameters, ...more })
  const claims = (of: Loose) => {
    const [, payload = ''] = String(of['token']).split('.')
    return JSON.parse(Buffer.from(payload, 'base64url').toString()) as Loose
  }

  const EUR = { budget: { currency: 'EUR', max_amount: 500 } }
  const agent = { subject: 'agent:planner' }
  const root = await token({ ...agent, ...EUR, purpose_parameters: { task_id: 't-1', note: 'x' }, session_id: 's-1' })
  const plain = await token({ ...agent })
  const partner = await token({ ...agent, caller_class: 'partner' })
  const bound = await token({ capability: 'bound' })
  const child = await token({ subject: 'agent:worker', parent_token: root['token_id'] }, root['token'])
  const own = await token()
  const narrow = await token({ scope: ['letter.read'], ...agent })

  const quote = async () => (await invoke('quote', plain)).body['result']!['quote'] as string
  const lineage = { client_reference_id: 'ref-1', task_id: 't-1', parent_invocation_id: 'inv-0123456789ab', upstream_service: 'concierge' } // prettier-ignore
  const echoed = await invoke('resolve', root, { said: 'x' }, lineage)
  const permissions = {
    of_root: await ask('POST', '/svc/permissions', plain['token'], {}),
    of_narrow: await ask('POST', '/svc/permissions', narrow['token'], {}),
  }

  const parameters = { quote: await quote() }
  const asked = await invoke('book', root, parameters)
  const id = String(asked.body['failure']!['approval_request_id'])
  const request = await ask('GET', `/svc/approval_requests/${id}`, 'bob-key')
  const grant = await ask('POST', '/svc/approval_grants', 'bob-key', {
    approval_request_id: id,
    grant_type: 'one_time',
  })
  const approval_grant = grant.body['grant_id']!
  const elsewhere = await invoke('buy', root, { count: 1 }, { approval_grant })
  const otherwise = await invoke('book', root, { quote: await quote() }, { approval_grant })
  const continued = await invoke('book', root, parameters, { approval_grant })
  const again = await invoke('book', root, parameters, { approval_grant })

  const granted = async (terms: object) => {
    const given = { quote: await quote() }
    const { body } = await invoke('book', root, given)
    const approval_request_id = body['failure']!['approval_request_id']
    const made = await ask('POST', '/svc/approval_grants', 'bob-key', { approval_request_id, ...terms })
    return { given, made, approval_grant: made.body['grant_id']! }
  }
  const session = await granted({ grant_type: 'session_bound', session_id: 's-1', max_uses: 2 })
  const stranger = await token({
    ...agent,
    ...EUR,
    purpose_parameters: { task_id: 't-1', note: 'x' },
    session_id: 's-2',
  })
  const brief = await granted({ grant_type: 'one_time', expires_in_seconds: 1 })
  const ended = await token({ ttl_hours: 1 / 3600 })
  const stale = { quote: await quote() }
  await sleep(1_200)

  const revoked = await token({ ...agent })
  await ask('POST', '/svc/tokens/revoke', 'ana-key', { token_id: revoked['token_id'] })
  const small = await token({ ...agent, budget: { currency: 'EUR', max_amount: 1 } })
  const dollars = await token({ ...agent, budget: { currency: 'USD', max_amount: 500 } })
  const failures = {
    non_delegable_action: await invoke('close', plain),
    budget_exceeded: await invoke('reserve', small),
    budget_exceeded_by_bound: await invoke('gift', small),
    budget_exceeded_by_quote: await invoke('book', small, { quote: await quote() }),
    budget_currency_mismatch: await invoke('reserve', dollars),
    budget_not_enforceable: await invoke('guess', root),
    binding_missing: await invoke('hasty', root),
    binding_stale: await invoke('hasty', root, stale),
    control_requirement_unsatisfied: await invoke('book', plain, { quote: await quote() }),
    scope_insufficient: await invoke('reserve', narrow),
    purpose_mismatch: await invoke('quote', bound),
    task_mismatch: await invoke('quote', root, {}, { task_id: 't-2' }),
    invalid_token: await ask('POST', '/svc/permissions', `${plain['token']}x`, {}),
    token_expired: await ask('POST', '/svc/permissions', ended['token'], {}),
    token_revoked: await ask('POST', '/svc/permissions', revoked['token'], {}),
    authentication_required: await ask('POST', '/svc/permissions', undefined, {}),
    unknown_credential: await ask('POST', '/svc/tokens', 'nobody', { scope: ALL }),
    approval_required: asked,
    clarification_required: await invoke('resolve', plain),
    ambiguous: await invoke('resolve', plain, { said: 'x', found: 'either' }),
    denied: await invoke('buy', root),
    closed: await invoke('resolve', plain, { said: 'x', closed: 'z' }),
    policy: await invoke('resolve', plain, { said: 'x', own: 'me' }),
    grant_of_an_agent: await ask('POST', '/svc/approval_grants', 'bot-key', { approval_request_id: id, grant_type: 'one_time' }), // prettier-ignore
  }
  const continuations = {
    another_capability: elsewhere,
    other_parameters: otherwise,
    used: again,
    another_session: await invoke('book', stranger, session.given, { approval_grant: session.approval_grant }),
    expired: await invoke('book', root, brief.given, { approval_grant: brief.approval_grant }),
  }
  const bounds = await checkpointsOf(ask)
  const audit = await ask('POST', '/svc/audit', root['token'])
  const others = await ask('POST', '/svc/audit', (await token({ scope: ['letter.read'] }, 'bot-key'))['token'])
  return {
    discovery: await ask('GET', '/.well-known/svc'),
    jwks: await ask('GET', '/.well-known/jwks.json'),
    manifest: await ask('GET', '/svc/manifest'),
    tokens: { root, plain, bound, child, own, partner },
    claims: { root: claims(root), plain: claims(plain), bound: claims(bound), child: claims(child), own: claims(own), partner: claims(partner) }, // prettier-ignore
    permissions,
    invocations: {
      plain: await invoke('resolve', plain, { said: 'x' }),
      echoed,
      priced: await invoke('reserve', root),
      bound: await invoke('gift', root),
      composed: await invoke('stay', plain),
      continued,
      resolved: await invoke('resolve', plain, { said: 'x', found: 'known', closed: 'b', picked: 'p', mine: 'm' }),
      in_session: await invoke('book', root, session.given, { approval_grant: session.approval_grant }),
    },
    failures,
    continuations,
    request,
    grant,
    session_grant: session.made,
    audit,
    others,
    ...bounds,
    rate_limited: await refusedForRate(ask, (await token({ scope: ['letter.read'] }, 'eve-key'))['token']!),
  } // prettier-ignore
}

type Ask = (method: string, path: string, bearer?: string, body?: object) => Promise<Answer>

/** The first checkpoints: the list form, and the newest in detail. */
async function checkpointsOf(ask: Ask) {
  for (let attempt = 0; ; attempt += 1) {
    const checkpoints = await ask('GET', '/svc/checkpoints')
    const [newest] = checkpoints.body['checkpoints'] as unknown as readonly Loose[]
    if (newest !== undefined)
      return { checkpoints, checkpoint: await ask('GET', `/svc/checkpoints/${newest['checkpoint_id']}`) }
    if (attempt > 60) throw new Error('no checkpoint within 15 s')
    await sleep(250)
  }
}

/** Queries of the trail by somebody else, until the service answers no more of them. */
async function refusedForRate(ask: Ask, bearer: string): Promise<Answer> {
  for (let attempt = 0; attempt < 100; attempt += 1) {
    const answer = await ask('POST', '/svc/audit', bearer)
    if (answer.status === 429) return answer
  }
  throw new Error('no rate is limited')
}

export type Collected = Awaited<ReturnType<typeof collect>>
