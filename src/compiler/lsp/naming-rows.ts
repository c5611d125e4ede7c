import type { LocatedToken } from './locate.js'

export type NameKind = 'capability' | 'input' | 'output' | 'step' | 'scope'

interface NamingRow {
  readonly kind: NameKind
  /** Owner of the name: the manifest, the capability above, or the capability that the step invokes. */
  readonly of: 'manifest' | 'here' | 'child'
  readonly isDeclaration: boolean
}

const declared = (kind: NameKind, of: NamingRow['of'] = 'here'): NamingRow => ({ kind, of, isDeclaration: true })
const used = (kind: NameKind, of: NamingRow['of'] = 'here'): NamingRow => ({ kind, of, isDeclaration: false })
const capability = used('capability', 'manifest')
const scope = used('scope', 'manifest')

/**
 * Places where a text is a name; `*` is any name or index, a final `:` marks a key. All but the last are below
 * `capabilities/*`.
 */
const BELOW_CAPABILITY: { readonly [place: string]: NamingRow } = {
  'side_effect/compensation': capability,
  'cost/determined_by': capability,
  'requires/*/capability': capability,
  'requires_binding/*/source_capability': capability,
  'refresh_via/*': capability,
  'verify_via/*': capability,
  'composition/steps/*/capability': capability,
  'minimum_scope/*': scope,
  'inputs/*/name': declared('input'),
  'observability/fields_logged/*': used('input'),
  'requires_binding/*/field': used('input'),
  'x-exclusive-by/*': used('input'),
  'approval/required/when/*/input': used('input'),
  'cost/financial/x-amount-input': used('input'),
  'composition/input_mapping/*/*:': used('input', 'child'),
  'composition/x-literals/*/*:': used('input', 'child'),
  'output/fields/*': declared('output'),
  'output/fields/*/name': declared('output'),
  'composition/output_mapping/*:': used('output'),
  'composition/empty_result_output/*:': used('output'),
  'composition/steps/*/id': declared('step'),
  'composition/input_mapping/*:': used('step'),
  'composition/x-literals/*:': used('step'),
}

/** Places where a text is a path, which contains names. */
const PATHS: readonly string[] = [
  'composition/input_mapping/*/*',
  'composition/output_mapping/*',
  'composition/empty_result_output/*',
  'composition/steps/*/empty_result_path',
]

const DECLARATION = declared('capability', 'manifest')

/** Returns the row for a token that is a name; undefined for most tokens. */
export function namingRowOf({ path, isKey }: LocatedToken): NamingRow | undefined {
  if (path[0] === 'approvals') return path[1] === 'approver_scope' && !isKey ? scope : undefined
  if (path[0] !== 'capabilities') return undefined
  if (path.length === 2) return isKey ? DECLARATION : undefined
  return ROWS.get(path[2]!)?.find(({ place }) => fitsPlace(place, path, isKey))?.row
}

export const holdsPath = ({ path, isKey }: LocatedToken): boolean =>
  path[2] === 'composition' && path[0] === 'capabilities' && PATH_PLACES.some((place) => fitsPlace(place, path, isKey))

interface NamePlace {
  readonly keys: readonly string[]
  readonly isKey: boolean
}

const placeOf = (place: string): NamePlace => ({
  keys: place.replace(/:$/u, '').split('/'),
  isKey: place.endsWith(':'),
})
const PLACED = Object.entries(BELOW_CAPABILITY).map(([place, row]) => ({ place: placeOf(place), row }))
/** By their first field: most fields of a capability hold no name. */
const ROWS = new Map(
  PLACED.map(({ place: { keys } }) => [keys[0]!, PLACED.filter(({ place }) => place.keys[0] === keys[0])]),
)
const PATH_PLACES = PATHS.map(placeOf)

function fitsPlace({ keys, isKey }: NamePlace, path: readonly string[], isKeyHere: boolean): boolean {
  if (isKey !== isKeyHere || keys.length !== path.length - 2) return false
  return keys.every((key, index) => key === '*' || key === path[index + 2])
}
