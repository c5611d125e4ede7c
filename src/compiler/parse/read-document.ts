import { EVENT_ID } from 'js-yaml'
import type { Report } from '../finding.js'
import { buildTree } from './build-tree.js'
import { mostValues } from './density.js'
import { READ_LIMITS, type ReadLimits } from './limits.js'
import { parseYaml, type Broken, type Events, type Parsed } from './parse-yaml.js'
import { markBlanked, withoutBlock, type Recovered } from './recover.js'
import { MOST_SCHEMA_VALUES, tooManySchemaValues } from './schema-values.js'
import type { PlacedSource } from './sources.js'
import { reportLine, reportSyntax } from './syntax-error.js'
import { reportTextHazards } from './text-hazards.js'
import type { Stray } from './line-slips.js'
import { diffMarks } from './diff-marks.js'
import { withoutMarks } from './document-marks.js'
import type { YamlNode } from './tree.js'

/** One YAML 1.2 document as a positioned tree; undefined if nothing of it can be used. Every fault is reported. */
export function readDocument(
  source: PlacedSource,
  report: Report,
  limits: ReadLimits = READ_LIMITS,
): YamlNode | undefined {
  if (source.text.length > limits.length) return tooLong(source, report, limits)
  if (mostValues(source.text) > limits.values) return tooDense(source, report, limits)
  const schemasAt = tooManySchemaValues(source.text)
  if (schemasAt !== undefined) return tooManySchemas(source, schemasAt, report)
  if (!reportTextHazards(source, report)) return undefined
  const plain = withoutDiff(source, report)
  const read = { ...plain, text: withoutMarks(plain, report) }
  const parsed = parseYaml(read.text)
  if (parsed.reason === undefined) return treeOf(parsed, read, report, limits)
  return afterError(read, parsed, report, limits)
}

/**
 * The tree of a text that is wholly YAML; undefined if it is not. Its syntax and its characters are not reported on.
 */
export function readStrictly(source: PlacedSource, report: Report): YamlNode | undefined {
  const parsed = parseYaml(source.text)
  return parsed.reason === undefined ? treeOf(parsed, source, report, READ_LIMITS) : undefined
}

function treeOf({ events }: Events, source: PlacedSource, report: Report, limits: ReadLimits): YamlNode | undefined {
  if (!events.some((event) => event.type === EVENT_ID.DOCUMENT)) return empty(source, report)
  return buildTree(events, source, report, limits)
}

/** Blocks with a syntax error that are left out before the reader gives up. */
const ROUNDS = 5

/** Reads the document without the blocks that are not YAML. Follow-on errors are not reported. */
function afterError(source: PlacedSource, error: Broken, report: Report, limits: ReadLimits): YamlNode | undefined {
  let { text } = source
  let broken = error
  const blanked: Blanked[] = []
  for (let round = 0; round <= ROUNDS; round++) {
    const stray = reportSyntax({ ...source, text }, broken, report)
    const next = stray === undefined ? withoutCulprit(text, broken.position) : withoutStrays(text, stray)
    if (next === undefined) return undefined
    const { rest, parsed } = next
    text = rest.text
    if (rest.keyAt !== undefined) blanked.push({ keyAt: rest.keyAt + source.base, isLast: rest.end === text.length })
    if (parsed.reason === undefined) return withBlanks(treeOf(parsed, { ...source, text }, report, limits), blanked)
    broken = parsed
  }
  return undefined
}

/** Returns the lines that a diff adds, without its marks, and drops the lines it removes. */
function withoutDiff(source: PlacedSource, report: Report): PlacedSource {
  const slip = diffMarks(source.text)
  if (slip === undefined) return source
  return { ...source, text: withoutSpans(source.text, reportLine(source, slip, report) ?? []) }
}

/** The text without what is no part of the document. */
function withoutStrays(text: string, strays: readonly Stray[]): Attempt {
  const rest = withoutSpans(text, strays)
  return { rest: { text: rest, end: strays[0]!.end }, parsed: parseYaml(rest) }
}

function withoutSpans(text: string, strays: readonly Stray[]): string {
  const parts: string[] = []
  let from = 0
  for (const { start, end, instead } of strays) {
    parts.push(text.slice(from, start), instead ?? text.slice(start, end).replaceAll(/[^\n\r]/gu, ' '))
    from = end
  }
  return [...parts, text.slice(from)].join('')
}

interface Attempt {
  readonly rest: Pick<Recovered, 'text' | 'end'> & Partial<Recovered>
  readonly parsed: Parsed
}

/**
 * Blanks the block around an error, or the one before: what is never closed is noticed only after its block. The block
 * that holds both is blanked only where nothing else helps.
 */
function withoutCulprit(text: string, position: number): Attempt | undefined {
  const around = withoutBlock(text, position)
  if (around === undefined) return undefined
  const first = attempt(text, around)
  if (isYaml(first)) return first
  const before = withoutBlock(text, Math.max(0, text.lastIndexOf('\n', around.keyAt)))
  const isWider = before !== undefined && before.end >= around.end
  if (isWider && isFurther(text, first)) return first
  const second = attempt(text, before)
  return isYaml(second) ? second : [first, second].find((each) => isFurther(text, each))
}

const isYaml = (tried: Attempt | undefined): boolean => tried !== undefined && tried.parsed.reason === undefined

function attempt(text: string, rest: Recovered | undefined): Attempt | undefined {
  return rest === undefined || rest.text === text ? undefined : { rest, parsed: parseYaml(rest.text) }
}

/** Checks whether the next error is beyond the line after the block; an error on that line may be an echo. */
const isFurther = (text: string, tried: Attempt | undefined): boolean =>
  tried?.parsed.reason !== undefined && text.slice(tried.rest.end, tried.parsed.position).includes('\n')

interface Blanked {
  readonly keyAt: number
  /** True if nothing follows the block. */
  readonly isLast: boolean
}

function withBlanks(root: YamlNode | undefined, blanked: readonly Blanked[]): YamlNode | undefined {
  if (root !== undefined) for (const { keyAt, isLast } of blanked) markBlanked(root, keyAt, isLast)
  return root
}

function tooLong(source: PlacedSource, report: Report, limits: ReadLimits): undefined {
  const span = { start: source.base, end: source.base }
  report(
    'SVC0010',
    span,
    `The file has ${source.text.length} characters; the limit is ${limits.length}. Split it with \`include:\`.`,
  )
}

function tooDense(source: PlacedSource, report: Report, limits: ReadLimits): undefined {
  const span = { start: source.base, end: source.base }
  const most = limits.values.toLocaleString('en')
  report('SVC0010', span, `The file holds more than ${most} values and collections. Split it with \`include:\`.`)
}

function tooManySchemas(source: PlacedSource, at: number, report: Report): undefined {
  const span = { start: source.base + at, end: source.base + at + 1 }
  const most = MOST_SCHEMA_VALUES.toLocaleString('en')
  const remedy = 'leave out what the service does not look at, or divide the manifest by `include:`.'
  report('SVC2807', span, `With this one the schemas of the file hold more than ${most} keywords and values; ${remedy}`)
}

function empty(source: PlacedSource, report: Report): undefined {
  report('SVC0105', { start: source.base, end: source.base }, 'The file has no document; write a manifest in it.')
}
