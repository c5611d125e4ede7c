import { judgeEntry } from '../../crypto/checkpoint-proofs.js'
import { ringKeysOf } from '../../crypto/key-ring.js'
import { CliError } from '../cli-error.js'
import { signedBy } from './checkpoint.js'
import { factsIn, read, recordIn, type Given } from './given.js'
import type { Verdict } from './kinds.js'

const LABELS = {
  sequence: 'sequence', entry_type: 'type', invocation_id: 'invocation', capability: 'capability', actor_key: 'actor',
  event_class: 'class', timestamp: 'time',
} // prettier-ignore

/** Verifies that an audit entry is under a signed checkpoint, by the inclusion proof that stands in the checkpoint. */
export async function verifyEntryFile({ bytes, jwks, options }: Given): Promise<Verdict> {
  if (options.checkpoint === undefined)
    throw new CliError(
      'An entry is signed through a checkpoint. Name it: --checkpoint <file> (GET /svc/checkpoints/{id}?invocation_id=…)',
    )
  const entry = recordIn(bytes)
  if (typeof entry === 'string') return { kind: 'entry', facts: [], findings: [entry] }
  const checkpoint = recordIn(await read(options.checkpoint))
  if (typeof checkpoint === 'string') throw new CliError(`--checkpoint ${options.checkpoint}: ${checkpoint}`)
  const { findings, kid } = judgeEntry(entry, checkpoint, ringKeysOf(jwks, 'audit'))
  const facts = [...factsIn(entry, LABELS), ...factsIn(checkpoint, { checkpoint_id: 'checkpoint', created_at: 'made' })]
  return { kind: 'entry', facts: [...facts, ...signedBy(kid)], findings }
}
