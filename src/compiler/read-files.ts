import type { CheckOptions } from './judge.js'
import type { Source } from './diagnostics.js'
import { reportTo, type Finding } from './finding.js'
import type { Memory } from './memory/memory.js'
import { reportIncludes } from './parse/includes.js'
import { READ_LIMITS } from './parse/limits.js'
import { mergeCapabilities } from './parse/merge-capabilities.js'
import { readDocument } from './parse/read-document.js'
import { reportRootKind } from './parse/root-kind.js'
import { placeSources, type Sources } from './parse/sources.js'
import type { YamlNode } from './parse/tree.js'
import type { ManifestView } from './rules/rule.js'
import type { Shape } from './shape/field.js'
import { readObject, type Reading } from './shape/read-value.js'
import { FRAGMENT, MANIFEST } from './shape/fields/manifest.js'

/** What was read of a manifest and its fragments, before any rule runs. */
export interface ReadFiles {
  readonly placed: Sources
  readonly roots: readonly (YamlNode | undefined)[]
  readonly view: ManifestView | undefined
  readonly findings: Finding[]
  readonly recall: ReturnType<Memory['begin']> | undefined
}

export function readFiles(sources: readonly Source[], options: CheckOptions, memory: Memory | undefined): ReadFiles {
  const findings: Finding[] = []
  const report = reportTo(findings)
  const placed = placeSources(sources)
  const recall = memory?.begin()
  const roots = placed.files.map((file) => readDocument(file, report, READ_LIMITS, recall?.entriesOf(file)))
  recall?.haveRead(roots)
  const view = viewOf(roots, { report, text: placed.text, again: recall?.readAgain(findings) }, options)
  return { placed, roots, view, findings, recall }
}

function viewOf(
  roots: readonly (YamlNode | undefined)[],
  reading: Reading,
  { includeProblems = [] }: CheckOptions,
): ManifestView | undefined {
  if (roots[0] !== undefined) reportIncludes(roots[0], includeProblems, reading.report)
  const [manifest, ...fragments] = roots.map((root, index) =>
    root === undefined ? undefined : readRoot(root, index === 0 ? MANIFEST : FRAGMENT, reading),
  )
  return manifest === undefined ? undefined : mergeCapabilities(manifest, fragments, reading.report)
}

/** What a document is read as. */
export function readRoot(node: YamlNode, shape: Shape, reading: Reading): ManifestView | undefined {
  if (node.kind !== 'map') return reportRootKind(node, shape, reading.report)
  const spot = node.keys[0] ?? node
  return readObject(shape, node, { spot, name: shape.title }, reading) as ManifestView
}
