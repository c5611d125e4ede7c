import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { dirname, join, posix } from 'node:path'
import type { Change } from '../../compiler/diff/compare.js'
import type { ReportedChange } from '../../compiler/diff/report/run.js'
import { parseStrictJson } from '../../crypto/json/strict-json.js'
import { CliError } from '../shared/errors/cli-error.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { bytesInCommit } from './commit.js'

/** A change that somebody accepted, for a reason. */
export interface Accepted {
  readonly fingerprint: string
  readonly code: string
  readonly path: string
  readonly change: string
  readonly reason: string
}

/** Fingerprint of a change: its kind, place and values. Another value at the same place is another change. */
export const changePrint = ({ code, at, says }: Change): string =>
  createHash('sha256')
    .update(JSON.stringify([code, at, says]))
    .digest('hex')

/** Name of the file of accepted changes, beside a manifest. */
const ACCEPTED = 'svc.accepted.json'

/** The file beside a manifest of this machine, or of a commit; undefined for a manifest from elsewhere. */
export function acceptedBeside(manifest: string): string | undefined {
  if (manifest === 'stdin' || /^https?:\/\//iu.test(manifest)) return undefined
  const [, commit, path] = /^(git:[^:]+:)(.*)$/su.exec(manifest) ?? []
  return commit === undefined
    ? join(dirname(manifest), ACCEPTED)
    : `${commit}${posix.join(posix.dirname(path!), ACCEPTED)}`
}

/** The accepted changes of a file, or of a file in a commit; none where it is not there. */
export async function readAccepted(file: string | undefined): Promise<readonly Accepted[]> {
  const bytes = file === undefined ? undefined : await bytesOf(file)
  return bytes === undefined ? [] : acceptedIn(file!, bytes)
}

/** The accepted changes of a file that was named: it must be there. */
export async function readNamedAccepted(file: string): Promise<readonly Accepted[]> {
  const bytes = await bytesOf(file)
  if (bytes === undefined) throw new CliError(`${file} cannot be read (ENOENT).`)
  return acceptedIn(file, bytes)
}

/** Undefined where there is no such file. */
const bytesOf = (file: string): Promise<Uint8Array | undefined> =>
  file.startsWith('git:')
    ? bytesInCommit(file)
    : readFile(file).catch((error: unknown) => {
        const code = (error as NodeJS.ErrnoException).code
        if (code === 'ENOENT') return undefined
        throw new CliError(`${file} cannot be read (${code ?? 'unknown error'}).`)
      })

function acceptedIn(file: string, bytes: Uint8Array): readonly Accepted[] {
  const parsed = parseStrictJson(bytes)
  if (!parsed.ok) throw new CliError(`${file} is not JSON: ${parsed.reason}`)
  const list: unknown = parsed.value
  if (!Array.isArray(list)) throw new CliError(`${file} must hold a list of accepted changes.`)
  return list.map((entry: unknown, index) => entryIn(file, entry, index))
}

function entryIn(file: string, entry: unknown, index: number): Accepted {
  const names = ['fingerprint', 'code', 'path', 'change', 'reason'] as const
  const found = (typeof entry === 'object' && entry !== null ? entry : {}) as { readonly [name: string]: unknown }
  const wrong = names.find((name) => typeof found[name] !== 'string' || found[name].trim() === '')
  if (wrong !== undefined) throw new CliError(`${file}: change ${index + 1} needs ${wrong}, as a text.`)
  return found as unknown as Accepted
}

/** The changes, those that were accepted with their reason. */
export function withReasons(
  changes: readonly ReportedChange[],
  accepted: readonly Accepted[],
): readonly ReportedChange[] {
  const reasons = new Map(accepted.map(({ fingerprint, reason }) => [fingerprint, reason]))
  return changes.map((change) => {
    const reason = reasons.get(changePrint(change))
    return reason === undefined ? change : { ...change, accepted: reason }
  })
}

/** Writes what is accepted from now on: what was accepted before and still changes, and what is added. */
export async function writeAccepted(
  file: string,
  changes: readonly ReportedChange[],
  added: readonly ReportedChange[],
  reason: string,
): Promise<void> {
  if (reason.trim() === '') throw new CliError('Say why the changes are accepted: --accept "Agreed with all callers."')
  const entries = changes.flatMap((change): readonly Accepted[] => {
    const why = added.includes(change) ? reason.trim() : change.accepted
    if (why === undefined) return []
    const { code, at, message } = change
    return [{ fingerprint: changePrint(change), code, path: at.join('/'), change: message, reason: why }]
  })
  await replaceFile(file, `${JSON.stringify(entries, undefined, 2)}\n`)
}
