/** What the golden vectors are made of: fixed keys, a fixed trail, fixed times. */
import { canonicalText } from '../../../src/crypto/json/canonical.js'
import { signCheckpoint } from '../../../src/crypto/merkle/checkpoint.js'
import { formatHash } from '../../../src/crypto/json/digest.js'
import { appendLeaves, leafHash, rootOf, type TreeNodeId } from '../../../src/crypto/merkle/merkle.js'
import {
  nodesOf,
  proofPathOf,
  planConsistency,
  planInclusion,
  type ProofPlan,
} from '../../../src/crypto/merkle/merkle-proof.js'
import type { AuditEntry, Checkpoint, CheckpointDetail } from '../../../src/protocol/audit.js'
import { goldenKey } from './deterministic-signer.js'

export const MANIFEST_KEY = goldenKey('svc golden manifest', 'manifest')
export const TOKENS_KEY = goldenKey('svc golden tokens', 'tokens')
export const AUDIT_KEY = goldenKey('svc golden audit', 'audit')
export const FOREIGN_KEY = goldenKey('svc golden foreign', 'audit')
/** Audit key until 2029-12-31T12:00:00Z. */
export const RETIRED_KEY = goldenKey('svc golden retired', 'audit')
/** Tokens key until then. */
export const RETIRED_TOKENS_KEY = goldenKey('svc golden retired tokens', 'tokens')
const retired_from = '2029-12-31T12:00:00.000Z'

/** What the manifest says of keys. */
export const LISTED = {
  [MANIFEST_KEY.kid]: { role: 'manifest' },
  [TOKENS_KEY.kid]: { role: 'tokens' },
  [AUDIT_KEY.kid]: { role: 'audit' },
  [RETIRED_KEY.kid]: { role: 'audit', retired_from },
  [RETIRED_TOKENS_KEY.kid]: { role: 'tokens', retired_from },
}

/** 2030-01-01T00:00:00Z; every vector is judged at this time. */
export const NOW = Date.parse('2030-01-01T00:00:00.000Z')

/** Names, numbers and texts that tempt a verifier to write them in another way. */
const ODD: readonly { readonly client: string | null; readonly amount: number | null }[] = [
  { client: null, amount: null },
  { client: 'Grüße 😀 \u0000\u001f "quoted" \\ /', amount: 0.1 },
  { client: '\u2028\u2029\u007f\ufeff', amount: 1e21 },
  { client: '</script>', amount: 1e-7 },
  { client: '\ud83d\ude00\ufb33', amount: 333333333.3333333 },
]

/** Entry 12 accounts for the erasure of these. */
export const ERASED = { ranges: [[2, 3], [5, 5]], count: 3 } as const // prettier-ignore
const ERASURE = 12

export const entryOf = (sequence: number): AuditEntry => {
  const { client, amount } = ODD[sequence % ODD.length]!
  return {
    sequence,
    entry_type: 'invocation',
    invocation_id: `inv-${sequence.toString(16).padStart(12, '0')}`,
    capability: 'search_flights',
    actor_key: 'agent:assistant',
    root_principal: 'human:ana@example.com',
    event_class: 'low_risk_success',
    success: true,
    failure_type: null,
    client_reference_id: client,
    task_id: null,
    parent_invocation_id: null,
    upstream_service: null,
    approval_request_id: null,
    approval_grant_id: null,
    token_id: 'tok_golden',
    delegation_chain: ['tok_root', 'tok_golden'],
    cost_actual: amount === null ? null : { currency: 'EUR', amount },
    parameters: { [client ?? 'origin']: amount ?? 'LIS', '€': 1, '😀': 2, דּ: 3, a: [true, null, -0, 1e300] },
    ...(sequence === ERASURE && { entry_type: 'erasure' as const, erased: ERASED, detail: 'Retention has passed.' }),
    timestamp: `2029-12-31T23:59:${String(sequence).padStart(2, '0')}.000Z`,
  }
}

export const textOf = (sequence: number): string => canonicalText(entryOf(sequence))
export const SIZE = 13

const leaves = Array.from({ length: SIZE }, (_, index) => leafHash(textOf(index + 1)))
const stored = new Map(appendLeaves([], 0, leaves).nodes.map(({ level, index, hash }) => [`${level}/${index}`, hash]))
const fetched = (ids: readonly TreeNodeId[]) => ids.map(({ level, index }) => stored.get(`${level}/${index}`)!)
const provenBy = (plan: ProofPlan): readonly string[] => proofPathOf(plan, fetched(nodesOf(plan))).map(formatHash)

export const inclusion = (sequence: number, size: number) => provenBy(planInclusion(sequence - 1, size))
export const consistency = (from: number, to: number) => provenBy(planConsistency(from, to))
export const rootAt = (size: number): string => formatHash(rootOf(appendLeaves([], 0, leaves.slice(0, size)).frontier))

export const headOf = (sequence: number, entries: number): Omit<Checkpoint, 'signature'> => ({
  checkpoint_id: `ckp_golden_${sequence}`,
  sequence,
  merkle_root: rootAt(entries),
  entry_count: entries,
  created_at: `2030-01-01T00:00:0${sequence}.000Z`,
})

/** Three checkpoints: over 4, 9 and all 13 entries. */
export const checkpoints = (): Promise<readonly Checkpoint[]> =>
  Promise.all([4, 9, SIZE].map((entries, index) => signCheckpoint(AUDIT_KEY.signer!, headOf(index + 1, entries))))

/** The detail form with an inclusion proof. */
export const detailOf = (checkpoint: Checkpoint, sequence: number): CheckpointDetail => ({
  ...checkpoint,
  tree_size: checkpoint.entry_count,
  tree_head: checkpoint.merkle_root,
  inclusion_proof: {
    leaf_index: sequence - 1,
    tree_size: checkpoint.entry_count,
    leaf_hash: formatHash(leafHash(textOf(sequence))),
    path: inclusion(sequence, checkpoint.entry_count),
  },
})
