import { isCollection, isMap, isNode, isPair, isScalar, isSeq, type Document, type Node, type Pair } from 'yaml'

/** Marks a comment that stands on the line of its key; no manifest needs the character. */
const BESIDE = '\uE000'

/**
 * Puts each comment where its author put it: one that is no deeper than what follows belongs to that, though the parser
 * gives it to what stands before; and one beside a key stays beside it (`joinComments`).
 */
export function settleComments(document: Document, text: string): void {
  const { contents } = document
  if (text.includes(BESIDE) || !isCollection(contents) || contents.flow === true) return
  const rest = textsOf(settle(contents, text))
  // The parser takes comments at the end for those of the last field or of the document; printed, these stand apart.
  const last = [...linesOf(contents.comment), ...rest, ...linesOf(document.comment)]
  contents.comment = null
  if (last.length > 0) document.comment = last.join('\n')
}

/** Joins keys with the comments that stood beside them. */
export const joinComments = (text: string): string =>
  text.replaceAll(new RegExp(`:\\n *#${BESIDE}`, 'gu'), ': #').replaceAll(BESIDE, '')

interface Comment {
  readonly column: number
  /** True if a blank line precedes it. */
  readonly isApart: boolean
  readonly text: string
}

/** Settles the comments within a node, and gives those after it that belong to what encloses it. */
function settle(node: unknown, text: string): readonly Comment[] {
  if ((!isMap(node) && !isSeq(node)) || node.flow === true) return []
  const column = columnAt(text, node.range?.[0] ?? 0)
  let rest: readonly Comment[] = []
  for (const [index, item] of node.items.entries()) {
    if (index > 0) giveTo(item, rest, text)
    if (isPair(item)) keepBeside(item, text)
    rest = settle(isPair(item) ? item.value : item, text)
  }
  const after = [...rest, ...commentsAfter(node, text)]
  const own = after.findIndex((comment) => comment.column < column)
  const end = own === -1 ? after.length : own
  node.comment = end === 0 ? null : textsOf(after.slice(0, end)).join('\n')
  return after.slice(end)
}

/** Puts comments above a field or an item. */
function giveTo(item: unknown, comments: readonly Comment[], text: string): void {
  const owner = isPair(item) ? item.key : item
  if (!isNode(owner)) return
  const [first] = comments
  if (first === undefined) {
    if (isBelowComment(text, owner)) owner.spaceBefore = true
    return
  }
  const between = owner.spaceBefore === true && !owner.commentBefore ? [''] : []
  owner.spaceBefore = first.isApart
  owner.commentBefore = [...textsOf(comments), ...between, ...linesOf(owner.commentBefore)].join('\n')
}

/** Checks whether a blank line separates a node from a comment at the end of the preceding one; the parser drops it. */
const isBelowComment = (text: string, { range, commentBefore }: Node): boolean =>
  !commentBefore && /#[^\n]*\n[ \t\r]*\n[ -]*$/u.test(text.slice(0, range?.[0] ?? 0).slice(-400))

/** The comments that the parser gave to the end of a node, as the text has them. */
function commentsAfter(node: Node, text: string): readonly Comment[] {
  const given = linesOf(node.comment)
  const [, from = 0, to = 0] = node.range ?? []
  const written: Comment[] = []
  let isApart = false
  for (const line of text.slice(from, to).split('\n')) {
    const [, spaces, comment] = /^( *)#(.*?)\r?$/u.exec(line) ?? []
    if (spaces !== undefined && comment !== undefined) written.push({ column: spaces.length, isApart, text: comment })
    isApart = line.trim() === ''
  }
  const isSame = written.map((each) => each.text).join('\n') === given.filter((line) => line !== '').join('\n')
  return isSame ? written : given.map((line) => ({ column: Infinity, isApart: false, text: line }))
}

/** Marks the comment beside a key whose value begins on a later line. */
function keepBeside({ key, value }: Pair, text: string): void {
  if (!isScalar(key) || !isCollection(value) || value.flow === true || !value.commentBefore) return
  const end = key.range?.[1] ?? 0
  if (/^ *: +#/u.test(text.slice(end, text.indexOf('\n', end)))) value.commentBefore = BESIDE + value.commentBefore
}

const textsOf = (comments: readonly Comment[]): readonly string[] =>
  comments.flatMap(({ isApart, text }, index) => (isApart && index > 0 ? ['', text] : [text]))
const linesOf = (comment: string | null | undefined): readonly string[] => (comment ? comment.split('\n') : [])
const columnAt = (text: string, offset: number): number => offset - (text.lastIndexOf('\n', offset - 1) + 1)
