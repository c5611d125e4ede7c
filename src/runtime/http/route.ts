import { ENDPOINTS, type Operation } from '../../protocol/endpoints.js'

export interface Route {
  readonly operation: Operation
  /** The segments of the path that have names, percent-decoded. */
  readonly segments: { readonly [name: string]: string }
}

interface Pattern {
  readonly operation: Operation
  readonly matches: RegExp
}

const NO_SEGMENTS = {}

/** The operation that a path names, among those of a service. Fixed paths are spelt in one way only. */
export function router(operations: readonly Operation[]): (path: string) => Route | undefined {
  const isFixed = (operation: Operation): boolean => !ENDPOINTS[operation].path.includes('{')
  const fixed = new Map<string, Route>(
    operations
      .filter(isFixed)
      .map((operation) => [ENDPOINTS[operation].path, { operation, segments: NO_SEGMENTS }] as const),
  )
  const patterns = operations
    .filter((operation) => !isFixed(operation))
    .map((operation) => ({ operation, matches: patternOf(operation) }))
  return (path) => fixed.get(path) ?? matched(patterns, path)
}

function matched(patterns: readonly Pattern[], path: string): Route | undefined {
  for (const { operation, matches } of patterns) {
    const found = matches.exec(path)
    if (found !== null) return { operation, segments: decodedMembers(found.groups!) }
  }
  return undefined
}

/** A capability's name is everything after its place, so that tricks with paths name unknown capabilities. */
const patternOf = (operation: Operation): RegExp =>
  new RegExp(
    `^${ENDPOINTS[operation].path.replaceAll(/\{(\w+)\}/gu, (_, name: string) =>
      name === 'capability' ? `(?<${name}>.+)` : `(?<${name}>[^/]+)`,
    )}$`,
    'su',
  )

const decodedMembers = (groups: { readonly [name: string]: string }): Route['segments'] =>
  Object.fromEntries(Object.entries(groups).map(([name, value]) => [name, decoded(value)]))

/** A segment that is not percent-encoded soundly stands as it is, and names nothing. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
