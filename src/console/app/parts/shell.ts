import type { ComponentChildren } from 'preact'
import { useState } from 'preact/hooks'
import { post } from '../ask.js'
import type { Here } from '../here.js'
import { areKeysOff, switchKeys } from '../hooks/use-keys.js'
import { markup } from '../markup.js'
import { PLACES, type Place } from '../pages/index.js'
import { ROOT } from '../place.js'
import { signInAgain } from '../router.js'
import { nameOf } from '../words/people.js'
import { icon } from './icon.js'

interface ShellProps {
  readonly here: Here
  readonly path: string
  readonly isTask: boolean
  readonly children: ComponentChildren
}

/** Frame of every page: the service, the navigation and the person. */
export const Shell = ({ here, path, isTask, children }: ShellProps) => markup`
  <a class="skip" href="#main">Skip to content</a>
  <div class=${isTask ? 'app task-page' : 'app'}>
    <header class="side">
      <div class="brand"><b>${here.me.service}</b><span class="small muted">${here.me.host}</span></div>
      <nav class="nav" aria-label="Console">${placesOf(here).map((place) => link(place, here, path))}</nav>
      <div class="base"><${Link} here=${here} /><${Account} here=${here} /></div>
    </header>
    <div>
      <${Banner} here=${here} />
      <main class="page" id="main" tabindex="-1">${children}</main>
    </div>
    <nav class="tabbar" aria-label="Console, short">${placesOf(here).map((place) => link(place, here, path))}</nav>
  </div>
`

const placesOf = ({ me, person }: Here): readonly Place[] =>
  PLACES.filter(({ role, isShown }) => (role === undefined || person.roles.includes(role)) && isShown?.(me) !== false)

function link({ word, icon: name, href, count }: Place, here: Here, path: string) {
  const isHere = path.startsWith(href) || (path === '' && href === PLACES[0]?.href)
  const waiting = count?.(here) ?? 0
  return markup`
    <a href=${ROOT + href} aria-current=${isHere ? 'page' : undefined}>
      ${icon(name)}${word}${waiting > 0 && markup`<span class="count">${waiting}<span class="vh"> waiting</span></span>`}
    </a>
  `
}

const Link = ({ here: { pending } }: { readonly here: Here }) => markup`
  <p class="link-state" role="status">
    <span class="live"
      >${pending.link === 'live' && icon('live')}${pending.link === 'live' ? 'Live' : 'Not connected'}</span
    >
  </p>
`

const Banner = ({ here: { pending } }: { readonly here: Here }) =>
  pending.link === 'live'
    ? null
    : markup`
        <div class="banner" data-is="waiting" role="status">
          ${icon('waiting')}
          <span class="strong">${pending.link === 'lost' ? 'No connection.' : 'Your session has ended.'}</span>
          <span>This page may be out of date.</span>
          ${pending.link === 'signed out' && markup`<button class="btn sm" onClick=${signInAgain}>Sign in again</button>`}
        </div>
      `

function Account({ here: { person } }: { readonly here: Here }) {
  const [off, setOff] = useState(areKeysOff())
  const signOut = async (): Promise<void> => {
    await post('/sign-out')
    location.replace(`${ROOT}/`)
  }
  return markup`
    <details class="me">
      <summary><span class="strong">${nameOf(person.principal)}</span></summary>
      <p class="muted">
        ${person.may_approve.length === 0 ? 'Cannot approve requests' : `Approves ${person.may_approve.join(', ')}`}
      </p>
      <p>
        <label>
          <input
            type="checkbox"
            checked=${!off}
            onChange=${() => {
              switchKeys(!off)
              setOff(!off)
            }}
          />${' '}Single keys
        </label>
      </p>
      <p><button class="btn sm" onClick=${signOut}>Sign out</button></p>
    </details>
  `
}
