import { useEffect, useState } from 'preact/hooks'
import type { Permissions } from '../../../../protocol/permissions.js'
import type { Budget } from '../../../../protocol/token.js'
import type { ApprovalNeed } from '../../../../protocol/capability-sentence.js'
import { post, type Asked } from '../../ask.js'
import { markup } from '../../markup.js'
import { Notice } from '../../parts/notice.js'
import { signInAgain } from '../../router.js'
import { nameOf } from '../../words/people.js'
import { oneLine } from '../../words/safe-text.js'

interface PreviewProps {
  readonly capability: string
  readonly budget: Budget | undefined
  readonly approval: ApprovalNeed
}

const MAY: { readonly [need in ApprovalNeed]: { readonly title: string; readonly is: 'done' | 'waiting' } } = {
  never: { title: 'You may call it.', is: 'done' },
  sometimes: { title: 'You may call it. A person may have to approve.', is: 'waiting' },
  always: { title: 'You may call it. A person will have to approve.', is: 'waiting' },
}

/** Previews whether a token of this person would be allowed, before any call, by the checks of the service. */
export function PermissionPreview({ capability, budget, approval }: PreviewProps) {
  const [said, setSaid] = useState<Asked<Permissions> | undefined>()
  const key = JSON.stringify(budget)
  useEffect(() => {
    let isOver = false
    const ask = async (): Promise<void> => {
      const answer = await post<Permissions>('/try/permission', { capability, ...(budget && { budget }) })
      if (!isOver) setSaid(answer)
    }
    void ask()
    return () => {
      isOver = true
    }
  }, [capability, key])
  if (said === undefined) return markup`<p class="muted small">Asking the service whether you may…</p>`
  if (!said.ok)
    return markup`
      <${Notice} is="refused" icon="refused" role="status" title="You may not call it">
        <p class="small">${said.trouble.detail}</p>
        ${said.trouble.type === 'authentication_required' && markup`<div class="acts"><button class="btn sm" type="button" onClick=${signInAgain}>Sign in again</button></div>`}
      <//>
    `
  const { available, restricted, denied } = said.value
  if (available.length > 0)
    return markup`
      <${Notice} is=${MAY[approval].is} icon=${MAY[approval].is} role="status" title=${MAY[approval].title}>
        <p class="small">
          Scope${budget === undefined ? '' : ', budget'} and requirements of the token are
          fine.${approval === 'never' ? '' : ' Nothing runs before the approval.'} The call itself checks inputs, price
          and rate.
        </p>
      <//>
    `
  const refused = restricted[0] ?? denied[0]
  return markup`
    <${Notice} is="refused" icon="refused" role="status" title="You may not call it">
      <p class="small">
        <bdi>${oneLine(refused?.reason ?? 'The service did not say why.', 300)}</bdi>${refused?.grantable_by !== undefined && markup` ${nameOf(refused.grantable_by)} can give it.`}
      </p>
    <//>
  `
}
