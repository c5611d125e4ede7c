import type { Span } from '../finding.js'
import type { YamlNode } from '../parse/tree.js'
import { tokensOf } from './locate.js'
import type { NameKind } from './naming-rows.js'
import { namingsOf, textSpan } from './namings.js'

/** Coloured tokens of an editor: names, words of the interface, and types of inputs. */
export interface ColouredToken extends Span {
  readonly kind: NameKind | 'word' | 'type'
  readonly isDeclaration: boolean
}

/** The tokens of one file that mean something to the whole manifest, in the order of the text. */
export function colouredTokens(roots: readonly YamlNode[], root: YamlNode): readonly ColouredToken[] {
  const named = namingsOf(roots, [root]).map(({ span, kind, isDeclaration }) => ({ ...span, kind, isDeclaration }))
  const taken = new Set(named.map(({ start }) => start))
  const others = [...wordsIn(root)].filter(({ start }) => !taken.has(start))
  const unique = new Map([...named, ...others].map((token) => [token.start, token]))
  return [...unique.values()].toSorted((one, other) => one.start - other.start)
}

function* wordsIn(root: YamlNode): Generator<ColouredToken> {
  for (const { node, isKey, field, path } of tokensOf(root)) {
    if (isKey || typeof node.value !== 'string') continue
    const isType = path.at(-1) === 'type' && path.at(-3) === 'inputs'
    if (isType || field?.kind === 'word')
      yield { ...textSpan(node), kind: isType ? 'type' : 'word', isDeclaration: false }
  }
}
