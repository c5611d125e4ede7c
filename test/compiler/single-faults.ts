import fc from 'fast-check'
import {
  isMap,
  isScalar,
  isSeq,
  parseDocument,
  type Document,
  type Pair,
  type Scalar,
  type YAMLMap,
  type YAMLSeq,
} from 'yaml'

/** One fault put into a valid manifest. */
export interface Fault {
  readonly kind: string
  readonly where: string
  readonly text: string
}

type Mutation = (
  document: Document,
  sites: Sites,
  pick: number,
) => { readonly kind: string; readonly where: string } | undefined

interface Sites {
  readonly pairs: readonly { readonly map: YAMLMap; readonly pair: Pair; readonly path: string }[]
  readonly lists: readonly { readonly list: YAMLSeq; readonly path: string }[]
}

function sitesOf(document: Document): Sites {
  const pairs: Sites['pairs'][number][] = []
  const lists: Sites['lists'][number][] = []
  const walk = (node: unknown, path: string): void => {
    if (isMap(node))
      for (const pair of node.items) {
        const name = String(isScalar(pair.key) ? pair.key.value : pair.key)
        if (name.startsWith('x-')) continue
        pairs.push({ map: node, pair, path: `${path}/${name}` })
        walk(pair.value, `${path}/${name}`)
      }
    if (isSeq(node)) {
      lists.push({ list: node, path })
      node.items.forEach((item, index) => walk(item, `${path}/${index}`))
    }
  }
  walk(document.contents, '')
  return { pairs, lists }
}

const keyOf = (pair: Pair): Scalar => pair.key as Scalar
const at = <Item>(items: readonly Item[], pick: number): Item | undefined => items[pick % Math.max(1, items.length)]
const isFieldPath = (path: string): boolean =>
  !/\/(?:input_meanings|input_mapping|output_mapping|empty_result_output|caller_class|compute)\//u.test(
    `${path}/`.replace(/\/[^/]*\/$/u, '/'),
  ) && !/^\/capabilities\/[^/]+$/u.test(path)

/** Ways to be wrong once. Each changes one token, or drops one field. */
const MUTATIONS: readonly Mutation[] = [
  (_, { pairs }, pick) => {
    const site = at(
      pairs.filter(({ path, pair }) => isFieldPath(path) && String(keyOf(pair).value).length > 4),
      pick,
    )
    if (site === undefined) return undefined
    const key = keyOf(site.pair)
    const word = String(key.value)
    key.value = word.slice(0, 2) + word.slice(3)
    return { kind: 'misspelt field', where: site.path }
  },
  (_, { pairs }, pick) => {
    const site = at(
      pairs.filter(
        ({ pair, path }) =>
          /\/(?:level|certainty|mode|type|kind|on_missing|default_grant_type)$/u.test(path) &&
          isScalar(pair.value) &&
          String(pair.value.value).length > 4 &&
          !/\/(?:inputs|output|fields|requires_binding)\/?\d*\/?(?:fields\/\d+\/)?type$/u.test(path),
      ),
      pick,
    )
    if (site === undefined) return undefined
    const value = site.pair.value as Scalar
    const word = String(value.value)
    value.value = word.slice(0, -2) + word.slice(-1)
    return { kind: 'misspelt word', where: site.path }
  },
  (_, { pairs }, pick) => {
    const site = at(
      pairs.filter(
        ({ path }) =>
          /\/(?:description|contract_version|side_effect|minimum_scope|output|inputs|manifest_metadata|service_identity|trust|version|id|currency|reason|steps|audit_policy|authority_boundary|grant_policy|max_uses)$/u.test(
            path,
          ) && !/\/(?:inputs\/\d+|fields\/\d+|service_identity)\/description$/u.test(path),
      ),
      pick,
    )
    if (site === undefined) return undefined
    site.map.delete(keyOf(site.pair).value)
    return { kind: 'missing field', where: site.path }
  },
  (document, { pairs }, pick) => {
    const site = at(
      pairs.filter(
        ({ path, pair }) =>
          isFieldPath(path) &&
          !/\/(?:default|examples|allowed_values|equals|above|at_least|below|at_most|in|not_equals)$/u.test(path) &&
          isScalar(pair.value),
      ),
      pick,
    )
    if (site === undefined) return undefined
    site.pair.value = document.createNode({ odd: 1 })
    return { kind: 'a mapping for a scalar', where: site.path }
  },
  (document, { pairs }, pick) => {
    const site = at(
      pairs.filter(({ path, pair }) => isFieldPath(path) && (isMap(pair.value) || isSeq(pair.value))),
      pick,
    )
    if (site === undefined) return undefined
    site.pair.value = document.createNode(true)
    return { kind: 'a flag for a collection', where: site.path }
  },
  (document, { pairs }, pick) => {
    const site = at(
      pairs.filter(({ path, pair }) => isFieldPath(path) && isScalar(pair.value) && !path.endsWith('/default')),
      pick,
    )
    if (site === undefined) return undefined
    site.pair.value = document.createNode(null)
    return { kind: 'no value', where: site.path }
  },
  (document, { pairs }, pick) => {
    const site = at(
      pairs.filter(
        ({ path, pair }) =>
          /\/(?:required|logged|entity_reference|empty_result_source|record_child_invocations)$/u.test(path) &&
          isScalar(pair.value),
      ),
      pick,
    )
    if (site === undefined) return undefined
    site.pair.value = document.createNode('yes')
    return { kind: 'an old boolean', where: site.path }
  },
  (_, { pairs }, pick) => {
    const site = at(
      pairs.filter(
        ({ path, pair }) =>
          /\/(?:rollback_window|max_age|retention|request_ttl|expected_duration)$/u.test(path) && isScalar(pair.value),
      ),
      pick,
    )
    if (site === undefined) return undefined
    ;(site.pair.value as Scalar).value = '15 minutes'
    return { kind: 'a duration in words', where: site.path }
  },
  (_, { pairs }, pick) => {
    const site = at(
      pairs.filter(
        ({ path, pair }) =>
          /\/(?:capability|source_capability|compensation|field)$/u.test(path) && isScalar(pair.value),
      ),
      pick,
    )
    if (site === undefined) return undefined
    const value = site.pair.value as Scalar
    value.value = `${String(value.value)}s`
    return { kind: 'a misspelt reference', where: site.path }
  },
  (_, { lists }, pick) => {
    const site = at(
      lists.filter(
        ({ path, list }) => /\/(?:refresh_via|verify_via|fields_logged)$/u.test(path) && list.items.length > 0,
      ),
      pick,
    )
    if (site === undefined) return undefined
    const item = site.list.items[0] as Scalar
    item.value = `${String(item.value)}x`
    return { kind: 'a misspelt reference in a list', where: site.path }
  },
  (document, { lists }, pick) => {
    const site = at(
      lists.filter(
        ({ path, list }) =>
          /\/(?:minimum_scope|allowed_values|allowed_grant_types|fields_logged)$/u.test(path) && list.items.length > 0,
      ),
      pick,
    )
    if (site === undefined) return undefined
    site.list.add(document.createNode((site.list.items[0] as Scalar).value))
    return { kind: 'an item twice', where: site.path }
  },
  (_, { pairs }, pick) => {
    const site = at(
      pairs.filter(({ path, pair }) => /\/(?:input|output)_mapping(?:\/[^/]+)+$/u.test(path) && isScalar(pair.value)),
      pick,
    )
    if (site === undefined) return undefined
    const value = site.pair.value as Scalar
    value.value = String(value.value).replace(/.$/u, 'q')
    return { kind: 'a path to nowhere', where: site.path }
  },
]

/** Texts with exactly one fault. */
export const singleFaults = (texts: readonly string[]): fc.Arbitrary<Fault> =>
  fc
    .record({ text: fc.constantFrom(...texts), mutation: fc.nat(MUTATIONS.length - 1), pick: fc.nat(100_000) })
    .map(({ text, mutation, pick }) => {
      const document = parseDocument(text)
      const done = MUTATIONS[mutation]!(document, sitesOf(document), pick)
      return done === undefined ? undefined : { ...done, text: document.toString({ lineWidth: 0 }) }
    })
    .filter((fault) => fault !== undefined)
