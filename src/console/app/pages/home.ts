import { post } from '../ask.js'
import { html } from '../html.js'
import type { Me } from '../me.js'
import { ROOT } from '../router.js'

/** Who is signed in, and what this person may decide. */
export function Home({ me, person }: { readonly me: Me; readonly person: NonNullable<Me['person']> }) {
  const signOut = async (): Promise<void> => {
    await post('/sign-out')
    location.replace(`${ROOT}/`)
  }
  return html`
    <main id="main" tabindex="-1">
      <div class="panel">
        <p class="small muted">${me.host}</p>
        <h1>You are signed in to ${me.service}</h1>
        <p>As <b class="strong">${person.principal}</b>.</p>
        <p>
          ${
            person.may_approve.length === 0
              ? 'You may decide about no capability.'
              : `You may decide about ${person.may_approve.join(', ')}.`
          }
        </p>
        <button class="btn wide gap" onClick=${signOut}>Sign out</button>
      </div>
    </main>
  `
}
