import { markup } from '../markup.js'
import { ROOT } from '../router.js'

export const NotThere = () => markup`
  <div class="empty">
    <h1>There is no such page</h1>
    <p>It may have moved, or the address is cut.</p>
    <div class="acts"><a class="btn sm" href=${`${ROOT}/approvals`}>See what waits</a></div>
  </div>
`
