import type { AnsweredEntry } from '../../protocol/audit.js'
import { wordIn, readQuery } from '../../runtime/request/query.js'
import { refuse } from '../../runtime/errors/refusal.js'
import type { HttpResponse } from '../../runtime/http/exchange.js'
import type { Visit } from '../visit.js'
import { hasOutcome, OUTCOME_FILTERS, type OutcomeFilter } from '../entry-outcome.js'
import { CSV_HEAD, csvLine } from './trail-csv.js'

type Read = (
  query: URLSearchParams,
) => Promise<{ readonly entries: readonly AnsweredEntry[]; readonly next_cursor?: string }>

interface Form {
  readonly type: string
  readonly head: string
  readonly line: (entry: AnsweredEntry) => string
}

const FORMS = {
  ndjson: { type: 'application/x-ndjson', head: '', line: (entry) => `${JSON.stringify(entry)}\n` },
  csv: { type: 'text/csv; charset=utf-8', head: CSV_HEAD, line: csvLine },
} satisfies { readonly [format: string]: Form }

/** One member of a query, as often as it is there. */
const only = (query: URLSearchParams, name: string): URLSearchParams =>
  new URLSearchParams(query.getAll(name).map((value): [string, string] => [name, value]))

const AT_ONCE = '1000'

/** All entries that the filters find, newest first, as a file; pages are read as fast as they are taken. */
export async function exported({ query }: Visit, read: Read): Promise<HttpResponse> {
  const format = wordIn(readQuery(only(query, 'format'), ['format']), 'format', ['ndjson', 'csv'])
  if (format === undefined) return refuse('invalid_parameters', 'Say which format: ndjson or csv.')
  const outcome = wordIn(readQuery(only(query, 'outcome'), ['outcome']), 'outcome', OUTCOME_FILTERS) as
    | OutcomeFilter
    | undefined
  const { type, head, line }: Form = FORMS[format as keyof typeof FORMS]
  const filters = new URLSearchParams(
    [...query].filter(([name]) => !['format', 'outcome', 'limit', 'cursor'].includes(name)),
  )
  const page = (cursor: string | undefined) => {
    const asked = new URLSearchParams([...filters, ['limit', AT_ONCE]])
    if (cursor !== undefined) asked.set('cursor', cursor)
    return read(asked)
  }
  // What the filters say wrong is refused before the file begins.
  let ahead: Awaited<ReturnType<Read>> | undefined = await page(undefined)
  let lines = head
  const body = new ReadableStream<Uint8Array>({
    pull: async (controller) => {
      if (ahead === undefined) return controller.close()
      lines += ahead.entries
        .filter((entry) => outcome === undefined || hasOutcome(outcome, entry))
        .map(line)
        .join('')
      ahead = ahead.next_cursor === undefined ? undefined : await page(ahead.next_cursor)
      controller.enqueue(new TextEncoder().encode(lines))
      lines = ''
    },
  })
  return {
    status: 200,
    headers: [
      'content-type',
      type,
      'content-disposition',
      `attachment; filename="trail.${format}"`,
      'cache-control',
      'no-store',
      'x-content-type-options',
      'nosniff',
    ],
    body,
  }
}
