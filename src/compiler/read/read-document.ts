import { EVENT_ID, parseEvents, YAMLException, type Event } from 'js-yaml'
import type { Report } from '../finding.js'
import { buildTree } from './build-tree.js'
import { mostValues } from './density.js'
import { READ_LIMITS, type ReadLimits } from './limits.js'
import type { PlacedSource } from './sources.js'
import { markBlanked, withoutBlock, type Recovered } from './recover.js'
import { scanDocument } from './scan/scan-block.js'
import type { EntryMemory } from './scan/scanner.js'
import { reportSyntax } from './syntax-error.js'
import { reportTextHazards } from './text-hazards.js'
import type { YamlNode } from './tree.js'

/** Nesting of the parser's own calls; keys and values each take one, so it stands well above the limit of the tree. */
const PARSER_DEPTH = 200

/** One YAML 1.2 document as a positioned tree; undefined if nothing of it can be used. Every fault is reported. */
export function readDocument(
  source: PlacedSource,
  report: Report,
  limits: ReadLimits = READ_LIMITS,
  entries?: EntryMemory,
): YamlNode | undefined {
  if (source.text.length > limits.length) return tooLong(source, report, limits)
  if (mostValues(source.text) > limits.values) return tooDense(source, report, limits)
  if (!reportTextHazards(source, report)) return undefined
  const scanned = scanDocument(source.text, source.base, entries)
  if (scanned !== undefined) return scanned
  return parseDocument(source, report, limits)
}

/** The full parser: slower, for every form of YAML, and for saying what is wrong. */
export function parseDocument(
  source: PlacedSource,
  report: Report,
  limits: ReadLimits = READ_LIMITS,
): YamlNode | undefined {
  const parsed = parse(source.text)
  if (parsed.events !== undefined) return treeOf(parsed.events, source, report, limits)
  reportSyntax(source, parsed.reason, parsed.position, report)
  return afterError(source, parsed.position, report, limits)
}

type Parsed =
  | { readonly events: readonly Event[] }
  | { readonly events?: never; readonly reason: string; readonly position: number }

function parse(text: string): Parsed {
  try {
    return { events: parseEvents(text, { maxDepth: PARSER_DEPTH }) }
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    return { reason: error.reason, position: error.mark?.position ?? 0 }
  }
}

function treeOf(
  events: readonly Event[],
  source: PlacedSource,
  report: Report,
  limits: ReadLimits,
): YamlNode | undefined {
  if (!events.some((event) => event.type === EVENT_ID.DOCUMENT)) return empty(source, report)
  return buildTree(events, source, report, limits)
}

/** Blocks with a syntax error that are left out before the reader gives up. */
const ROUNDS = 5

/** What can be read without the blocks that are not YAML. An error that may only be an echo of the last one is not told. */
function afterError(source: PlacedSource, position: number, report: Report, limits: ReadLimits): YamlNode | undefined {
  let { text } = source
  let last = position
  const blanked: number[] = []
  for (let round = 0; round < ROUNDS; round++) {
    const next = withoutCulprit(text, last)
    if (next === undefined) return undefined
    const { rest, parsed } = next
    text = rest.text
    blanked.push(rest.keyAt + source.base)
    if (parsed.events !== undefined)
      return withBlanks(treeOf(parsed.events, { ...source, text }, report, limits), blanked)
    reportSyntax(source, parsed.reason, parsed.position, report)
    last = parsed.position
  }
  return undefined
}

/** Blanks the block around an error, or the one before: what is never closed is noticed only after its block. */
function withoutCulprit(
  text: string,
  position: number,
): { readonly rest: Recovered; readonly parsed: Parsed } | undefined {
  const around = withoutBlock(text, position)
  const before =
    around === undefined ? undefined : withoutBlock(text, Math.max(0, text.lastIndexOf('\n', around.keyAt)))
  const attempts = [around, before].flatMap((rest) =>
    rest === undefined || rest.text === text ? [] : [{ rest, parsed: parse(rest.text) }],
  )
  return (
    attempts.find(({ parsed }) => parsed.events !== undefined) ??
    attempts.find(({ rest, parsed }) => isFurther(text, rest, parsed))
  )
}

/** Whether the next error lies beyond the line after the block: on that line it may be an echo. */
const isFurther = (text: string, { end }: Recovered, parsed: Parsed): boolean =>
  parsed.events === undefined && text.slice(end, parsed.position).includes('\n')

function withBlanks(root: YamlNode | undefined, blanked: readonly number[]): YamlNode | undefined {
  if (root !== undefined) for (const keyAt of blanked) markBlanked(root, keyAt)
  return root
}

function tooLong(source: PlacedSource, report: Report, limits: ReadLimits): undefined {
  const spot = { start: source.base, end: source.base }
  report(
    'SVC0010',
    spot,
    `The file has ${source.text.length} characters; the limit is ${limits.length}. Split it with \`include:\`.`,
  )
}

function tooDense(source: PlacedSource, report: Report, limits: ReadLimits): undefined {
  const spot = { start: source.base, end: source.base }
  const most = limits.values.toLocaleString('en')
  report('SVC0010', spot, `The file holds more than ${most} values and collections. Split it with \`include:\`.`)
}

function empty(source: PlacedSource, report: Report): undefined {
  report('SVC0105', { start: source.base, end: source.base }, 'The file has no document; write a manifest in it.')
}
