import type { Finding } from '../finding.js'
import type { Span, YamlNode } from '../parse/tree.js'
import { ruleOf } from '../rules/index.js'
import type { ReadFiles } from '../shape/read-files.js'
import { jsonOf } from '../shape/normalise.js'
import { placeAt, type PointedPlace } from './place.js'
import {
  conditionsIn,
  conditionsAround,
  requirementOf,
  type SchemaCheck,
  type SchemaRefusal,
  type SchemaJudge,
} from './refusal.js'

/**
 * Judges the documents by the published JSON Schema, beside the rules. What it refuses and no error explains is a finding
 * of its own; an error explains its own place, what is within it, and what it is within.
 */
export function refusedBySchema(judge: SchemaJudge, { documents }: ReadFiles, found: readonly Finding[]): Finding[] {
  // The values of a text that is not YAML are not those that its author meant.
  if (found.some(({ code }) => ruleOf(code).role?.isSyntax)) return []
  const errors = found.filter(({ code, severity }) => (severity ?? ruleOf(code).severity) === 'error')
  const starts = errors.map(({ span }) => span.start).toSorted((one, other) => one - other)
  return documents.flatMap((root, index) =>
    root === undefined ? [] : unexplained(index === 0 ? judge.manifest : judge.fragment, root, starts),
  )
}

interface Refused {
  readonly refusal: SchemaRefusal
  readonly place: PointedPlace
  /** Its place, and that of each condition that it is part of. */
  readonly spans: readonly Span[]
  readonly isCovered: boolean
}

function unexplained(judge: SchemaCheck, root: YamlNode, starts: readonly number[]): Finding[] {
  if (judge(jsonOf(root))) return []
  const refusals = judge.errors ?? []
  const conditions = conditionsIn(refusals)
  const refused = refusals.map((refusal): Refused => {
    const places = [refusal.instancePath, ...conditionsAround(refusal, conditions)].map((path) => placeAt(root, path))
    const [place] = places
    return {
      refusal,
      place: place!,
      spans: places.flatMap(({ spans }) => spans),
      isCovered: places.some(({ isCovered }) => isCovered),
    }
  })
  return oncePerPlace(
    refused.filter(({ spans, isCovered }) => !isCovered && !spans.some((span) => hasOneIn(starts, span))),
  )
}

/** Keeps one finding a place: that of a condition's content precedes that of the condition. */
function oncePerPlace(refused: readonly Refused[]): Finding[] {
  const told: number[] = []
  return refused.flatMap((each) => {
    if (each.spans.some((span) => told.some((start) => isIn(start, span)))) return []
    told.push(each.place.key.start)
    return [findingOf(each)]
  })
}

const isIn = (offset: number, { start, end }: Span): boolean => offset >= start && offset <= end

/** Checks whether one of the offsets, which are sorted, is within a span. */
function hasOneIn(offsets: readonly number[], span: Span): boolean {
  let low = 0
  let high = offsets.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (offsets[middle]! < span.start) low = middle + 1
    else high = middle
  }
  return low < offsets.length && isIn(offsets[low]!, span)
}

const findingOf = ({ refusal, place: { node, key } }: Refused): Finding => ({
  code: 'SVC0190',
  span: node.kind === 'scalar' ? node : key,
  message:
    `The published JSON Schema refuses this: it ${requirementOf(refusal)}. No rule of svc says why, which is a bug in svc: ` +
    'please report it. To go on, write what the schema takes: `svc schema manifest` prints it.',
})
