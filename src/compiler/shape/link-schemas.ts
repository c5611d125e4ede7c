import type { Report } from '../finding.js'
import type { IncludeProblem } from '../parse/includes.js'
import {
  decoded,
  fileBeside,
  isRemote,
  mayRefer,
  schemaFilesIn,
  schemaNameOf,
  withReferences,
} from '../parse/schema-files.js'
import type { PlacedSource } from '../parse/sources.js'
import { indexOfKey, valueAt, type MapNode, type ScalarNode, type YamlNode } from '../parse/tree.js'
import { SCHEMA_REFERENCE } from '../../protocol/value-schema.js'

interface File {
  readonly name: string
  readonly root: YamlNode | undefined
}

/** A file that becomes a shared schema, and where it is referred to first. */
interface Lifted {
  readonly file: string
  readonly key: ScalarNode
  readonly schema: YamlNode
}

const FIELD = 'x-schemas'

/**
 * Makes each file that a `$ref` leads to a shared schema of its name (docs/decisions/schema-files.md), so that the manifest that is served
 * validates by itself: the manifest and its fragments, undefined in the place of a schema file. Reports references that lead nowhere.
 */
export function linkSchemas(
  placed: readonly PlacedSource[],
  roots: readonly (YamlNode | undefined)[],
  problems: readonly IncludeProblem[],
  report: Report,
): readonly (YamlNode | undefined)[] {
  if (!placed.some(({ text }) => mayRefer(text))) return roots
  const files = placed.map(({ file }, index): File => ({ name: decoded(file), root: roots[index] }))
  const byName = new Map(files.slice(1).map((file) => [file.name, file]))
  const troubles = new Map(problems.map((each) => [keyOf(decoded(each.file ?? ''), each.pattern), each]))
  const schemas = new Set<string>()
  const lifted = new Map<string, Lifted>()
  const own = declaredNames(roots)
  const reached = (from: File, isSchema: boolean): void => {
    if (from.root === undefined) return
    for (const node of schemaFilesIn(from.root, isSchema)) reach(from, node)
  }
  const reach = (from: File, node: ScalarNode): void => {
    const reference = String(node.value)
    if (isRemote(reference)) return report('SVC0130', node, remote(reference))
    const wanted = fileBeside(from.name, reference)
    const file = byName.get(wanted)
    const problem = troubles.get(keyOf(from.name, reference))
    if (file === undefined || problem !== undefined)
      return report(problem?.code ?? 'SVC0127', node, problem?.message ?? `There is no file \`${reference}\`.`)
    if (schemas.has(wanted)) return
    schemas.add(wanted)
    const name = schemaNameOf(wanted)
    const there = own.get(name) ?? lifted.get(name)?.key
    if (there !== undefined) return report('SVC1005', node, clash(reference, name), firstOf(there))
    if (file.root === undefined) return
    lifted.set(name, { file: wanted, key: { ...node, value: name }, schema: file.root })
    reached(file, true)
  }
  for (const [index, file] of files.entries()) if (!schemas.has(file.name) || index === 0) reached(file, false)
  const change = (node: ScalarNode, from: string): ScalarNode => {
    const wanted = fileBeside(from, String(node.value))
    const isLifted = lifted.get(schemaNameOf(wanted))?.file === wanted
    return isLifted ? { ...node, value: SCHEMA_REFERENCE + schemaNameOf(wanted) } : { ...node, broken: true }
  }
  const linked = files.map(({ name, root }) =>
    root === undefined || schemas.has(name) ? undefined : withReferences(root, false, (node) => change(node, name)),
  )
  const made = [...lifted.values()].map(({ file, key, schema }) => ({
    key,
    schema: withReferences(withoutDialect(schema), true, (node) => change(node, file)),
  }))
  return linked.map((root, index) => (index === 0 && root?.kind === 'map' ? withSchemas(root, made) : root))
}

/** A reference, and the file in which it stands. */
const keyOf = (file: string, reference: string): string => `${file}\0${reference}`

const remote = (reference: string): string =>
  `The schema \`${reference}\` is remote; validation reads no network. Copy the file into the project.`

const clash = (reference: string, name: string): string =>
  `The file \`${reference}\` becomes the schema \`${name}\`, which is declared already; rename one of them.`

const firstOf = (span: ScalarNode) => ({ related: [{ span, message: 'It is declared here.' }] })

/** The shared schemas that manifests declare themselves. */
function declaredNames(roots: readonly (YamlNode | undefined)[]): ReadonlyMap<string, ScalarNode> {
  const maps = roots.flatMap((root) => (root?.kind === 'map' ? (valueAt(root, FIELD) ?? []) : []))
  const keys = maps.flatMap((map) => (map.kind === 'map' ? map.keys : []))
  return new Map(keys.map((key) => [String(key.value), key]))
}

/** Editors want `$schema` in a file of its own; the closed list of keywords is the dialect here. */
function withoutDialect(schema: YamlNode): YamlNode {
  const at = schema.kind === 'map' ? indexOfKey(schema, '$schema') : -1
  if (schema.kind !== 'map' || at === -1) return schema
  return { ...schema, keys: schema.keys.toSpliced(at, 1), values: schema.values.toSpliced(at, 1) }
}

/** A manifest with further shared schemas. */
function withSchemas(root: MapNode, made: readonly { readonly key: ScalarNode; readonly schema: YamlNode }[]): MapNode {
  const own = valueAt(root, FIELD)
  if (made.length === 0 || (own !== undefined && own.kind !== 'map')) return root
  const first = made[0]!
  const { start, end } = first.key
  const empty: MapNode = { kind: 'map', start, end, keys: [], values: [], faults: undefined }
  const base = own ?? empty
  const merged: MapNode = {
    ...base,
    keys: [...base.keys, ...made.map(({ key }) => key)],
    values: [...base.values, ...made.map(({ schema }) => schema)],
  }
  const at = indexOfKey(root, FIELD)
  return at === -1
    ? { ...root, keys: [...root.keys, { ...first.key, value: FIELD }], values: [...root.values, merged] }
    : { ...root, values: root.values.with(at, merged) }
}
