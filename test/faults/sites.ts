import { isMap, isScalar, isSeq, parseDocument, type Node, type Pair, type YAMLMap } from 'yaml'

/** A field of a manifest, in whichever style it is written. */
export interface Site {
  /** Keys from the root; `*` for a name of the author's own, `[]` for an item. */
  readonly path: string
  readonly key: Token
  /** Of a scalar; undefined for a collection. */
  readonly value: Token | undefined
  /** Where the value begins and ends, without the white space behind it. */
  readonly span: Token
  readonly isInFlow: boolean
  /** Where the map that holds it begins, and the key of that map. */
  readonly owner: readonly number[]
  readonly next: Site | undefined
  readonly previous: Site | undefined
}

export interface Token {
  readonly start: number
  readonly end: number
  readonly text: string
}

/** Maps whose keys are names of the author's own. */
const NAMED = /(?:^capabilities|caller_class|input_mapping|output_mapping|input_mapping\/\*|empty_result_output)$/u

/** Every field of a text, in its order. */
export function sitesOf(text: string): readonly Site[] {
  const sites: Site[] = []
  const walk = (node: unknown, path: string, owner: readonly number[], isInFlow: boolean): void => {
    if (isSeq(node))
      for (const item of node.items)
        walk(item, `${path}/[]`, [(item as Node).range?.[0] ?? 0], isInFlow || node.flow === true)
    if (isMap(node)) takeMap(node, path, owner, isInFlow || node.flow === true)
  }
  const takeMap = (map: YAMLMap, path: string, owner: readonly number[], isInFlow: boolean): void => {
    const owners = [...owner, map.range?.[0] ?? 0]
    let previous: (Site & { next: Site | undefined }) | undefined
    for (const pair of map.items) {
      const site = siteOf(text, pair, path, owners, isInFlow, previous)
      if (site === undefined) continue
      if (previous !== undefined) previous.next = site
      previous = site
      sites.push(site)
      if (!site.path.includes('x-')) walk(pair.value, site.path, [site.key.start], isInFlow)
    }
  }
  walk(parseDocument(text).contents, '', [0], false)
  return sites
}

function siteOf(
  text: string,
  pair: Pair,
  path: string,
  owner: readonly number[],
  isInFlow: boolean,
  previous: Site | undefined,
): (Site & { next: Site | undefined }) | undefined {
  const { key, value } = pair as Pair<Node, Node | null>
  if (!isScalar(key) || !key.range || !value?.range) return undefined
  const name = NAMED.test(path) ? '*' : String(key.value)
  const span = tokenAt(text, value.range[0], value.range[1])
  return {
    path: path === '' ? name : `${path}/${name}`,
    key: { start: key.range[0], end: key.range[1], text: String(key.value) },
    value: isScalar(value) ? { ...span, text: String(value.value) } : undefined,
    span,
    isInFlow,
    owner,
    previous,
    next: undefined,
  }
}

function tokenAt(text: string, start: number, to: number): Token {
  const written = text.slice(start, to).trimEnd()
  return { start, end: start + written.length, text: written }
}
