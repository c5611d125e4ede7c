import { canonicalText } from '../../src/crypto/json/canonical.js'
import { generateRingKey } from '../../src/crypto/keys/key-ring.js'
import { erasureDraft } from '../../src/crypto/trail/erasure.js'
import { leafHash } from '../../src/crypto/merkle/merkle.js'
import type { AuditDraft } from '../../src/protocol/audit.js'
import type { CheckpointDependencies } from '../../src/runtime/checkpoints/make.js'
import type { Seal, Storage } from '../../src/runtime/storage/contract.js'
import { openSqlite } from '../../src/runtime/storage/sqlite/index.js'

export const START = Date.parse('2030-01-01T00:00:00.000Z')
export const AUDIT_KEY = generateRingKey('audit', 'active')

export const draftOf = (number: number): AuditDraft => ({
  entry_type: 'invocation',
  invocation_id: `inv-${number.toString(16).padStart(12, '0')}`,
  capability: 'search',
  actor_key: 'agent:bot',
  root_principal: 'human:ana',
  event_class: 'low_risk_success',
  success: true,
  failure_type: null,
  client_reference_id: null,
  task_id: null,
  parent_invocation_id: null,
  upstream_service: null,
  approval_request_id: null,
  approval_grant_id: null,
  token_id: 'tok_1',
  delegation_chain: ['tok_1'],
  cost_actual: null,
  parameters: {},
  timestamp: '2030-01-01T00:00:00.000Z',
})

/** Entries of this trail may be erased at any time; erasures may not. */
export const seal: Seal = (draft, sequence) => {
  const entry = { sequence, ...draft }
  const text = canonicalText(entry)
  return { entry, text, leafHash: leafHash(text), erasableFrom: draft.entry_type === 'erasure' ? undefined : 0 }
}

/** Erases the oldest entries, and accounts for them. */
export const erase = (storage: Storage, limit: number): Promise<number> =>
  storage.audit.erase({
    due: START,
    limit,
    account: {
      draft: (erased, now) => erasureDraft('service:retention', erased, 'Due.', new Date(now).toISOString()),
      seal,
    },
  })

/** A trail in memory on a clock that stands still until it is moved. */
export async function startTrail(file = ':memory:') {
  const time = { now: START }
  const clock = () => time.now
  const storage: Storage = await openSqlite({ file, clock })
  const dependencies = {
    storage,
    signer: () => AUDIT_KEY.signer!,
    keys: () => [AUDIT_KEY],
    clock,
    newId: (() => {
      let count = 0
      return () => `ckp_${(++count).toString().padStart(24, '0')}`
    })(),
  } satisfies CheckpointDependencies
  const append = async (first: number, last: number) => {
    const drafts = Array.from({ length: last - first + 1 }, (_, index) => ({ draft: draftOf(first + index) }))
    await storage.audit.append(() => drafts, seal)
  }
  return { time, storage, dependencies, append }
}
