import { ENDPOINTS, type Operation } from '../../protocol/endpoints.js'

export interface Route {
  readonly operation: Operation
  /** The segment of the path that has a name, percent-decoded. */
  readonly segments: { readonly [name: string]: string }
}

/** No path has more than one named segment. */
interface Pattern {
  readonly operation: Operation
  readonly name: string
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
  const patterns = operations.filter((operation) => !isFixed(operation)).map(patternOf)
  return (path) => fixed.get(path) ?? matched(patterns, path)
}

function matched(patterns: readonly Pattern[], path: string): Route | undefined {
  for (const { operation, name, matches } of patterns) {
    const segment = matches.exec(path)?.[1]
    if (segment !== undefined) return { operation, segments: { [name]: decoded(segment) } }
  }
  return undefined
}

/** A capability's name is everything after its place, so that tricks with paths name unknown capabilities. */
function patternOf(operation: Operation): Pattern {
  const [before = '', name = '', after = ''] = ENDPOINTS[operation].path.split(/[{}]/u)
  return {
    operation,
    name,
    matches: new RegExp(`^${before}(${name === 'capability' ? '.+' : '[^/]+'})${after}$`, 'su'),
  }
}

/** A segment with invalid percent-encoding is taken as it is, and names nothing. */
function decoded(segment: string): string {
  if (!segment.includes('%')) return segment
  try {
    return decodeURIComponent(segment)
  } catch {
    return segment
  }
}
