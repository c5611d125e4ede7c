import type { Source } from '../diagnostics.js'
import { reportTo, type Finding } from '../finding.js'
import { reportIncludes, type IncludeProblem } from '../parse/includes.js'
import { readDocument } from '../parse/read-document.js'
import { placeSources, type Sources } from '../parse/sources.js'
import type { YamlNode } from '../parse/tree.js'
import type { Shape } from './field.js'
import { FRAGMENT, MANIFEST } from './fields/manifest.js'
import { mergeCapabilities } from './merge-capabilities.js'
import { readObject } from './read-value.js'
import type { Reading } from './reading.js'
import { reportRootKind } from './root-kind.js'
import type { ManifestView } from './view.js'

/** What was read of a manifest and its fragments, before any rule runs. */
export interface ReadFiles {
  readonly placed: Sources
  /** In the order of the files; undefined where a file could not be read at all. */
  readonly roots: readonly (YamlNode | undefined)[]
  readonly view: ManifestView | undefined
  readonly findings: readonly Finding[]
}

export function readFiles(sources: readonly Source[], includeProblems: readonly IncludeProblem[] = []): ReadFiles {
  const findings: Finding[] = []
  const report = reportTo(findings)
  const placed = placeSources(sources)
  const roots = placed.files.map((file) => readDocument(file, report))
  if (roots[0] !== undefined) reportIncludes(roots[0], includeProblems, report)
  const [manifest, ...fragments] = roots.map((root, index) =>
    root === undefined ? undefined : readRoot(root, index === 0 ? MANIFEST : FRAGMENT, { report, text: placed.text }),
  )
  const view = manifest === undefined ? undefined : mergeCapabilities(manifest, fragments, report)
  return { placed, roots, view, findings }
}

/** The view of a document; undefined, and reported, if it is no mapping. */
export function readRoot(node: YamlNode, shape: Shape, reading: Reading): ManifestView | undefined {
  if (node.kind !== 'map') return reportRootKind(node, shape, reading.report)
  const span = node.keys[0] ?? node
  return readObject(shape, node, { span, name: shape.title }, reading) as ManifestView
}
