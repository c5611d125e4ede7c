import { reportTo, type Finding, type Span } from '../../finding.js'
import { pathTo } from '../../parse/path-to.js'
import { readDocument } from '../../parse/read-document.js'
import { placeSources, type PlacedSource } from '../../parse/sources.js'
import { valueAt, type MapNode, type YamlNode } from '../../parse/tree.js'
import { applyRules } from '../../rules/apply-rules.js'
import { MANIFEST } from '../../shape/fields/manifest.js'
import { readRoot, type ReadFiles } from '../../shape/read-files.js'
import { NODE, OWNER, type CapabilityView, type ManifestView } from '../../shape/view.js'
import type { Explained } from '../step.js'
import { maskedIn } from '../masking.js'
import { unquoted } from '../unquoted.js'
import type { Part } from './parts.js'

/** The findings where some parts are read as they were meant; what was found outside of these stays. */
export function foundAsMeant(
  findings: readonly Finding[],
  parts: readonly Part[],
  about: Explained,
): readonly Finding[] {
  const { placed } = about.read
  const all = placeSources([...placed.files, ...parts.map(({ file, text }) => ({ file: file.file, text }))])
  const files = all.files.slice(placed.files.length)
  const found: Finding[] = []
  const roots = files.map((file) => readDocument(file, reportTo(found)))
  const reading = { report: reportTo(found), text: all.text }
  const views = roots.map((root) => (root === undefined ? undefined : readRoot(root, MANIFEST, reading)))
  const names = new Set(views.flatMap((view) => Object.keys(view?.capabilities ?? {})))
  const view = together(about.read, parts, views)
  found.push(...applyRules(about.rules, { view, roots, placed: all }, about.surroundings, names))
  const isOutside = ({ span }: Finding): boolean => parts.every(({ stretch }) => !isWithin(span, stretch))
  const isAnswered = ({ span }: Finding): boolean => names.has(unquoted(placed.text(span)))
  return [
    ...findings.filter((each) => isOutside(each) && !isAnswered(each)),
    ...maskedIn(withPaths(found, files, roots), roots, all).flatMap((each) => placedBack(each, files, parts)),
  ]
}

const isWithin = ({ start }: Span, stretch: Span): boolean => start >= stretch.start && start < stretch.end

/** The manifest with the capabilities of the parts in the place of those that are written there. */
function together(
  { view, roots }: ReadFiles,
  parts: readonly Part[],
  views: readonly (ManifestView | undefined)[],
): ManifestView | undefined {
  const base = views.find((_, index) => parts[index]!.isRoot) ?? view ?? views.find((each) => each !== undefined)
  if (base === undefined) return undefined
  const capabilities: { [name: string]: CapabilityView | undefined } = Object.create(null)
  for (const [name, each] of Object.entries(view?.capabilities ?? {}) as [string, CapabilityView][])
    if (parts.every(({ stretch }) => !isWithin(each[OWNER], stretch))) capabilities[name] = each
  for (const each of views) Object.assign(capabilities, each?.capabilities)
  const declared = [...roots, ...views.map((each) => each?.[NODE])].flatMap(namesIn)
  return { ...base, capabilities, [NODE]: withDeclared(base[NODE], declared) } as unknown as ManifestView
}

/** Names that stand there, be they readable or not. */
function namesIn(root: YamlNode | undefined): readonly string[] {
  const node = root?.kind === 'map' ? valueAt(root, 'capabilities') : undefined
  if (node?.kind !== 'map') return []
  return [...node.keys.map(({ value }) => String(value)), ...(node.faults ?? [])]
}

/** A copy of the root in whose capabilities these names stand. */
function withDeclared(root: MapNode, names: readonly string[]): MapNode {
  const values = root.values.map((value, index) =>
    root.keys[index]!.value === 'capabilities' && value.kind === 'map'
      ? { ...value, faults: new Set([...(value.faults ?? []), ...names]) }
      : value,
  )
  return { ...root, values }
}

const withPaths = (
  findings: readonly Finding[],
  files: readonly PlacedSource[],
  roots: readonly (YamlNode | undefined)[],
): readonly Finding[] =>
  findings.map((finding) => {
    const index = files.findLastIndex(({ base }) => base <= finding.span.start)
    return index === -1 ? finding : { ...finding, path: pathTo(roots[index], finding.span.start) }
  })

/**
 * A finding of a part, where the text as it is written has its places. What would fix it there does not fit that text.
 */
function placedBack(
  { fix: _, related, ...finding }: Finding,
  files: readonly PlacedSource[],
  parts: readonly Part[],
): readonly Finding[] {
  const span = spotBack(finding.span, files, parts)
  if (span === undefined) return []
  const places = related?.flatMap((each) => {
    const back = each.span.start < files[0]!.base ? each.span : spotBack(each.span, files, parts)
    return back === undefined ? [] : { ...each, span: back }
  })
  return [{ ...finding, span, ...(places === undefined ? {} : { related: places }) }]
}

/** Undefined for what is in none of the parts' lines. */
function spotBack({ start, end }: Span, files: readonly PlacedSource[], parts: readonly Part[]): Span | undefined {
  const index = files.findLastIndex(({ base }) => base <= start)
  const file = files[index]
  const from = file === undefined ? undefined : parts[index]!.placeBack(start - file.base)
  const to = file === undefined ? undefined : parts[index]!.placeBack(end - file.base)
  return from === undefined || to === undefined ? undefined : { start: from, end: Math.max(from, to) }
}
