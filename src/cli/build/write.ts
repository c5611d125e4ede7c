import { posix } from 'node:path'
import type { EmittedFile } from '../../compiler/emitted.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import {
  applyWrites,
  createOwned,
  keepCopy,
  noteStanding,
  planWrites,
  sweep,
  type FileChange,
  type Conflict,
  type Destination,
  type WritePlan,
} from './outputs.js'
import { differenceOf } from './difference.js'
import type { Lock } from '../shared/locks/lock.js'
import { printError } from '../shared/output/print.js'

export interface Written {
  readonly total: number
  readonly changed: number
  readonly removed: number
  readonly files: readonly ChangedFile[]
}

/** Kinds of file changes. */
export const FILE_CHANGES = ['written', 'removed', 'stray'] as const

/** A file that was changed, or would be. */
export interface ChangedFile {
  readonly path: string
  readonly change: (typeof FILE_CHANGES)[number]
  /** True if the file was edited after svc wrote it. */
  readonly edited: boolean
}

/** The files that a plan changes. */
export function changedFiles({ writes, removals, conflicts }: WritePlan): readonly ChangedFile[] {
  const edited = new Set(conflicts.map(({ path }) => path))
  const changed =
    (change: ChangedFile['change']) =>
    ({ path }: FileChange) => ({ path, change, edited: edited.has(path) })
  return [...writes.map(changed('written')), ...removals.map(changed('removed'))]
}

const unedited =
  (change: ChangedFile['change']) =>
  (paths: readonly string[]): readonly ChangedFile[] =>
    paths.map((path) => ({ path, change, edited: false }))

/** Files that were written where nothing of anybody else stood. */
export const written = unedited('written')

/** Files that svc neither writes nor removes. */
export const stray = unedited('stray')

/** Files of ours that were taken away. */
export const removed = unedited('removed')

/**
 * Writes our files, or none: a path with bytes that are not ours stops everything, unless forced; then a copy is kept.
 */
export async function writeOurs(
  to: Destination,
  files: readonly EmittedFile[],
  inputs: Lock['inputs'],
  force: boolean,
): Promise<Written> {
  const plan = await planWrites(to, files, inputs)
  if (plan.conflicts.length > 0 && !force) throw new CliError(conflictText(plan.conflicts), EXIT.findings)
  for (const conflict of plan.conflicts) {
    printError(`kept a copy: ${await keepCopy(to.root, conflict)}\n`)
  }
  await sweep(to, plan)
  await applyWrites(to, plan)
  noteStanding(to, files, plan)
  const changed = plan.writes.length
  return { total: files.length, changed, removed: plan.removals.length, files: changedFiles(plan) }
}

function conflictText(conflicts: readonly Conflict[]): string {
  const shown = conflicts.map(({ path, found, wanted }) => {
    const reason = wanted === undefined ? 'is not generated any more, but' : 'would be overwritten, but'
    return (
      `${path} ${reason} its bytes are not those that svc ` +
      `wrote.\n${differenceOf(new TextDecoder().decode(found), wanted ?? '')}`
    )
  })
  return (
    `${shown.join('\n')}\nNothing was written. Move your changes to src/, or build with --force, which keeps a ` +
    'copy of each file first.'
  )
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

/** Returns the pending changes of `svc build` as text; undefined if there are none. */
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
