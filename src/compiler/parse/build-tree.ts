import { EVENT_ID, getScalarValue, SCALAR_STYLE, type Event, type ScalarEvent } from 'js-yaml'
import type { Report } from '../finding.js'
import { createAnchors, type Anchors } from './anchors.js'
import { addKey } from './keys.js'
import type { ReadLimits } from './limits.js'
import { plainScalar } from './scalars.js'
import { reportNumber } from './number-trouble.js'
import type { PlacedSource } from './sources.js'
import { tagTrouble } from './tags.js'
import { TEMPLATE } from './line-slips.js'
import { reportEscapes } from './text-hazards.js'
import type { ListNode, MapNode, ScalarNode, YamlNode } from './tree.js'

type Writable<T> = { -readonly [K in keyof T]: T[K] }
interface Frame {
  readonly node: Writable<MapNode> | Writable<ListNode>
  readonly flow: boolean
  /** `{{ name }}`: a template, and no mapping. */
  isTemplate?: true
  /** The key that waits for its value; `skip` when it may not be used. */
  key: ScalarNode | 'skip' | undefined
}

interface Build {
  readonly source: PlacedSource
  readonly report: Report
  readonly limits: ReadLimits
  readonly anchors: Anchors
  readonly frames: Frame[]
  root: YamlNode | undefined
  /** End of the last node, within the file. */
  last: number
  tooDeep: boolean
}

/** The first document of the events, as a tree. */
export function buildTree(
  events: readonly Event[],
  source: PlacedSource,
  report: Report,
  limits: ReadLimits,
): YamlNode | undefined {
  const anchors = createAnchors(source, report, limits)
  const build: Build = { source, report, limits, anchors, frames: [], root: undefined, last: 0, tooDeep: false }
  let documents = 0
  for (const event of events) {
    if (event.type === EVENT_ID.DOCUMENT && ++documents === 2) {
      secondDocument(build)
      break
    }
    take(build, event)
  }
  anchors.reportUnused()
  return build.tooDeep || anchors.exploded() ? undefined : build.root
}

function take(build: Build, event: Event): void {
  if (event.type === EVENT_ID.SCALAR) return add(build, scalar(build, event), event)
  if (event.type === EVENT_ID.POP) return close(build)
  if (event.type === EVENT_ID.ALIAS) return takeAlias(build, event)
  if (event.type === EVENT_ID.DOCUMENT) return
  const start = event.start + build.source.base
  const node: Writable<MapNode> | Writable<ListNode> =
    event.type === EVENT_ID.MAPPING
      ? { kind: 'map', start, end: start, keys: [], values: [], faults: undefined }
      : { kind: 'list', start, end: start, items: [] }
  checkTag(build, event, node)
  add(build, node, event)
  build.frames.push({ node, flow: event.style === 2, key: undefined })
  // An empty one has nothing in it that would say where its end is looked for.
  if (event.style === 2) build.last = event.start + 1
  if (build.frames.length === build.limits.depth + 1) deep(build, node)
}

function scalar(build: Build, event: ScalarEvent): ScalarNode {
  const { source } = build
  if (event.valueStart === -1) return emptyScalar(build, event)
  const text = getScalarValue(source.text, event)
  const quotes = event.style === SCALAR_STYLE.SINGLE_QUOTED || event.style === SCALAR_STYLE.DOUBLE_QUOTED ? 1 : 0
  const start = event.valueStart - quotes + source.base
  const end = event.valueEnd + quotes + source.base
  build.last = event.valueEnd + quotes
  if (event.style === SCALAR_STYLE.DOUBLE_QUOTED && text.length < event.valueEnd - event.valueStart)
    reportEscapes(text, { start, end }, build.report)
  const plain = event.style === SCALAR_STYLE.PLAIN && event.tagStart === -1
  const read = plain ? plainScalar(text) : text
  if (typeof read !== 'object' || read === null) return { kind: 'scalar', start, end, value: read, plain }
  if (read.trouble !== undefined) reportNumber(read.trouble, text, { start, end }, build.report)
  return { kind: 'scalar', start, end, value: read.value, plain, broken: true }
}

/** A value that is not written stands where its key stands. */
function emptyScalar(build: Build, event: ScalarEvent): ScalarNode {
  const frame = build.frames.at(-1)
  const key = frame?.key
  if (frame?.node.kind === 'list' && !frame.flow && event.anchorEnd === -1 && event.tagStart === -1)
    return emptyItem(build)
  const at = build.source.base + (event.anchorEnd === -1 ? build.last : event.anchorEnd)
  const span = key !== undefined && key !== 'skip' ? key : { start: at, end: at }
  if (event.tagStart === -1) return { kind: 'scalar', start: span.start, end: span.end, value: null, plain: true }
  const text: ScalarNode = { kind: 'scalar', start: span.start, end: span.end, value: '', plain: true }
  const isKnown = tagTrouble(build.source.text.slice(event.tagStart, event.tagEnd), text) === undefined
  return isKnown ? text : { ...text, broken: true }
}

/** An item that is not written is its dash. */
function emptyItem(build: Build): ScalarNode {
  const { text, base } = build.source
  const dash = /(?:[ \t\r\n:]|#[^\n]*\n)*-/uy
  dash.lastIndex = build.last
  const end = dash.test(text) ? dash.lastIndex : build.last
  const start = text[end - 1] === '-' ? end - 1 : end
  build.last = end
  return { kind: 'scalar', start: base + start, end: base + end, value: null, plain: true }
}

function takeAlias(build: Build, event: { readonly anchorStart: number; readonly anchorEnd: number }): void {
  const node = build.anchors.resolve(
    event.anchorStart,
    event.anchorEnd,
    build.frames.map((frame) => frame.node),
  )
  build.last = event.anchorEnd
  put(build, node)
}

function add(
  build: Build,
  node: YamlNode,
  event: {
    readonly anchorStart: number
    readonly anchorEnd: number
    readonly tagStart: number
    readonly tagEnd: number
  },
): void {
  if (node.kind === 'scalar') checkTag(build, event, node)
  if (event.anchorStart !== -1) build.anchors.define(event.anchorStart, event.anchorEnd, node)
  put(build, node)
}

function put(build: Build, node: YamlNode): void {
  const frame = build.frames.at(-1)
  if (frame === undefined) build.root ??= node
  else if (frame.node.kind === 'list') frame.node.items.push(node)
  else if (frame.key === undefined && isTemplate(build, frame, node)) frame.key = 'skip'
  else if (frame.key === undefined) frame.key = addKey(frame.node, node, build.report)
  else {
    if (frame.key !== 'skip') frame.node.values.push(node)
    frame.key = undefined
  }
}

/** Checks whether a key is the inner half of `{{ name }}`, which is reported as a template. */
function isTemplate(build: Build, frame: Frame, { kind, start }: YamlNode): boolean {
  const at = frame.node.start
  if (kind !== 'map' || start !== at + 1 || !frame.flow) return false
  frame.isTemplate = true
  build.report('SVC0101', { start: at, end: at + 2 }, TEMPLATE)
  return true
}

function close(build: Build): void {
  const frame = build.frames.pop()
  if (frame === undefined) return
  if (frame.flow) build.last = closingBracket(build.source.text, build.last, frame.node.kind === 'map' ? '}' : ']')
  frame.node.end = Math.max(frame.node.start, build.last + build.source.base)
  if (frame.isTemplate) forget(build, frame.node)
}

/** Drops findings within a template, whose value is unknown. */
function forget(build: Build, { start, end }: YamlNode): void {
  const owner = build.frames.at(-1)?.node
  const nodes = owner?.kind === 'map' ? owner.values : owner?.items
  const unknown: ScalarNode = { kind: 'scalar', start, end, value: null, plain: false, broken: true }
  if (nodes?.at(-1)?.start === start) nodes[nodes.length - 1] = unknown
}

/**
 * The parser does not say where a flow collection ends: no other bracket can stand before its own. A pair in a list,
 * `[a: b]`, is a mapping without brackets.
 */
function closingBracket(text: string, from: number, bracket: string): number {
  for (let at = from; at < text.length; at++) {
    const mark = text[at]!
    if ('[]{}'.includes(mark)) return mark === bracket ? at + 1 : from
    if (mark === '#') at = text.indexOf('\n', at) === -1 ? text.length : text.indexOf('\n', at)
  }
  return from
}

function checkTag(build: Build, event: { readonly tagStart: number; readonly tagEnd: number }, node: YamlNode): void {
  if (event.tagStart === -1) return
  const tag = build.source.text.slice(event.tagStart, event.tagEnd)
  const trouble = tagTrouble(tag, node)
  if (trouble === undefined) return
  const { base } = build.source
  build.report('SVC0112', { start: event.tagStart + base, end: event.tagEnd + base }, trouble)
}

function deep(build: Build, node: YamlNode): void {
  if (build.tooDeep) return
  build.tooDeep = true
  build.report(
    'SVC0120',
    { start: node.start, end: node.start + 1 },
    `The document is nested deeper than ${build.limits.depth} levels.`,
  )
}

function secondDocument(build: Build): void {
  const { text, base } = build.source
  const mark = /^(?:---|\.\.\.)/mu.exec(text.slice(build.last))
  const at = build.last + (mark?.index ?? 0)
  const span = { start: base + at, end: base + at + 3 }
  build.report('SVC0107', span, 'A second document starts here; write one manifest, or one fragment, in each file.')
}
