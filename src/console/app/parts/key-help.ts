import { markup } from '../markup.js'
import { Dialog } from './dialog.js'

const KEYS = [
  ['J', 'next request'], ['K', 'previous request'], ['Enter', 'open, confirm'], ['X', 'select'], ['A', 'approve'], ['Q', 'send back with a question'], ['R', 'deny'],
  ['1 to 4', 'pick a reason to deny'], ['Esc', 'go back'], ['?', 'this list'],
] as const // prettier-ignore

/** All keys. The account menu turns them off. */
export const KeyHelp = ({ onClose }: { readonly onClose: () => void }) => markup`
  <${Dialog} label="keys-title" onClose=${onClose}>
    <h2 id="keys-title">Keys</h2>
    <dl class="facts">
      ${KEYS.map(
        ([key, does]) =>
          markup`<dt><kbd>${key}</kbd></dt>
            <dd>${does}</dd>`,
      )}
    </dl>
    <p class="small muted">Inactive while you type. Turn them off in the menu under your name.</p>
    <div class="acts"><button class="btn wide" onClick=${onClose}>Go back</button></div>
  <//>
`
