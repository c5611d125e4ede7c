import { judgeEntry } from '../../crypto/merkle/checkpoint-proofs.js'
import { CliError } from '../cli-error.js'
import { signedBy } from './checkpoint.js'
import { FACTS, factsIn } from './facts.js'
import { recordIn, type Given } from './given.js'
import { read } from './read.js'
import type { Verdict } from './verdict.js'

const { checkpoint: ID, made: MADE } = FACTS.checkpoint

/** Verifies that an audit entry is under a signed checkpoint, by the inclusion proof that stands in the checkpoint. */
export async function verifyEntryFile({ bytes, origin, options }: Given): Promise<Verdict> {
  if (options.checkpoint === undefined)
    throw new CliError(
      'An entry is signed through a checkpoint. Name it: --checkpoint <file> (GET /svc/checkpoints/{id}?invocation_id=…)',
    )
  const entry = recordIn(bytes)
  if (typeof entry === 'string') return { kind: 'entry', facts: [], findings: [entry] }
  const checkpoint = recordIn(await read(options.checkpoint))
  if (typeof checkpoint === 'string') throw new CliError(`--checkpoint ${options.checkpoint}: ${checkpoint}`)
  const { findings, kid } = judgeEntry(entry, checkpoint, origin.keysOf('audit'))
  const facts = [...factsIn(entry, FACTS.entry), ...factsIn(checkpoint, { checkpoint: ID, made: MADE })]
  return { kind: 'entry', facts: [...facts, ...signedBy(kid)], findings }
}
