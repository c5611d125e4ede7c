import { useEffect, useState } from 'preact/hooks'
import type { ComponentType } from 'preact'
import { markup } from '../../markup.js'

/** Shows the page of accounts, which is loaded when somebody opens it. */
export function Connections() {
  const [page, setPage] = useState<{ readonly Page: ComponentType } | undefined>()
  useEffect(() => {
    void import('./list.js').then(({ ConnectionsPage }) => setPage({ Page: ConnectionsPage }))
  }, [])
  return page && markup`<${page.Page} />`
}
