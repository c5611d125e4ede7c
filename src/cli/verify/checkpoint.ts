import { judgeCheckpoint } from '../../crypto/merkle/checkpoint-proofs.js'
import { FACTS, factsIn } from './facts.js'
import { recordIn, type VerifierInput } from './given.js'
import { heldCheckpoint } from './held-checkpoint.js'
import type { Verdict } from './verdict.js'

/** Verifies a checkpoint and the proofs that stand in it; with `--since`, that it continues an older checkpoint. */
export async function verifyCheckpointFile({ bytes, origin, options, verify }: VerifierInput): Promise<Verdict> {
  const record = recordIn(bytes)
  if (typeof record === 'string') return { kind: 'checkpoint', facts: [], findings: [record] }
  const older = options.since === undefined ? undefined : await heldCheckpoint(options.since)
  const { findings, kid } = judgeCheckpoint(record, origin.keysOf('audit'), older, verify)
  return { kind: 'checkpoint', facts: [...factsIn(record, FACTS.checkpoint), ...signedBy(kid)], findings }
}

export const signedBy = (kid: string | undefined): Verdict['facts'] => (kid === undefined ? [] : [['signed_by', kid]])
