import type { Span } from '../finding.js'
import { valueAt, type MapNode, type YamlNode } from '../parse/tree.js'
import { tokensOf, type LocatedToken } from './locate.js'
import { mapAt, memberTexts } from './names.js'
import { memberText } from './namings.js'

/** Text that an editor shows within a line. */
export interface Hint {
  readonly offset: number
  readonly text: string
}

/** Returns hints for a span: the scopes of a capability, the meaning of a default, the length of a duration. */
export function hintsOf(root: YamlNode, within?: Span): readonly Hint[] {
  const found = new Map<number, Hint>()
  for (const token of tokensOf(root, within))
    for (const hint of HINTS) {
      const text = hint(token)
      if (text !== undefined) found.set(token.node.end, { offset: token.node.end, text })
    }
  return [...found.values()]
}

type HintOf = (token: LocatedToken) => string | undefined

const askedScopes: HintOf = ({ node, path, isKey, map }) => {
  if (!isKey || path.length !== 2 || path[0] !== 'capabilities' || map === undefined) return undefined
  const capability = mapAt(map, String(node.value))
  const scopes = capability === undefined ? undefined : valueAt(capability, 'minimum_scope')
  if (capability === undefined || scopes?.kind !== 'list') return undefined
  const asked = memberTexts(capability, ['minimum_scope'], '').map(({ value }) => String(value))
  const approval = valueAt(capability, 'approval') === undefined ? '' : ', needs an approval'
  return `asks ${asked.length === 0 ? 'no scope' : asked.join(' and ')}${approval}`
}

/** An input that says nothing of it must be given. */
const mustBeGiven: HintOf = ({ path, isKey, map }) => {
  if (isKey || map === undefined || path.at(-1) !== 'name' || path.at(-3) !== 'inputs') return undefined
  const isSaid = ['required', 'default', 'resolution'].some((key) => valueAt(map, key) !== undefined)
  return isSaid ? undefined : 'required'
}

const meantDefault: HintOf = ({ node, path, isKey, map }) => {
  if (isKey || map === undefined || path.at(-1) !== 'default' || path.at(-3) !== 'inputs') return undefined
  const meaning = meaningOf(map, String(node.value))
  return meaning ?? (memberText(map, 'type') === 'duration' ? durationInWords(String(node.value)) : undefined)
}

/** Returns the meaning of a value in `input_meanings`, given as a map or a list. */
function meaningOf(input: MapNode, value: string): string | undefined {
  const meanings = valueAt(input, 'input_meanings')
  if (meanings?.kind === 'map') return memberText(meanings, value)
  if (meanings?.kind !== 'list') return undefined
  const items = meanings.items.filter((each) => each.kind === 'map')
  const found = items.find((each) => {
    const explained = valueAt(each, 'value')
    return explained?.kind === 'scalar' && String(explained.value) === value
  })
  return memberText(found, 'label')
}

const DURATIONS: readonly string[] = ['duration', 'cadence']
const longDuration: HintOf = ({ node, isKey, field }) =>
  !isKey && field?.kind === 'text' && DURATIONS.includes(field.format ?? '')
    ? durationInWords(String(node.value))
    : undefined

const HINTS: readonly HintOf[] = [askedScopes, mustBeGiven, meantDefault, longDuration]

const DURATION = /^P(?:(\d+)Y)?(?:(\d+)M)?(?:(\d+)W)?(?:(\d+)D)?(?:T(?:(\d+)H)?(?:(\d+)M)?(?:([\d.]+)S)?)?$/u
const UNITS = ['year', 'month', 'week', 'day', 'hour', 'minute', 'second'] as const

/** `P1DT12H` -> `1 day 12 hours`; undefined for what is no duration. */
export function durationInWords(text: string): string | undefined {
  const [, ...parts] = DURATION.exec(text) ?? []
  const said = UNITS.flatMap((unit, index) => {
    const count = parts[index]
    return count === undefined ? [] : [`${count} ${unit}${Number(count) === 1 ? '' : 's'}`]
  })
  return said.length === 0 ? undefined : said.join(' ')
}
