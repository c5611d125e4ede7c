import type { Source } from '../diagnostics.js'
import { reportTo, type Finding, type Report } from '../finding.js'
import { reportIncludes, type IncludeProblem } from '../parse/includes.js'
import { readDocument } from '../parse/read-document.js'
import { placeSources, type SourceMap } from '../parse/sources.js'
import { indexOfKey, valueAt, type MapNode, type YamlNode } from '../parse/tree.js'
import type { Shape } from './field.js'
import { DIVIDED_MANIFEST, FRAGMENT, MANIFEST } from './fields/manifest.js'
import { linkSchemas } from './link-schemas.js'
import { mergeCapabilities } from './merge-capabilities.js'
import { readObject } from './read-value.js'
import type { ReadContext } from './reading.js'
import { reportRootKind } from './root-kind.js'
import { keyOf, type ManifestView } from './view.js'

/** Files of a manifest and its fragments, before any rule runs. */
export interface ReadFiles {
  readonly placed: SourceMap
  /** In the order of the files; undefined where a file could not be read at all. */
  readonly roots: readonly (YamlNode | undefined)[]
  /** The manifest and its fragments, without the files of schemas. */
  readonly documents: readonly (YamlNode | undefined)[]
  readonly view: ManifestView | undefined
  readonly findings: readonly Finding[]
}

export function readFiles(sources: readonly Source[], includeProblems: readonly IncludeProblem[] = []): ReadFiles {
  const findings: Finding[] = []
  const report = reportTo(findings)
  const placed = placeSources(sources)
  const roots = placed.files.map((file) => readDocument(file, report))
  if (roots[0] !== undefined) reportIncludes(roots[0], includeProblems, report)
  const reading = { report, text: placed.text }
  const linked = linkSchemas(placed.files, roots, includeProblems, report)
  const [manifest, ...fragments] = linked.map((root, index) =>
    root === undefined ? undefined : index === 0 ? readManifest(root, reading) : readRoot(root, FRAGMENT, reading),
  )
  const view = manifest === undefined ? undefined : mergeCapabilities(manifest, fragments, report)
  if (view !== undefined && includeProblems.length === 0 && isDivided(roots[0])) reportEmpty(view, roots, report)
  const documents = roots.map((root, index) => (linked[index] === undefined ? undefined : root))
  return { placed, roots, documents, view, findings }
}

/** A manifest that includes others need not have capabilities of its own, nor a value beside the key. */
function readManifest(root: YamlNode, reading: ReadContext): ManifestView | undefined {
  if (root.kind !== 'map' || !isDivided(root)) return readRoot(root, MANIFEST, reading)
  const capabilities = valueAt(root, 'capabilities')
  const isUnwritten = capabilities?.kind === 'scalar' && capabilities.value === null && !capabilities.broken
  return readRoot(isUnwritten ? without(root, 'capabilities') : root, DIVIDED_MANIFEST, reading)
}

/** Checks whether a manifest includes files. */
function isDivided(root: YamlNode | undefined): boolean {
  const include = root?.kind === 'map' ? valueAt(root, 'include') : undefined
  return include?.kind === 'list' && include.items.length > 0
}

function without(map: MapNode, name: string): MapNode {
  const index = indexOfKey(map, name)
  return { ...map, keys: map.keys.toSpliced(index, 1), values: map.values.toSpliced(index, 1) }
}

function reportEmpty(view: ManifestView, roots: readonly (YamlNode | undefined)[], report: Report): void {
  const isKnown = roots.every((root) => root?.kind === 'map' && root.faults === undefined)
  if (isKnown && Object.keys(view.capabilities ?? {}).length === 0)
    report('SVC1002', keyOf(view, 'include'), 'Neither the manifest nor a file that it includes declares a capability.')
}

/** The view of a document; undefined, and reported, if it is no mapping. */
export function readRoot(node: YamlNode, shape: Shape, reading: ReadContext): ManifestView | undefined {
  if (node.kind !== 'map') return reportRootKind(node, shape, reading.report)
  const span = node.keys[0] ?? node
  return readObject(shape, node, { span, name: shape.title }, reading) as ManifestView
}
