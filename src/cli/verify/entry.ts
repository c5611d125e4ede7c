import { isRedacted, judgeEntry } from '../../crypto/merkle/checkpoint-proofs.js'
import { CliError } from '../shared/errors/cli-error.js'
import { signedBy } from './checkpoint.js'
import { FACTS, factsIn } from './facts.js'
import { recordIn, type VerifierInput } from './given.js'
import { readArtefact } from './read.js'
import type { Verdict } from './verdict.js'

const WITHHELD =
  'Included, content withheld: the entry was redacted for whoever asked, so nothing that stands in it is proven. ' +
  'If that is enough: --allow-withheld.'

const { checkpoint: ID, made: MADE } = FACTS.checkpoint

/** Verifies that an audit entry is under a signed checkpoint, by the inclusion proof that stands in the checkpoint. */
export async function verifyEntryFile({ bytes, origin, options, verify }: VerifierInput): Promise<Verdict> {
  if (options.checkpoint === undefined)
    throw new CliError(
      'An entry is signed through a checkpoint. Name it: --checkpoint <file> (GET ' +
        '/svc/checkpoints/{id}?invocation_id=…)',
    )
  const entry = recordIn(bytes)
  if (typeof entry === 'string') return { kind: 'entry', facts: [], findings: [entry] }
  const checkpoint = recordIn(await readArtefact(options.checkpoint))
  if (typeof checkpoint === 'string') throw new CliError(`--checkpoint ${options.checkpoint}: ${checkpoint}`)
  const { findings, kid } = judgeEntry(entry, checkpoint, origin.keysOf('audit'), verify)
  const under = [...factsIn(checkpoint, { checkpoint: ID, made: MADE }), ...signedBy(kid)]
  if (!isRedacted(entry)) return { kind: 'entry', facts: [...factsIn(entry, FACTS.entry), ...under], findings }
  const withheld = findings.length === 0 && options.allowWithheld !== true ? [WITHHELD] : []
  const facts = findings.length === 0 ? [['withheld', 'included, content withheld'] as const, ...under] : under
  return { kind: 'entry', facts, findings: [...findings, ...withheld] }
}
