import type { Json, JsonObject } from '../protocol/manifest.js'
import { doesNotApply } from './case.js'
import { entriesOf, textsOf, type Reading, type Target } from './target.js'

/** A value that fits an input: one that is allowed, the default, the example of its description, or one of its type. */
export function sampleOf(input: Reading): unknown {
  const [allowed] = (input['allowed_values'] ?? []) as readonly Reading[]
  if (allowed !== undefined) return allowed
  if (input['default'] !== undefined) return input['default']
  const example = /such as ([\w/.:-]*\w)/u.exec((input['description'] as unknown as string | undefined) ?? '')?.[1]
  return example ?? OF_TYPE[input['type'] as unknown as string] ?? 'sample'
}

const OF_TYPE: { readonly [type: string]: unknown } = {
  integer: 1, number: 1, boolean: true, date: '2031-03-01', datetime: '2031-03-01T12:00:00Z', duration: 'PT1H', object: {}, array: [],
  uri: 'https://example.org/', email: 'a@example.org', uuid: '3f2b8c1e-0000-4000-8000-000000000000',
} // prettier-ignore

export const parametersOf = (capability: Reading): JsonObject =>
  Object.fromEntries(
    (capability['inputs'] as unknown as readonly Reading[])
      .filter((input) => input['required'] !== (false as unknown))
      .map((input) => [input['name'] as string, sampleOf(input) as string]),
  )

export const capabilitiesOf = (target: Target) => entriesOf(target.manifest['capabilities'])

type Named = readonly [string, Reading]

/** The first capability of which something holds, that can be called without a stream; where there is none, the case does not apply. */
export const capabilityThat = (target: Target, what: string, holds: (capability: Reading) => boolean): Named =>
  capabilitiesOf(target).find(([, capability]) => answers(capability, 'unary') && holds(capability)) ??
  doesNotApply(`no capability ${what}`)

/** Holds for a mode of response; unary is the default (section 2.4). */
const answers = (capability: Reading, mode: string): boolean =>
  textsOf(capability['response_modes'] ?? (['unary'] as never)).includes(mode)

export const isPlainRead = (capability: Reading): boolean =>
  capability['side_effect']!['type'] === 'read' && (capability['kind'] ?? 'atomic') === 'atomic' &&
  capability['approval'] === undefined && capability['requires_binding'] === undefined &&
  capability['control_requirements'] === undefined && capability['requires_principal'] === undefined &&
  capability['cost'] === undefined // prettier-ignore

const namesAnEntity = (capability: Reading): boolean =>
  (capability['inputs'] as unknown as readonly Reading[]).some((input) => input['entity_reference'] !== undefined)

/** A read capability that a token of any kind may call, with inputs that samples can stand for. */
export const plainRead = (target: Target): Named =>
  capabilityThat(target, 'reads without conditions', (each) => isPlainRead(each) && !namesAnEntity(each))

/** Such a capability that cannot be followed. */
export const unaryRead = (target: Target): Named =>
  capabilityThat(
    target,
    'reads without conditions, and does not stream',
    (each) => isPlainRead(each) && !namesAnEntity(each) && !answers(each, 'streaming'),
  )

export const needsApproval = (capability: Reading): boolean => capability['approval']?.['required'] === 'always'

/** Parameters for a capability, with every binding that it requires freshly obtained from its source. */
export async function preparedParameters(target: Target, bearer: string, [, capability]: Named): Promise<JsonObject> {
  const parameters: Record<string, Json> = { ...parametersOf(capability) }
  for (const binding of (capability['requires_binding'] ?? []) as readonly Reading[]) {
    const source =
      (binding['source_capability'] as string | undefined) ?? doesNotApply('a binding has no source capability')
    const declared = target.manifest['capabilities']![source]!
    const reply = await target.invoke(source, bearer, { parameters: parametersOf(declared) })
    const id = reply.body['result']?.[binding['field'] as unknown as string]
    if (typeof id !== 'string') doesNotApply(`${source} gave no ${String(binding['field'])} for sample inputs`)
    parameters[binding['field'] as string] = id as string
  }
  return parameters
}
