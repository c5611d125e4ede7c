import { markup } from '../markup.js'
import { ROOT } from '../place.js'

export const NotThere = () => markup`
  <div class="empty">
    <h1>Page not found</h1>
    <p>The link may be incomplete.</p>
    <div class="acts"><a class="btn sm" href=${`${ROOT}/approvals`}>Go to approvals</a></div>
  </div>
`
