import type { AnsweredEntry } from '../../protocol/audit.js'
import type { AuditPage } from '../../client/governance.js'
import type { Answer } from '../../client/index.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { print } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { printedData, printedLines, reached, show, showFailure, type ConnectionOptions } from '../service/connection.js'
import { claimsToBeDelegation } from '../../runtime/credentials/bearer.js'
import { credentialFor } from '../service/credential.js'
import { addressOf } from '../service/read-from-service.js'
import { serviceAnswer } from '../service/operator-request.js'
import { entryLine } from './entry-line.js'

export interface TrailOptions extends ConnectionOptions {
  readonly since?: string
  readonly actor?: string
  readonly capability?: string
  readonly failed?: boolean
  readonly cursor?: string
}

type Query = { readonly [name: string]: string | undefined }

/** A token reads the trail of its root principal; a bootstrap credential of the role auditor reads all of it. */
const hasToken = async (options: ConnectionOptions): Promise<boolean> =>
  claimsToBeDelegation(await credentialFor(addressOf(options)))

const askTrail = async (options: ConnectionOptions, query: Query): Promise<Answer<AuditPage>> =>
  serviceAnswer<AuditPage>(options, { operation: (await hasToken(options)) ? 'audit' : 'auditor_trail', query })

/** The filters of a page of the trail. */
export async function pageQueryOf(options: TrailOptions): Promise<Query> {
  const { since, actor, capability, failed, cursor } = options
  if (actor !== undefined && (await hasToken(options)))
    throw new CliError('--actor is for auditors: it needs a bootstrap credential of the role auditor, not a token.')
  return { since: since && timeOf(since), actor, capability, success: failed === true ? 'false' : undefined, cursor }
}

const UNITS = { m: 60_000, h: 3_600_000, d: 86_400_000 } as const

/** `24h` is a day ago. */
function timeOf(text: string): string {
  const [, count, unit] = /^(\d{1,6})([mhd])$/u.exec(text) ?? []
  const time = count === undefined ? Date.parse(text) : Date.now() - Number(count) * UNITS[unit as keyof typeof UNITS]
  if (Number.isFinite(time)) return new Date(time).toISOString()
  throw new CliError(
    `--since takes a time such as 24h, 30m, 7d or 2030-05-01T12:00:00Z, found ${JSON.stringify(text)}.`,
  )
}

/** `svc audit list`. */
export const listTrail = async (options: TrailOptions): Promise<ExitCode> =>
  show(askTrail(options, await pageQueryOf(options)), options, ({ entries, next_cursor }) =>
    entries.length === 0
      ? 'No entries.'
      : [
          ...entries.map(entryLine),
          ...(next_cursor === undefined ? [] : [`More: --cursor ${printable(next_cursor)}`]),
        ].join('\n'),
  )

/** The last entries, newest first, as the options choose them. */
export const lastEntries = async (options: TrailOptions, limit: number): Promise<Answer<AuditPage>> =>
  askTrail(options, { ...(await pageQueryOf(options)), cursor: undefined, limit: String(limit) })

export interface ShowEntryOptions extends ConnectionOptions {
  readonly lineage?: boolean
}

/** `svc audit show`: the entry of an invocation; with its lineage, those above it and its children, too. */
export async function showEntry(id: string, options: ShowEntryOptions): Promise<ExitCode> {
  const entry = await oneEntry(options, id)
  if (!entry.success) return showFailure(entry.failure, options.json === true)
  if (entry.result === undefined)
    throw new CliError(`The trail that you may read has no invocation ${printable(id)}.`, EXIT.findings)
  const above = options.lineage === true ? await entriesAbove(options, entry.result) : []
  const below = options.lineage === true ? await childrenOf(options, id) : []
  const { result } = entry
  const lines = [...above.map(entryLine), entryLine(result), ...below.map((child) => `  ${entryLine(child)}`)]
  const data = options.lineage === true ? { above, entry: result, below } : result
  print(options.json === true || options.lineage !== true ? printedData(data) : printedLines(lines.join('\n')))
  return EXIT.ok
}

async function oneEntry(options: ConnectionOptions, id: string): Promise<Answer<AnsweredEntry | undefined>> {
  const answer = await reached(askTrail(options, { invocation_id: id }))
  return answer.success ? { success: true, result: answer.result.entries[0] } : answer
}

/** A chain of invocations has an end; a trail that says otherwise is not followed for ever. */
const MOST_ABOVE = 32

async function entriesAbove(options: ConnectionOptions, entry: AnsweredEntry): Promise<readonly AnsweredEntry[]> {
  const above: AnsweredEntry[] = []
  for (let parent = entry.parent_invocation_id; parent !== null && above.length < MOST_ABOVE;) {
    const found = await oneEntry(options, parent)
    if (!found.success || found.result === undefined) return above
    above.unshift(found.result)
    parent = found.result.parent_invocation_id
  }
  return above
}

async function childrenOf(options: ConnectionOptions, id: string): Promise<readonly AnsweredEntry[]> {
  const answer = await reached(askTrail(options, { parent_invocation_id: id }))
  return answer.success ? answer.result.entries.toReversed() : []
}
