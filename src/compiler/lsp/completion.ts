import type { Span } from '../finding.js'
import { readDocument } from '../parse/read-document.js'
import type { YamlNode } from '../parse/tree.js'
import { sentenceOf, type Field, type Shape } from '../shape/field.js'
import { tokensOf, type LocatedToken } from './locate.js'
import { blockSnippets, entrySnippets, fieldSnippet } from './snippets.js'
import { valuesAt } from './values.js'

export interface Proposal {
  readonly label: string
  readonly kind: 'field' | 'value' | 'snippet'
  readonly detail?: string
  /** Takes the place of the word at the cursor. */
  readonly insert: string
  /** The same with places to go on, for editors that know them. */
  readonly snippet?: string
  /** Block and field of its documentation. */
  readonly about?: { readonly block: string; readonly field: string }
}

export interface Proposals {
  /** The word at the cursor, within the text. */
  readonly word: Span
  readonly proposals: readonly Proposal[]
}

const CURSOR = 'zzcursorzz'

/**
 * Returns the completions at an offset. The word at the cursor may be incomplete YAML. `others`: the other files of
 * the manifest.
 */
export function completionsAt(text: string, offset: number, others: readonly YamlNode[] = []): Proposals {
  const word = wordAt(text, offset)
  const hasColon = /^\s*:/u.test(text.slice(word.end, word.end + 80)) || /["']/u.test(text[word.start - 1] ?? '')
  for (const attempt of attempts(text, word, hasColon)) {
    const root = readDocument({ file: 'editor', text: attempt, base: 0 }, () => undefined)
    const token = root === undefined ? undefined : tokenOf(root)
    if (root === undefined || token === undefined) continue
    const place = { roots: [root, ...others], token, hasColon, isInBraces: isInBraces(attempt, token) }
    return { word, proposals: proposalsFor(place).filter(({ label }) => label !== CURSOR) }
  }
  return { word, proposals: [] }
}

interface Cursor {
  readonly roots: readonly YamlNode[]
  readonly token: LocatedToken
  /** True if the word already is a key or a quoted text: then only the name is inserted. */
  readonly hasColon: boolean
  readonly isInBraces: boolean
}

/** Dots and `$` belong to names and paths. */
function wordAt(text: string, offset: number): Span {
  const before = /[\w.$-]*$/u.exec(text.slice(Math.max(0, offset - LONGEST_WORD), offset))?.[0] ?? ''
  const after = /^[\w.$-]*/u.exec(text.slice(offset, offset + LONGEST_WORD))?.[0] ?? ''
  return { start: offset - before.length, end: offset + after.length }
}

const LONGEST_WORD = 1000

/** The text with the word at the cursor as a value, and as a key. */
function attempts(text: string, { start, end }: Span, hasColon: boolean): readonly string[] {
  const head = text.slice(0, start)
  const tail = text.slice(end)
  const line = head.slice(head.lastIndexOf('\n') + 1)
  const startsLine = /^\s*(?:- +)*$/u.test(line) || /[{,]\s*$/u.test(line)
  const asValue = `${head}${CURSOR}${tail}`
  const asKey = `${head}${CURSOR}: 0${tail}`
  return startsLine && !hasColon ? [asKey, asValue] : [asValue]
}

function tokenOf(root: YamlNode): LocatedToken | undefined {
  for (const token of tokensOf(root)) if (token.node.value === CURSOR) return token
  return undefined
}

const isInBraces = (text: string, { map }: LocatedToken): boolean => map !== undefined && text[map.start] === '{'

function proposalsFor(cursor: Cursor): readonly Proposal[] {
  const { roots, token } = cursor
  if (!token.isKey) return values(valuesAt(roots, token, token.field), token)
  if (token.shape !== undefined) return [...fieldProposals(token.shape, cursor), ...itemSnippets(cursor)]
  // A key that stands where a list of texts is expected is an item that is not finished.
  const unfinished = { ...token, isKey: false, path: token.path.slice(0, -1) }
  const names = valuesAt(roots, token, undefined).map((label) => keyProposal(label, cursor))
  return [...names, ...values(valuesAt(roots, unfinished, undefined), token), ...mapSnippets(cursor)]
}

const keyProposal = (label: string, { hasColon }: Cursor): Proposal => ({
  label,
  kind: 'value',
  insert: hasColon ? label : `${label}: `,
})

function fieldProposals(shape: Shape, cursor: Cursor): readonly Proposal[] {
  const present = new Set(cursor.token.map?.keys.map(({ value }) => value))
  return Object.entries(shape.fields).flatMap(([label, field]) =>
    present.has(label) ? [] : [fieldProposal(shape, label, field, cursor), ...wholeBlocks(shape, label, cursor)],
  )
}

function fieldProposal(shape: Shape, label: string, field: Field, { hasColon, isInBraces }: Cursor): Proposal {
  const detail = field.about === undefined ? {} : { detail: sentenceOf(field) }
  const about = { block: shape.title, field: label }
  const common = { label, kind: 'field', about, ...detail } as const
  if (hasColon) return { ...common, insert: label }
  return { ...common, insert: `${label}: `, snippet: fieldSnippet(label, field, isInBraces) }
}

const wholeBlocks = (shape: Shape, field: string, { hasColon, isInBraces }: Cursor): readonly Proposal[] =>
  hasColon || isInBraces ? [] : blockSnippets(shape, field).map(({ label, text }) => snippetProposal(label, text))

const snippetProposal = (label: string, text: string): Proposal => ({
  label,
  kind: 'snippet',
  insert: '',
  snippet: text,
})

/** In a list of inputs that begins an item. */
const itemSnippets = ({ token, hasColon, isInBraces }: Cursor): readonly Proposal[] =>
  token.path.at(-3) === 'inputs' && token.map?.keys.length === 1 && !hasColon && !isInBraces
    ? entrySnippets('capability.inputs').map(({ label, text }) => snippetProposal(label, text))
    : []

/** Below `capabilities:`. */
const mapSnippets = ({ token: { path }, hasColon, isInBraces }: Cursor): readonly Proposal[] =>
  path.length === 2 && path[0] === 'capabilities' && !hasColon && !isInBraces
    ? entrySnippets('manifest.capabilities').map(({ label, text }) => snippetProposal(label, text))
    : []

const values = (words: readonly string[], { path, shape }: LocatedToken): readonly Proposal[] => {
  const about = shape === undefined ? undefined : { block: shape.title, field: path.at(-1) ?? '' }
  return [...new Set(words)].map((label) => ({
    label,
    kind: 'value',
    insert: label,
    ...(about === undefined ? {} : { about }),
  }))
}
