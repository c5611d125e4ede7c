import type { ListedToken } from '../../../../protocol/operator.js'

/** A token and those that were given on from it. */
export interface Node {
  readonly token: ListedToken
  /** The one that it was given from, if that is listed, too. */
  readonly parent: ListedToken | undefined
  readonly children: readonly Node[]
}

/** Tokens as the trees that they are; one whose parent is not listed begins a tree. */
export function treesOf(tokens: readonly ListedToken[]): readonly Node[] {
  const byId = new Map(tokens.map((token) => [token.token_id, token]))
  const below = new Map<string | undefined, ListedToken[]>()
  for (const token of tokens) {
    const parent =
      token.parent_token_id !== undefined && byId.has(token.parent_token_id) ? token.parent_token_id : undefined
    below.set(parent, [...(below.get(parent) ?? []), token])
  }
  const nodesBelow = (id: string | undefined): readonly Node[] =>
    (below.get(id) ?? [])
      .toSorted((one, other) => one.issued_at.localeCompare(other.issued_at))
      .map((token) => ({
        token,
        parent: id === undefined ? undefined : byId.get(id),
        children: nodesBelow(token.token_id),
      }))
  return nodesBelow(undefined)
}

/** The tokens that end with this one: itself, then those below it. */
export const allOf = ({ token, children }: Node): readonly ListedToken[] => [token, ...children.flatMap(allOf)]
