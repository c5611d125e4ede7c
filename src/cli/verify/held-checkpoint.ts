import { readCheckpoint } from '../../crypto/merkle/checkpoint-proofs.js'
import type { Checkpoint } from '../../protocol/audit.js'
import { CliError } from '../shared/errors/cli-error.js'
import { recordIn } from './given.js'
import { readArtefact } from './read.js'

/** A checkpoint that the user has from elsewhere, as `--since` names it. */
export async function heldCheckpoint(file: string): Promise<Checkpoint> {
  const record = recordIn(await readArtefact(file))
  const checkpoint = typeof record === 'string' ? undefined : readCheckpoint(record)
  if (checkpoint === undefined) throw new CliError(`--since ${file} is not a checkpoint.`)
  return checkpoint
}
