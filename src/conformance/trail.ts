import { verifyCheckpoint } from '../crypto/merkle/checkpoint.js'
import { canonicalText } from '../crypto/json/canonical.js'
import { formatHash, parseHash } from '../crypto/json/digest.js'
import { ringKeysOf } from '../crypto/keys/key-ring.js'
import { leafHash } from '../crypto/merkle/merkle.js'
import { verifyConsistency, verifyInclusion } from '../crypto/merkle/merkle-verify.js'
import type { AuditEntry, Checkpoint, CheckpointDetail } from '../protocol/audit.js'
import { cadenceMs } from '../protocol/durations.js'
import type { Jwks } from '../protocol/jwk.js'
import { cases, casesFor } from './case.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import { DIGEST, equal, fails, holds, matches, succeeds, TIMESTAMP } from './expect.js'
import { parametersOf, plainRead } from './samples.js'
import { tokenBy } from './others.js'
import { subjectOf, type ServiceUnderTest } from './target.js'

async function audited(target: ServiceUnderTest, query: string, token: string): Promise<readonly AuditEntry[]> {
  const reply = await target.send(`/svc/audit${query}`, { method: 'POST', bearer: token })
  succeeds(reply)
  return reply.body['entries'] as unknown as readonly AuditEntry[]
}

/** One successful invocation with a reference of its own, and its entry. */
async function recorded(target: ServiceUnderTest, more: object = {}) {
  const [name, declared] = plainRead(target)
  const issued = await target.root()
  const reply = await target.invoke(name, issued.token, { parameters: parametersOf(declared), ...more })
  const id = reply.body['invocation_id'] as unknown as string
  const [entry] = await audited(target, `?invocation_id=${id}`, issued.token)
  return { ...issued, name, declared, reply, id, entry: entry ?? doesNotApply('the invocation has no entry') }
}

const FIELDS = [
  'invocation_id',
  'capability',
  'actor_key',
  'root_principal',
  'event_class',
  'success',
  'client_reference_id',
  'task_id',
  'parent_invocation_id',
  'approval_request_id',
  'approval_grant_id',
  'token_id',
  'timestamp',
] as const

/** A token of another principal than the developer's: of the approver or the agent, of any scope that they may have. */
async function tokenOfAnother(target: ServiceUnderTest): Promise<string> {
  const { approver, agent } = target.credentials
  for (const credential of [approver, agent]) {
    const token = credential === undefined ? undefined : await tokenBy(target, credential)
    if (token !== undefined && subjectOf(token) !== target.principal) return token
  }
  return cannotTry('neither the approver nor the agent is another principal that may have a token')
}

const trail = [
  ...casesFor('2.14', FIELDS, (field) => `an entry has ${field}`, async (field, target) => holds(field in (await recorded(target)).entry, 'it is missing')),
  ...cases('4.8', {
    'an invocation is on the trail when it is answered, once': async (target) => {
      const { id, token } = await recorded(target)
      equal((await audited(target, `?invocation_id=${id}`, token)).length, 1, 'entries')
    },
    'the entry says who, what and how': async (target) => {
      const { entry, name, token_id, reply } = await recorded(target, { client_reference_id: 'ref-7' })
      equal([entry.capability, entry.token_id, entry.success, entry.client_reference_id], [name, token_id, reply.status === 200, 'ref-7'], 'the entry')
      matches(entry.timestamp, TIMESTAMP, 'timestamp')
    },
    'only the inputs that are logged are kept': async (target) => {
      const { entry, declared } = await recorded(target)
      const logged = (declared['observability']?.['fields_logged'] ?? []) as readonly unknown[]
      equal(Object.keys(entry.parameters).filter((name) => !logged.includes(name)), [], 'other parameters')
    },
    'a failure is on the trail': async (target) => {
      const [name] = plainRead(target)
      const { token } = await target.root()
      const reply = await target.invoke(name, token, { parameters: { no_such_input: 1 } })
      const [entry] = await audited(target, `?invocation_id=${String(reply.body['invocation_id'])}`, token)
      equal([entry?.success, entry?.failure_type], [false, 'invalid_parameters'], 'the entry')
    },
    'an unknown capability is on the trail': async (target) => {
      const { token } = await target.root()
      const reply = await target.invoke('no_such_thing', token)
      equal((await audited(target, `?invocation_id=${String(reply.body['invocation_id'])}`, token)).length, 1, 'entries')
    },
    'entries come newest first': async (target) => {
      const { token } = await recorded(target)
      const sequences = (await audited(target, '', token)).map(({ sequence }) => sequence)
      equal(sequences, [...sequences].sort((a, b) => b - a), 'the order')
    },
    'pages follow each other': async (target) => {
      const { token } = await recorded(target)
      const first = await target.send('/svc/audit?limit=1', { method: 'POST', bearer: token })
      const [second] = await audited(target, `?limit=1&cursor=${String(first.body['next_cursor'])}`, token)
      const [newest] = first.body['entries'] as unknown as readonly AuditEntry[]
      holds(second !== undefined && second.sequence < newest!.sequence, 'the second page is not older')
    },
    'since is exclusive and may have an offset': async (target) => {
      const { token, entry } = await recorded(target)
      equal((await audited(target, `?since=${encodeURIComponent(entry.timestamp)}&invocation_id=${String(entry.invocation_id)}`, token)).length, 0, 'entries')
      holds((await audited(target, '?since=2020-01-01T00:00:00%2B02:00', token)).length > 0, 'nothing since 2020')
    },
    'an empty body without content type is accepted': async (target) => succeeds(await target.send('/svc/audit', { method: 'POST', bearer: (await target.root()).token })),
    'a principal sees only its own trail': async (target) => {
      const { id } = await recorded(target)
      equal(await audited(target, `?invocation_id=${id}`, await tokenOfAnother(target)), [], 'entries')
    },
    'issuance is on the trail': async (target) => {
      const { token, token_id } = await target.root()
      holds((await audited(target, '', token)).some((entry) => entry.entry_type === 'token_issued' && entry.token_id === token_id), 'it is not')
    },
  }),
  ...casesFor('6', ['low_risk_success', 'low_risk_failure', 'high_risk_failure'] as const, (word) => `event class ${word}`, async (word, target) => {
    const { token } = await target.root()
    const [read, declared] = plainRead(target)
    const risky = Object.entries(target.manifest['capabilities']!).find(([, each]) => (each as never as { side_effect: { type: string } }).side_effect.type !== 'read')?.[0]
    if (word === 'high_risk_failure' && risky === undefined) doesNotApply('every capability reads')
    const reply = await target.invoke(word === 'high_risk_failure' ? risky! : read, token, { parameters: word === 'low_risk_success' ? parametersOf(declared) : { no_such_input: 1 } })
    const [entry] = await audited(target, `?invocation_id=${String(reply.body['invocation_id'])}`, token)
    equal(entry?.event_class, word, 'event_class')
  }),
  ...casesFor('4.8', ['limit=0', 'limit=-1', 'limit=1001', 'limit=abc', 'limit=1.5', 'since=garbage', 'event_class=x', 'success=maybe', 'surprise=1', 'limit=1&limit=2', 'invocation_id=abc', 'cursor=abc'], (query) => `?${query} is refused`, async (query, target) =>
    fails(await target.send(`/svc/audit?${query}`, { method: 'POST', bearer: (await target.root()).token }), 'invalid_parameters'),
  ),
  ...casesFor('4.8', ['capability', 'client_reference_id', 'task_id', 'parent_invocation_id'] as const, (filter) => `the filter ${filter} narrows`, async (filter, target) => {
    const lineage = { client_reference_id: 'only-this', task_id: 'only-task', parent_invocation_id: 'inv-00000000beef' }
    const { token, name } = await recorded(target, lineage)
    const wanted = filter === 'capability' ? name : lineage[filter]
    const entries = await audited(target, `?${filter}=${wanted}`, token)
    holds(entries.length > 0 && entries.every((entry) => entry[filter] === wanted), 'an entry does not match')
  }),
  ...casesFor('4.8', ['/svc/checkpoints?limit=0', '/svc/checkpoints?limit=abc', '/svc/checkpoints?surprise=1'], (path) => `GET ${path} is refused`, async (path, target) => {
    if (target.discovery['trust']!['level'] !== 'anchored') doesNotApply('trust is not anchored')
    fails(await target.send(path, { bearer: (await target.root()).token }), 'invalid_parameters')
  }),
  ...casesFor('4.8', ['status=maybe', 'limit=0', 'cursor=abc', 'surprise=1'], (query) => `GET /svc/approval_requests?${query} is refused`, async (query, target) => {
    if (!('approval_grants' in target.discovery['endpoints']!)) doesNotApply('no approval can be asked for')
    const { approver = cannotTry('no approver credential') } = target.credentials
    fails(await target.send(`/svc/approval_requests?${query}`, { bearer: approver }), 'invalid_parameters')
  }),
  ...casesFor('4', ['GET', 'PUT', 'DELETE', 'PATCH'], (method) => `${method} /svc/audit is not allowed`, async (method, { send }) => fails(await send('/svc/audit', { method }), 'method_not_allowed')),
] // prettier-ignore

const WAIT_MS = 12_000
/** ms between checkpoints, as trust declares them; 0 if it says nothing that reads. */
function cadenceOf({ discovery }: ServiceUnderTest): number {
  const cadence = discovery['trust']?.['anchoring']?.['cadence'] as string | undefined
  return cadenceMs(cadence ?? '') ?? 0
}

/** The newest checkpoint that covers an invocation, waited for as long as a development cadence takes. */
async function covering(
  target: ServiceUnderTest,
): Promise<{ readonly entry: AuditEntry; readonly detail: CheckpointDetail }> {
  if (target.discovery['trust']!['level'] !== 'anchored') doesNotApply('trust is not anchored')
  const cadence = cadenceOf(target)
  if (cadence > WAIT_MS) cannotTry(`checkpoints come every ${cadence / 1000} s`)
  const { entry, id } = await recorded(target)
  for (
    const deadline = Date.now() + WAIT_MS;
    Date.now() < deadline;
    await new Promise((resolve) => setTimeout(resolve, 250))
  ) {
    const [newest] = (await target.send('/svc/checkpoints?limit=1')).body[
      'checkpoints'
    ] as unknown as readonly Checkpoint[]
    if (newest === undefined || newest.entry_count < entry.sequence) continue
    const reply = await target.send(`/svc/checkpoints/${newest.checkpoint_id}?invocation_id=${id}`)
    succeeds(reply)
    return { entry, detail: reply.body as unknown as CheckpointDetail }
  }
  return cannotTry(`no checkpoint within ${WAIT_MS / 1000} s`)
}

const list = async (target: ServiceUnderTest): Promise<readonly Checkpoint[]> => {
  if (target.discovery['trust']!['level'] !== 'anchored') doesNotApply('trust is not anchored')
  return (await target.send('/svc/checkpoints')).body['checkpoints'] as unknown as readonly Checkpoint[]
}

const checkpoints = cases('4.9-4.10', {
  'checkpoints are listed newest first, without a credential': async (target) => {
    const sequences = (await list(target)).map(({ sequence }) => sequence)
    equal(
      sequences,
      [...sequences].sort((a, b) => b - a),
      'the order',
    )
  },
  'a checkpoint has the fields of section 2.15': async (target) => {
    const { detail } = await covering(target)
    matches(detail.checkpoint_id, /^ckp_/u, 'checkpoint_id')
    for (const hash of [detail.merkle_root, detail.tree_head]) matches(hash, DIGEST, 'a hash')
    equal([detail.tree_size, detail.tree_head], [detail.entry_count, detail.merkle_root], 'tree_size and tree_head')
    matches(detail.created_at, TIMESTAMP, 'created_at')
  },
  'every signature verifies against the JWKS': async (target) => {
    const { keys } = (await target.send('/.well-known/jwks.json')).body as unknown as Jwks
    for (const checkpoint of await list(target))
      holds(
        verifyCheckpoint(checkpoint, ringKeysOf(keys, 'audit')) !== undefined,
        `${checkpoint.checkpoint_id} does not verify`,
      )
  },
  'an inclusion proof shows that an entry is covered': async (target) => {
    const { entry, detail } = await covering(target)
    const proof = detail.inclusion_proof!
    const hash = leafHash(canonicalText(entry))
    equal(proof.leaf_hash, formatHash(hash), 'leaf_hash')
    const path = proof.path.map((each) => parseHash(each)!)
    holds(
      verifyInclusion({
        leafHash: hash,
        index: proof.leaf_index,
        size: proof.tree_size,
        path,
        root: parseHash(detail.merkle_root)!,
      }),
      'the proof does not verify',
    )
  },
  'a consistency proof shows that nothing was rewritten': async (target) => {
    const { detail } = await covering(target)
    const [oldest = cannotTry('one checkpoint only')] = (await list(target)).slice(-1)
    const reply = await target.send(`/svc/checkpoints/${detail.checkpoint_id}?consistency_from=${oldest.checkpoint_id}`)
    const proof = (reply.body as unknown as CheckpointDetail).consistency_proof!
    const path = proof.path.map((each) => parseHash(each)!)
    holds(
      verifyConsistency({
        fromSize: proof.from_size,
        toSize: proof.to_size,
        fromRoot: parseHash(oldest.merkle_root)!,
        toRoot: parseHash(detail.merkle_root)!,
        path,
      }),
      'the proof does not verify',
    )
  },
  'limit is honoured': async (target) =>
    holds(
      (await list(target)).length <= 20 &&
        ((await target.send('/svc/checkpoints?limit=1')).body['checkpoints'] as unknown as unknown[]).length <= 1,
      'too many',
    ),
  'a negative limit is refused': async (target) => (
    await list(target),
    fails(await target.send('/svc/checkpoints?limit=-1'), 'invalid_parameters')
  ),
  'an unknown checkpoint is not found': async (target) => (
    await list(target),
    fails(await target.send('/svc/checkpoints/ckp_unknown'), 'not_found')
  ),
  'an id that is none, as abc or a trick, is refused': async (target) => {
    await list(target)
    for (const id of ['abc', "' or 1=1 --", '../etc'])
      fails(await target.send(`/svc/checkpoints/${encodeURIComponent(id)}`), 'not_found')
  },
})

export const trailCases = [...trail, ...checkpoints]
