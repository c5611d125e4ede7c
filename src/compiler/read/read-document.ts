import { EVENT_ID, parseEvents, YAMLException } from 'js-yaml'
import type { Report } from '../finding.js'
import { buildTree } from './build-tree.js'
import { READ_LIMITS, type ReadLimits } from './limits.js'
import type { PlacedSource } from './sources.js'
import { scanDocument } from './scan/scan-block.js'
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
): YamlNode | undefined {
  if (source.text.length > limits.length) return tooLong(source, report, limits)
  if (!reportTextHazards(source, report)) return undefined
  const scanned = scanDocument(source.text, source.base)
  if (scanned !== undefined) return scanned
  return parseDocument(source, report, limits)
}

/** The full parser: slower, for every form of YAML, and for saying what is wrong. */
export function parseDocument(
  source: PlacedSource,
  report: Report,
  limits: ReadLimits = READ_LIMITS,
): YamlNode | undefined {
  const events = eventsOf(source, report)
  if (events === undefined) return undefined
  if (!events.some((event) => event.type === EVENT_ID.DOCUMENT)) return empty(source, report)
  return buildTree(events, source, report, limits)
}

function eventsOf(source: PlacedSource, report: Report) {
  try {
    return parseEvents(source.text, { maxDepth: PARSER_DEPTH })
  } catch (error) {
    if (!(error instanceof YAMLException)) throw error
    reportSyntax(source, error.reason, error.mark?.position ?? 0, report)
    return undefined
  }
}

function tooLong(source: PlacedSource, report: Report, limits: ReadLimits): undefined {
  const spot = { start: source.base, end: source.base }
  report(
    'SVC0010',
    spot,
    `The file has ${source.text.length} characters; the limit is ${limits.length}. Split it with \`include:\`.`,
  )
}

function empty(source: PlacedSource, report: Report): undefined {
  report('SVC0105', { start: source.base, end: source.base }, 'The file has no document; write a manifest in it.')
}
