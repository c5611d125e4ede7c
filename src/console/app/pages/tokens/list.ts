import { useEffect, useRef, useState } from 'preact/hooks'
import type { ListedToken, TokenList } from '../../../../protocol/operator.js'
import { get, type Trouble } from '../../ask.js'
import { useNow } from '../../hooks/use-now.js'
import { markup } from '../../markup.js'
import { icon } from '../../parts/icon.js'
import { Notice } from '../../parts/notice.js'
import { TextFilter } from '../../parts/text-filter.js'
import { ROOT } from '../../place.js'
import { putQuery, useQuery } from '../../router.js'
import { TokenNode } from './node.js'
import { RevokeDialog } from './revoke-dialog.js'
import { treesOf, type Node } from './tree.js'

const STATES = { live: 'Active', revoked: 'Revoked', expired: 'Expired' } as const

const PAGE = 200

/** Shows the delegation trees of tokens. */
export function Tokens() {
  const now = useNow()
  const query = useQuery()
  const [tokens, setTokens] = useState<readonly ListedToken[] | undefined>()
  const [cursor, setCursor] = useState<string | undefined>()
  const [trouble, setTrouble] = useState<Trouble | undefined>()
  const [revoked, setRevoked] = useState<Node | undefined>()
  const [said, setSaid] = useState('')
  const state = query.get('state') ?? 'live'
  const key = query.toString()
  const current = useRef(key)
  current.current = key
  const read = async (after?: string): Promise<void> => {
    const list = await get<TokenList>(`/tokens?${askedOf(query, state, after).toString()}`)
    if (current.current !== key) return
    if (!list.ok) return setTrouble(list.trouble)
    setTrouble(undefined)
    setTokens((before) => [...(after === undefined ? [] : (before ?? [])), ...list.value.tokens])
    setCursor(list.value.next_cursor)
  }
  useEffect(() => void read(), [key])
  const trees = treesOf(tokens ?? [])
  return markup`
    <div class="page-head">
      <div>
        <h1>Tokens</h1>
        <p>Delegated tokens. A child never has more than its parent.</p>
      </div>
      <div class="seg" role="group" aria-label="Show">
        ${Object.entries(STATES).map(([name, word]) => markup`<a href=${hrefFor(query, name)} aria-current=${state === name ? 'true' : undefined}>${word}</a>`)}
      </div>
    </div>
    <form class="filters" aria-label="Filters" onSubmit=${(event: Event) => event.preventDefault()}>
      ${(['who', 'capability', 'api_key'] as const).map((name) => markup`<${TextFilter} id=${name} label=${LABELS[name]} hint=${name === 'who' ? 'agent:desk' : 'Any'} value=${query.get(name) ?? ''} onPut=${(value: string) => put(query, name, value)} />`)}
    </form>
    <p class="vh" role="status">${said}</p>
    ${trouble && markup`<${Notice} is=${trouble.type === 'insufficient_authority' ? 'refused' : 'failed'} icon=${trouble.type === 'insufficient_authority' ? 'refused' : 'failed'} title="The tokens could not be read"><p>${trouble.detail}</p><//>`}
    ${tokens !== undefined && trees.length === 0 && markup`<div class="empty">${icon('tokens')}<h2>No tokens</h2><p>No tokens match these filters.</p></div>`}
    ${trees.length > 0 && markup`<ul class="tree panel" aria-label="Delegations">${trees.map((node) => markup`<${TokenNode} key=${node.token.token_id} node=${node} now=${now} onRevoke=${setRevoked} />`)}</ul>`}
    ${
      tokens !== undefined &&
      trees.length > 0 &&
      markup`<div class="pager">
        <span>${trees.length} ${trees.length === 1 ? 'tree' : 'trees'} · ${tokens.length} ${tokens.length === 1 ? 'token' : 'tokens'}</span>
        ${cursor !== undefined && markup`<button class="btn sm" onClick=${() => read(cursor)}>Show more</button>`}
      </div>`
    }
    ${revoked && markup`<${RevokeDialog} node=${revoked} onClose=${() => setRevoked(undefined)} onDone=${done} />`}
  `

  function done(): void {
    setRevoked(undefined)
    setSaid('Revoked.')
    void read()
  }
}

const LABELS = { who: 'Person or agent', capability: 'Capability', api_key: 'Bought with API key' } as const

function hrefFor(query: URLSearchParams, state: string): string {
  const changed = new URLSearchParams(query)
  if (state === 'live') changed.delete('state')
  else changed.set('state', state)
  return `${ROOT}/tokens${changed.size === 0 ? '' : `?${changed.toString()}`}`
}

function put(query: URLSearchParams, name: string, value: string): void {
  const changed = new URLSearchParams(query)
  if (value === '') changed.delete(name)
  else changed.set(name, value)
  putQuery(changed)
}

/** Whom people are is bought by them; agents hold. */
function askedOf(query: URLSearchParams, state: string, after: string | undefined): URLSearchParams {
  const who = query.get('who') ?? ''
  const given: readonly (readonly [string, string | null | undefined])[] = [
    [/^(?:human|oidc):/u.test(who) ? 'principal' : 'subject', who],
    ['capability', query.get('capability')],
    ['api_key', query.get('api_key')],
    ['state', state],
    ['limit', String(PAGE)],
    ['cursor', after],
  ]
  return new URLSearchParams(given.flatMap(([name, value]) => (value ? [[name, value] as [string, string]] : [])))
}
