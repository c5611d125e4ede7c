import { render } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { html } from './html.js'
import { readMe, type Me } from './me.js'
import { Home } from './pages/home.js'
import { SignIn } from './pages/sign-in.js'
import { usePath } from './router.js'

function Console() {
  const [me, setMe] = useState<Me | 'reading' | 'away'>('reading')
  usePath()
  useEffect(() => void readMe().then((read) => setMe(read ?? 'away')), [])
  const person = typeof me === 'string' ? undefined : me.person
  useEffect(() => {
    if (typeof me === 'string') return
    document.body.classList.add('gate')
    document.title = person === undefined ? `Sign in · ${me.service}` : me.service
  }, [me])
  if (me === 'reading') return null
  if (me === 'away') return html`<${Away} />`
  return person === undefined ? html`<${SignIn} me=${me} />` : html`<${Home} me=${me} person=${person} />`
}

const Away = () => html`
  <main class="page" id="main" tabindex="-1">
    <div class="empty">
      <h1>The service does not answer</h1>
      <p>Nothing was changed. Load the page again in a moment.</p>
    </div>
  </main>
`

render(html`<${Console} />`, document.getElementById('console')!)
