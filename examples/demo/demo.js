/**
 * The whole path, against a real server: scaffold, validate, build, sign, start; then an agent that discovers, delegates, searches,
 * is refused, asks for approval, continues with a grant, and verifies what was recorded. `--keep` leaves the server running.
 */
import { verifyCheckpoint, verifyInclusion, verifyManifest } from './verify.js'
import { credentials, remove, scaffold, start, svc } from './project.js'
import { narrate } from './narrate.js'

const ROOT_REQUEST = {
  subject: 'human:developer@localhost',
  scope: ['travel.search', 'travel.book'],
  budget: { currency: 'EUR', max_amount: 1000 },
}
const CHILD_REQUEST = {
  subject: 'agent:assistant',
  scope: ['travel.search', 'travel.book'],
  purpose_parameters: { task_id: 'trip-to-berlin' },
  budget: { currency: 'EUR', max_amount: 300 },
}

const keep = process.argv.includes('--keep')
const { step, summary } = narrate()
const folder = await step(
  'svc init',
  () => scaffold(),
  () => 'the travel template in a temporary folder, with keys',
)

let running
process.once('SIGINT', () => void end(130))
try {
  await step(
    'svc validate',
    () => svc(folder, 'validate'),
    () => 'no problems',
  )
  await step(
    'svc build',
    () => svc(folder, 'build'),
    () => 'generated/ and dist/',
  )
  await step(
    'svc sign',
    () => svc(folder, 'sign'),
    () => 'dist/manifest.json, manifest.jws, jwks.json',
  )
  running = await step(
    'npm start',
    () => start(folder),
    ({ url }) => `ready on ${url}`,
  )
  await converse(running.url, credentials(folder))
  summary(keep ? { url: running.url, folder, pid: running.server.pid } : undefined)
  if (keep) running.server.unref()
  else await end(0)
} catch (error) {
  console.error(`\n${error instanceof Error ? error.message : String(error)}`)
  await end(1)
}

/** Leaves nothing behind. */
async function end(code) {
  await running?.stop()
  remove(folder)
  process.exit(code)
}

async function converse(url, keys) {
  const send = caller(url)
  const discovery = await step(
    'discover',
    () => send('GET', '/.well-known/svc'),
    ({ body }) =>
      `${Object.keys(body.svc_discovery.capabilities).length} capabilities, trust level ${body.svc_discovery.trust.level}`,
  )
  const paths = discovery.body.svc_discovery.endpoints
  const jwks = (await send('GET', '/.well-known/jwks.json')).body
  await step(
    'verify the manifest',
    () => verifyManifest(url + paths.manifest, jwks),
    (kid) => `signed by key ${kid.slice(0, 12)}…, digest and signature are right`,
  )

  const root = await step(
    'root token',
    () => send('POST', paths.tokens, keys.developer, ROOT_REQUEST),
    ({ body }) => `${body.token_id.slice(0, 12)}… with ${body.scope.join(', ')}`,
  )
  const child = await step(
    'delegate',
    () => send('POST', paths.tokens, root.body.token, { ...CHILD_REQUEST, parent_token: root.body.token_id }),
    ({ body }) =>
      `agent:assistant may ${body.scope.join(', ')}, at most ${body.budget.max_amount} ${body.budget.currency} a call`,
  )
  const agent = child.body.token
  const search = await step(
    'search',
    () => invoke(send, paths, agent, 'search_flights', { origin: 'LIS', destination: 'BER', date: '2030-05-01' }),
    ({ body }) =>
      `${body.result.flights.length} flights from ${body.result.flights[0].price.amount} ${body.result.flights[0].price.currency}, each with a quote`,
  )
  const { flights } = search.body.result
  const [cheap, dear] = [flights[0], flights.at(-1)]
  await step(
    'book over budget',
    () => invoke(send, paths, agent, 'book_flight', { quote_id: dear.quote_id, passengers: 1 }, 'budget_exceeded'),
    ({ body }) =>
      `refused: ${body.failure.type}, checked ${body.budget_context.cost_check_amount} against ${body.budget_context.budget_max}; next: ${body.failure.resolution.action}`,
  )
  const parameters = { quote_id: cheap.quote_id, passengers: 1 }
  const asked = await step(
    'book within budget',
    () => invoke(send, paths, agent, 'book_flight', parameters, 'approval_required'),
    ({ body }) => `refused: ${body.failure.type}, request ${body.failure.approval_request_id.slice(0, 12)}… is pending`,
  )
  const grant = await step(
    'approve',
    () =>
      send('POST', paths.approval_grants, keys.approver, {
        approval_request_id: asked.body.failure.approval_request_id,
        grant_type: 'one_time',
      }),
    ({ body }) => `${body.approver} signed ${body.grant_id.slice(0, 12)}… for ${body.max_uses} use`,
  )
  const booked = await step(
    'continue',
    () => invoke(send, paths, agent, 'book_flight', parameters, undefined, { approval_grant: grant.body.grant_id }),
    ({ body }) => `booked ${body.result.booking_id}, cost ${body.cost_actual.amount} ${body.cost_actual.currency}`,
  )
  await step(
    'audit',
    () => send('POST', paths.audit, agent),
    ({ body }) =>
      `${body.entries.length} entries; the newest: ${body.entries[0].event_class} of ${body.entries[0].capability}`,
  )
  await step(
    'verify the trail',
    () => prove(send, paths, jwks, booked.body.invocation_id),
    ({ sequence, size }) => `the booking is entry ${sequence} of ${size} under a signed checkpoint`,
  )
}

async function prove(send, paths, jwks, invocation) {
  for (let attempt = 0; attempt < 100; attempt++) {
    const [latest] = (await send('GET', `${paths.checkpoints}?limit=1`)).body.checkpoints
    if (latest !== undefined) {
      const { status, body } = await send(
        'GET',
        `${paths.checkpoints}/${latest.checkpoint_id}?invocation_id=${invocation}`,
        undefined,
        undefined,
        [200, 404],
      )
      if (status === 200) {
        verifyCheckpoint(body, jwks)
        verifyInclusion(body)
        return { sequence: body.inclusion_proof.leaf_index + 1, size: body.tree_size }
      }
    }
    await new Promise((done) => setTimeout(done, 100))
  }
  throw new Error('No checkpoint covered the booking within 10 s.')
}

/** Sends a request; throws with the answer when its status is not expected. */
function caller(url) {
  return async (method, path, credential, body, expected = [200]) => {
    const answer = await fetch(url + path, {
      method,
      signal: AbortSignal.timeout(30_000),
      headers: {
        ...(credential && { Authorization: `Bearer ${credential}` }),
        ...(body && { 'Content-Type': 'application/json' }),
      },
      ...(body && { body: JSON.stringify(body) }),
    })
    const parsed = await answer.json()
    if (!expected.includes(answer.status))
      throw new Error(`${method} ${path} answered ${answer.status}: ${JSON.stringify(parsed)}`)
    return { status: answer.status, body: parsed }
  }
}

/** Invokes a capability; `refusal` is the failure type that must come, if one must. */
async function invoke(send, paths, token, capability, parameters, refusal, more = {}) {
  const path = paths.invoke.replace('{capability}', capability)
  const answer = await send(
    'POST',
    path,
    token,
    { parameters, ...more },
    refusal === undefined ? [200] : [400, 403, 409, 422],
  )
  if (answer.body.failure?.type !== refusal)
    throw new Error(`Expected ${refusal ?? 'success'}: ${JSON.stringify(answer.body)}`)
  return answer
}
