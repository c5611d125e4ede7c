import type { Manifest } from '../protocol/manifest.js'
import type { Diagnostic, Source } from './diagnostics.js'
import type { Finding, Report } from './finding.js'
import { reportIncludes, type IncludeProblem } from './read/includes.js'
import { mergeCapabilities } from './read/merge-capabilities.js'
import { readDocument } from './read/read-document.js'
import { placeSources, type Sources } from './read/sources.js'
import type { YamlNode } from './read/tree.js'
import { reportRootKind } from './read/root-kind.js'
import { RULES } from './rules/index.js'
import { runRules } from './rules/run-rules.js'
import { wholeOf } from './rules/whole.js'
import type { ManifestView } from './rules/rule.js'
import type { Shape } from './schema/field.js'
import { normalise } from './schema/normalise.js'
import { readObject, type Reading } from './schema/read-value.js'
import { FRAGMENT, MANIFEST } from './schema/shapes/manifest.js'
import { toDiagnostics } from './to-diagnostics.js'

export interface CheckOptions {
  /** The time of the check in ms since 1970; without it nothing is said about expiry. */
  readonly now?: number
  /** Includes whose files could not be had. */
  readonly includeProblems?: readonly IncludeProblem[]
}

export interface Checked {
  /** By file, place and code. */
  readonly diagnostics: readonly Diagnostic[]
  /** With defaults filled in; absent when there is an error. */
  readonly manifest?: Manifest
}

/**
 * Checks a manifest: the first source, and the fragments that it includes. Reports every fault with its place; never
 * throws for bad input; the same sources give the same answer.
 */
export function check(sources: readonly Source[], options: CheckOptions = {}): Checked {
  const findings: Finding[] = []
  const report: Report = (code, spot, message, details) => findings.push({ code, spot, message, ...details })
  const placed = placeSources(sources)
  const view = readManifest(placed, options, report)
  if (view !== undefined) runRules(RULES, wholeOf(view, placed, options), report)
  const diagnostics = toDiagnostics(findings, placed)
  const sound = view !== undefined && diagnostics.every(({ severity }) => severity !== 'error')
  return sound ? { diagnostics, manifest: normalise(view) } : { diagnostics }
}

function readManifest(sources: Sources, options: CheckOptions, report: Report): ManifestView | undefined {
  const reading: Reading = { report, text: sources.text }
  const [root, ...fragments] = sources.files.map((file, index) => {
    const node = readDocument(file, report)
    if (node !== undefined && index === 0) reportIncludes(node, options.includeProblems ?? [], report)
    return node === undefined ? undefined : readRoot(node, index === 0 ? MANIFEST : FRAGMENT, reading)
  })
  if (root === undefined) return undefined
  return mergeCapabilities(root, fragments, report)
}

function readRoot(node: YamlNode, shape: Shape, reading: Reading): ManifestView | undefined {
  if (node.kind !== 'map') return reportRootKind(node, shape, reading.report)
  const spot = node.keys[0] ?? node
  return readObject(shape, node, { spot, name: shape.title }, reading) as ManifestView
}
