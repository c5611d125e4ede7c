import { useEffect, useRef, useState } from 'preact/hooks'
import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { get, type Trouble } from '../../ask.js'
import { serviceTime } from '../../hooks/use-now.js'
import { ROOT } from '../../place.js'
import { asked, matches, queryOf, type Filters } from './filters.js'

interface TrailPage {
  readonly entries: readonly AnsweredEntry[]
  readonly next_cursor?: string
}

/** The trail as it is read and as it grows. */
export interface Trail {
  readonly rows: readonly AnsweredEntry[] | undefined
  /** Newer entries, newest first: shown on request, so that nothing moves while it is read. */
  readonly fresh: readonly AnsweredEntry[]
  readonly link: 'live' | 'paused' | 'lost'
  readonly trouble: Trouble | undefined
  readonly older: (() => void) | undefined
  readonly showFresh: () => void
  readonly pause: (paused: boolean) => void
}

/** Most pages of entries to load for one page of results, if few entries match. */
const MOST_PAGES = 5

export function useTrail(filters: Filters): Trail {
  const [rows, setRows] = useState<readonly AnsweredEntry[] | undefined>()
  const [fresh, setFresh] = useState<readonly AnsweredEntry[]>([])
  const [cursor, setCursor] = useState<string | undefined>()
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const [link, setLink] = useState<Trail['link']>('live')
  const [isPaused, setPaused] = useState(false)
  const key = queryOf(filters).toString()
  const current = useRef(key)
  current.current = key
  const read = async (from?: string): Promise<void> => {
    const page = await readMatching(filters, from)
    if (current.current !== key) return
    if (!page.ok) return setTrouble(page.trouble)
    setTrouble(undefined)
    setRows((before) => [...(from === undefined ? [] : (before ?? [])), ...page.value.entries])
    setCursor(page.value.next_cursor)
  }
  useEffect(() => {
    setFresh([])
    if (isPaused) return setLink('paused')
    const source = new EventSource(`${ROOT}/api/trail/stream`)
    // The stream is open before the page is read: what comes between is in both, and shown once.
    source.addEventListener(
      'from',
      () => {
        setLink('live')
        void read()
      },
      { once: true },
    )
    source.addEventListener('open', () => setLink('live'))
    source.addEventListener('error', () => setLink('lost'))
    source.addEventListener('entry', ({ data }: MessageEvent<string>) => {
      const entry = JSON.parse(data) as AnsweredEntry
      if (matches(filters, entry)) setFresh((before) => [entry, ...before].slice(0, 1000))
    })
    return () => source.close()
  }, [key, isPaused])
  useEffect(() => void (link === 'lost' && rows === undefined && void read()), [link])
  const known = new Set(rows?.map(({ sequence }) => sequence))
  const unseen = fresh.filter(({ sequence }) => !known.has(sequence))
  return {
    rows,
    fresh: unseen,
    link,
    trouble,
    older: cursor === undefined ? undefined : () => void read(cursor),
    showFresh: () => {
      setRows((before) => [...unseen, ...(before ?? [])])
      setFresh([])
    },
    pause: setPaused,
  }
}

async function readMatching(filters: Filters, from: string | undefined) {
  const entries: AnsweredEntry[] = []
  let cursor = from
  for (let page = 0; page < MOST_PAGES; page++) {
    const query = asked(filters, serviceTime())
    query.set('limit', '50')
    if (cursor !== undefined) query.set('cursor', cursor)
    const read = await get<TrailPage>(`/trail?${query.toString()}`)
    if (!read.ok) return read
    entries.push(...read.value.entries.filter((entry) => matches(filters, entry)))
    cursor = read.value.next_cursor
    if (cursor === undefined || entries.length >= 25) break
  }
  const value: TrailPage = { entries, ...(cursor !== undefined && { next_cursor: cursor }) }
  return { ok: true as const, value }
}
