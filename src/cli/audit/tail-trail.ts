import { setTimeout as sleep } from 'node:timers/promises'
import type { AnsweredEntry } from '../../protocol/audit.js'
import type { ExitCode } from '../shared/errors/cli-error.js'
import { print } from '../shared/output/print.js'
import { printable } from '../shared/output/printable.js'
import { reached, showFailure } from '../service/connection.js'
import { entryLine } from './entry-line.js'
import { openEvents } from '../service/event-stream.js'
import { lastEntries, pageQueryOf, type TrailOptions } from './trail.js'
import { untilBack } from '../service/until-back.js'

/** Entries from before that are printed first. */
const FIRST = 10
const AGAIN_AFTER_MS = 1000

/** `svc audit tail`: the last entries, then each new one as it comes, until it is interrupted. */
export async function tailTrail(options: TrailOptions): Promise<ExitCode> {
  const { since: _, cursor: __, ...filters } = await pageQueryOf(options)
  let [last, isReached]: [string | undefined, boolean] = [undefined, false]
  for (; ; await sleep(AGAIN_AFTER_MS)) {
    const open = () => openEvents(options, { operation: 'audit_stream', query: filters, lastEventId: last })
    const opened = await (isReached ? untilBack(open) : reached(open()))
    isReached = true
    if ('failure' in opened) return showFailure(opened.failure, options.json === true)
    for await (const { id, event, data } of opened.events) {
      if (event === 'from' && last === undefined) await printBefore(options, Number(data))
      if (event === 'entry' && data !== undefined) printEntry(JSON.parse(data) as AnsweredEntry, options)
      last = id ?? last
    }
  }
}

/** Prints earlier entries. Entries that arrive between the two requests are in both, and are printed as they arrive. */
async function printBefore(options: TrailOptions, sequence: number): Promise<void> {
  const answer = await reached(lastEntries(options, FIRST))
  if (!answer.success) return
  const before = answer.result.entries.filter((entry) => entry.sequence <= sequence)
  for (const entry of before.toReversed()) printEntry(entry, options)
}

const printEntry = (entry: AnsweredEntry, { json }: TrailOptions): void =>
  print(json === true ? `${printable(JSON.stringify(entry))}\n` : `${entryLine(entry)}\n`)
