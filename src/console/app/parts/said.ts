import { useState } from 'preact/hooks'
import { markup } from '../markup.js'
import { cut, safeText } from '../words/safe-text.js'

const MOST = 200

/**
 * Somebody else's words look like it: isolated, visible throughout, at most 200 characters until all are asked for
 * (threat N17).
 */
export function Said({ text }: { readonly text: string }) {
  const [all, setAll] = useState(false)
  const isLong = text.length > MOST
  return markup`
    <bdi class="said">${safeText(all || !isLong ? cut(text, 20_000) : cut(text, MOST))}</bdi>
    ${isLong && markup` <button class="btn sm" data-kind="quiet" onClick=${() => setAll(!all)}>${all ? 'show less' : 'show all'}</button>`}
  `
}
