import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useTitleOfHeading } from './hooks/use-title.js'
import { usePending } from './hooks/use-pending.js'
import { markup } from './markup.js'
import { readMe, type Me, type Person } from './me.js'
import { PAGES } from './pages/index.js'
import { NotThere } from './pages/not-there.js'
import { SignIn } from './pages/sign-in.js'
import { Shell } from './parts/shell.js'
import { usePath } from './router.js'

function Console() {
  const [me, setMe] = useState<Me | 'reading' | 'away'>('reading')
  const path = usePath()
  useEffect(() => void readMe().then((read) => setMe(read ?? 'away')), [])
  const signsIn = typeof me === 'object' && (me.person === undefined || path === '/sign-in')
  useEffect(() => {
    document.body.classList.toggle('gate', signsIn)
    if (signsIn) document.title = `Sign in · ${me.service}`
  }, [signsIn])
  if (me === 'reading') return null
  if (me === 'away') return markup`<${Away} />`
  if (me.person === undefined || signsIn) return markup`<${SignIn} me=${me} />`
  return markup`<${Pages} me=${me} person=${me.person} path=${path} />`
}

interface PagesProps {
  readonly me: Me
  readonly person: Person
  readonly path: string
}

function Pages({ me, person, path }: PagesProps) {
  const pending = usePending(person.may_approve)
  const page = PAGES.find((each) => each.path.test(path))
  const segments = page?.path.exec(path)?.slice(1) ?? []
  const here = { me, person, pending, segments }
  const Component = page?.Component ?? NotThere
  useTitleOfHeading(me.service)
  return markup`
    <${Shell} here=${here} path=${path} isTask=${page?.isTask === true}>
      <${Component} key=${path} ...${here} />
    <//>
  `
}

const Away = () => markup`
  <main class="page" id="main" tabindex="-1">
    <div class="empty">
      <h1>The service does not answer</h1>
      <p>Nothing was changed. Load the page again in a moment.</p>
    </div>
  </main>
`

render(markup`<${Console} />`, document.getElementById('console')!)
