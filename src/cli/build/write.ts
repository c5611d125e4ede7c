import { posix } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import { CliError, EXIT } from '../cli-error.js'
import {
  applyWrites,
  createOwned,
  keepCopy,
  noteStanding,
  planWrites,
  sweep,
  type Conflict,
  type Destination,
  type WritePlan,
} from '../files.js'
import { differenceOf } from './difference.js'
import type { Lock } from './lock.js'

export interface Written {
  readonly total: number
  readonly changed: number
  readonly removed: number
}

/**
 * Writes our files, or none: a path with bytes that are not ours stops everything, unless forced; then a copy is kept. What else is
 * written, and must stand when the lock says that all is done, is written first.
 */
export async function writeOurs(
  to: Destination,
  files: readonly EmittedFile[],
  inputs: Lock['inputs'],
  force: boolean,
  first: () => Promise<void> = async () => undefined,
): Promise<Written> {
  const plan = await planWrites(to, files, inputs)
  if (plan.conflicts.length > 0 && !force) throw new CliError(conflictText(plan.conflicts), EXIT.findings)
  for (const conflict of plan.conflicts) {
    process.stderr.write(`kept a copy: ${await keepCopy(to.root, conflict)}\n`)
  }
  await sweep(to, plan)
  await first()
  await applyWrites(to, plan)
  noteStanding(to, files, plan)
  return { total: files.length, changed: plan.writes.length, removed: plan.removals.length }
}

function conflictText(conflicts: readonly Conflict[]): string {
  const shown = conflicts.map(({ path, found, wanted }) => {
    const reason = wanted === undefined ? 'is not generated any more, but' : 'would be overwritten, but'
    return `${path} ${reason} its bytes are not those that svc wrote.\n${differenceOf(new TextDecoder().decode(found), wanted ?? '')}`
  })
  return `${shown.join('\n')}\nNothing was written. Move your changes to src/, or build with --force, which keeps a copy of each file first.`
}

/** Creates what the author will own, where it is absent; gives the paths that were created. */
export function writeOwned(root: string, files: readonly EmittedFile[]): readonly string[] {
  const folders = new Map<string, EmittedFile[]>()
  for (const file of files) {
    const folder = posix.dirname(file.path)
    const beside = folders.get(folder)
    if (beside === undefined) folders.set(folder, [file])
    else beside.push(file)
  }
  return [...folders].flatMap(([folder, beside]) => createOwned(root, folder, beside))
}

const textOf = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)

/** What `svc build` would change, as a person reads it; undefined when nothing would. */
export function pendingText({ writes, removals, conflicts }: WritePlan): string | undefined {
  const changes = [...writes, ...removals]
  if (changes.length === 0) return undefined
  const edited = new Set(conflicts.map(({ path }) => path))
  return changes
    .map(({ path, before, after }) => {
      const verb =
        before === undefined ? 'is missing' : after === undefined ? 'is not generated any more' : 'is out of date'
      const note = edited.has(path) ? ' and was changed by hand' : ''
      return before === undefined || after === undefined
        ? `${path} ${verb}${note}`
        : `${path} ${verb}${note}\n${differenceOf(textOf(before), textOf(after))}`
    })
    .join('\n')
}
