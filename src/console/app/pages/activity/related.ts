import { useEffect, useState } from 'preact/hooks'
import type { AnsweredEntry } from '../../../../protocol/audit.js'
import { get } from '../../ask.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { EntryRow } from './row.js'

type TrailPage = { readonly entries: readonly AnsweredEntry[] }

/** Shows entries related to a call, oldest first: its parent, its children, and decisions about it. */
export function RelatedPanel({ entry }: { readonly entry: AnsweredEntry }) {
  const now = useNow()
  const [rows, setRows] = useState<readonly AnsweredEntry[]>([])
  const { invocation_id, parent_invocation_id, approval_request_id, sequence } = entry
  useEffect(() => {
    const given = { parent_invocation_id: invocation_id, invocation_id: parent_invocation_id, approval_request_id }
    const asked = Object.entries(given).flatMap(([name, value]) =>
      value === null ? [] : [get<TrailPage>(`/trail?${name}=${encodeURIComponent(value)}&limit=50`)],
    )
    const read = async (): Promise<void> => {
      const found = (await Promise.all(asked)).flatMap((page) => (page.ok ? page.value.entries : []))
      const bySequence = new Map(found.map((each) => [each.sequence, each]))
      bySequence.delete(sequence)
      setRows([...bySequence.values()].sort((one, other) => one.sequence - other.sequence))
    }
    void read()
  }, [sequence])
  if (rows.length === 0) return null
  return markup`
    <section class="panel flush" aria-labelledby="related">
      <div class="pad"><h2 id="related">Related entries</h2></div>
      <table class="table activity" role="table">
        <thead class="vh">
          <tr>
            <th>Time</th>
            <th>What</th>
            <th>Who</th>
            <th>Outcome</th>
            <th>Cost</th>
            <th>Task</th>
          </tr>
        </thead>
        <tbody>
          ${rows.map((each) => markup`<${EntryRow} key=${each.sequence} entry=${each} now=${now} />`)}
        </tbody>
      </table>
    </section>
  `
}
