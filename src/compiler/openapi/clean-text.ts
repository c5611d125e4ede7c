import { hiddenIn } from '../parse/hidden-characters.js'
import { KNOWN_SECRETS } from '../rules/facts/secrets.js'
import { AGENT_COMMANDS } from '../rules/text/prompt-injection.js'
import { MARKUP } from '../rules/text/markup-in-text.js'

const LONGEST = 600

/** A text from elsewhere, and what was taken out of it. */
export interface Cleaned {
  readonly text: string
  /** In words: `a bidirectional control`, `a sentence that commands`. */
  readonly removed: readonly string[]
}

/**
 * A description that somebody else wrote, as a manifest may have it: without characters that hide, markup, what
 * looks like a credential (SVC5003), and sentences that command the model that reads them (SVC5101 to SVC5107); cut at a
 * sentence.
 */
export function cleanText(given: string): Cleaned {
  const removed = new Set<string>()
  const visible = withoutHidden(given.slice(0, 20_000), removed)
  const plain = visible
    .replaceAll(KNOWN_SECRETS, () => (removed.add('what looks like a credential'), '…'))
    .replaceAll(/^[ \t]*>[ \t]?(?:\[![A-Z]+\])?/gmu, '')
    .replaceAll(/!?\[([^\]]{0,200})\]\([^)\s]{0,500}(?:\s+"[^"]{0,200}")?\)/gu, '$1')
    .replaceAll(/<\/?[a-z][^<>]{0,300}>/giu, (tag) =>
      MARKUP.test(tag) || AGENT_COMMANDS.test(tag) ? (removed.add('markup'), ' ') : ' ',
    )
    .replaceAll(/\s+/gu, ' ')
    .trim()
  const sentences = plain.split(/(?<=[.!?])\s+/u).filter((sentence) => {
    if (!AGENT_COMMANDS.test(sentence) && !MARKUP.test(sentence)) return true
    removed.add('a sentence that commands the reader, or holds active markup')
    return false
  })
  return { text: cut(sentences), removed: [...removed] }
}

/** Checks whether a manifest may hold a value as it is: no reader sees a hidden character, and half of one is none. */
export const hides = (text: string): boolean => !text.isWellFormed() || hiddenIn(text).next().done === false

const NAMES = {
  bidi: 'bidirectional controls',
  tag: 'tag characters',
  invisible: 'invisible characters',
} as const

function withoutHidden(text: string, removed: Set<string>): string {
  let kept = ''
  let from = 0
  for (const { kind, start, end } of hiddenIn(text)) {
    removed.add(NAMES[kind])
    kept += text.slice(from, start)
    from = end
  }
  return (kept + text.slice(from)).replaceAll(
    /[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u2028\u2029\uFFFD]|\p{Cs}/gu,
    ' ',
  )
}

/** As many sentences as fit. */
function cut(sentences: readonly string[]): string {
  let text = ''
  for (const sentence of sentences) {
    const longer = text === '' ? sentence : `${text} ${sentence}`
    if (longer.length > LONGEST) break
    text = longer
  }
  return text === '' ? (sentences[0] ?? '').slice(0, LONGEST).trim() : text
}
