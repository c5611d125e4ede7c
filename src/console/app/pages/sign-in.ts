import { useState } from 'preact/hooks'
import { post, type Trouble } from '../ask.js'
import { markup } from '../markup.js'
import type { Me } from '../me.js'
import { icon } from '../parts/icon.js'
import { ROOT } from '../place.js'

/** Reason for signing in again -> message. */
const BECAUSE: { readonly [reason: string]: string } = {
  expired: 'The sign-in took too long, or began in another browser. Begin it again.',
  unknown: 'The provider did not vouch for somebody whom this service knows. Begin again, with another account.',
  'too-often': 'Too many sign-ins failed. Wait a minute, then begin again.',
}

/** The page to come back to: this one, or the one that sent here. */
function pageAfter(): string {
  const asked = new URLSearchParams(location.search).get('page')
  if (asked?.startsWith(`${ROOT}/`) === true) return asked
  return location.pathname.startsWith(`${ROOT}/sign-in`) ? `${ROOT}/` : location.pathname + location.search
}

const isWaiting = (): boolean => pageAfter().startsWith(`${ROOT}/approvals/`)

export function SignIn({ me }: { readonly me: Me }) {
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const because = BECAUSE[new URLSearchParams(location.search).get('because') ?? '']
  const toProvider = async (): Promise<void> => {
    const begun = await post<{ readonly location: string }>('/sign-in/provider', { page: pageAfter() })
    if (begun.ok) location.assign(begun.value.location)
    else setTrouble(begun.trouble)
  }
  return markup`
    <main id="main" tabindex="-1">
      <div class="panel">
        <p class="small muted">${me.host}</p>
        <h1>Sign in to ${me.service}</h1>
        ${because && notice('refused', because)} ${trouble && notice('failed', trouble.detail, 'alert')}
        ${isWaiting() && notice('waiting', 'A request may wait for you. You will be on its page after signing in.')}
        ${
          me.provider !== undefined &&
          markup`<button class="btn wide gap" data-kind="primary" onClick=${toProvider}>
            Continue with ${me.provider}
          </button>`
        }
        ${me.provider !== undefined && me.takes_keys && markup`<p class="or">on this machine only</p>`}
        ${me.takes_keys && markup`<${KeyForm} />`} ${me.provider === undefined && !me.takes_keys && markup`<${NoWayIn} />`}
      </div>
      <p class="small muted below">
        You stay signed in for 12 hours on this device. Everything that you decide is written down under your name.
      </p>
    </main>
  `
}

const notice = (is: 'waiting' | 'refused' | 'failed', text: string, role = 'status') => markup`
  <div class="notice gap gapdown" data-is=${is} role=${role}>
    ${icon(is)}
    <p class="small">${text}</p>
  </div>
`

function KeyForm() {
  const [key, setKey] = useState('')
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const signIn = async (event: Event): Promise<void> => {
    event.preventDefault()
    const signed = await post('/sign-in/key', { key: key.trim() })
    if (signed.ok) location.replace(pageAfter())
    else setTrouble(signed.trouble)
  }
  const says =
    trouble?.type === 'authentication_required'
      ? 'No key like this. svc init wrote the keys that work to .env.'
      : trouble?.detail
  return markup`
    <form class="stack" onSubmit=${signIn}>
      <div class="field">
        <label for="key">Development key</label>
        <input
          id="key"
          type="password"
          autocomplete="off"
          value=${key}
          onInput=${(event: InputEvent) => setKey((event.target as HTMLInputElement).value)}
          aria-invalid=${trouble !== undefined}
          aria-describedby="key-error key-hint"
        />
        <p class="error-text" id="key-error" role="alert">${says}</p>
        <p id="key-hint">Works on this machine only.</p>
      </div>
      <button class="btn wide">Sign in with the key</button>
    </form>
  `
}

const NoWayIn = () => markup`
  <p>Sign-in is not configured. Set SVC_CONSOLE_CLIENT_ID.</p>
`
