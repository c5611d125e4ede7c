import { useEffect, useState } from 'preact/hooks'
import type { ComponentType } from 'preact'
import type { Here } from '../here.js'
import { markup } from '../markup.js'

/** Returns a page that is loaded when somebody opens it. */
export const late = (load: () => Promise<ComponentType<Here>>): ComponentType<Here> =>
  function Late(here: Here) {
    const [page, setPage] = useState<{ readonly Page: ComponentType<Here> } | undefined>()
    useEffect(() => {
      void load().then((Page) => setPage({ Page }))
    }, [])
    return page && markup`<${page.Page} ...${here} />`
  }
