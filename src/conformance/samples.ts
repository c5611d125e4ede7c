import type { Json, JsonObject } from '../protocol/manifest.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import { FAILURES } from '../protocol/failures.js'
import { entriesOf, textsIn, type LooseJson, type Reply, type ServiceUnderTest } from './target.js'

/** Capability -> input -> a value that the service takes. */
export type Samples = { readonly [capability: string]: { readonly [input: string]: Json } }

/** Samples given for inputs of the service under test, beside their declarations. */
const GIVEN = new WeakMap<object, unknown>()
const LEARNED = new WeakMap<object, unknown>()

const inputsOf = (capability: LooseJson): readonly LooseJson[] =>
  (capability['inputs'] ?? []) as unknown as readonly LooseJson[]

/** Takes the samples of a file. Gives what they name and the service does not have. */
export function takeSamples(manifest: LooseJson, samples: Samples): readonly string[] {
  const unknown: string[] = []
  for (const [name, values] of Object.entries(samples)) {
    const capability = manifest['capabilities']?.[name]
    for (const [input, value] of Object.entries(values)) {
      const declared = capability && inputsOf(capability).find((each) => each['name'] === (input as unknown))
      if (declared === undefined) unknown.push(`${name}.${input}`)
      else GIVEN.set(declared, value)
    }
  }
  return unknown
}

/** A result may hold what another capability takes: a member of the same name. The first one that is seen stays. */
export function learnFrom(manifest: LooseJson, result: LooseJson | undefined): void {
  for (const [, capability] of entriesOf(manifest['capabilities']))
    for (const input of inputsOf(capability)) {
      if (LEARNED.has(input)) continue
      const value = memberNamed(result, input['name'] as string)
      if (typeof value === 'string' || typeof value === 'number') LEARNED.set(input, value)
    }
}

/** A member of that name, wherever it is in a value. */
export function memberNamed(value: unknown, name: string): unknown {
  if (typeof value !== 'object' || value === null) return undefined
  if (!Array.isArray(value) && Object.hasOwn(value, name)) return (value as { readonly [name: string]: unknown })[name]
  for (const each of Object.values(value)) {
    const found = memberNamed(each, name)
    if (found !== undefined) return found
  }
  return undefined
}

/**
 * A value that fits an input: one of the samples, one that is allowed, the default, one that a call gave back, the
 * example of its description, or one of its type.
 */
export function sampleOf(input: LooseJson): unknown {
  if (GIVEN.has(input)) return GIVEN.get(input)
  const [allowed] = (input['allowed_values'] ?? []) as readonly LooseJson[]
  if (allowed !== undefined) return allowed
  if (input['default'] !== undefined) return input['default']
  if (LEARNED.has(input)) return LEARNED.get(input)
  return exampleIn(input) ?? OF_TYPE[input['type'] as unknown as string] ?? 'sample'
}

const exampleIn = (input: LooseJson): string | undefined =>
  /such as ([\w/.:-]*\w)/u.exec((input['description'] as unknown as string | undefined) ?? '')?.[1]

const modeOf = (input: LooseJson): string | undefined => input['resolution']?.['mode'] as string | undefined

/** Holds where nothing but the manifest and the caller decides on the values of inputs: no resolver, no policy. */
export const asksNobody = (capability: LooseJson): boolean =>
  inputsOf(capability).every((input) =>
    [undefined, 'closed_values', 'explicit_only', 'app_selected'].includes(modeOf(input)),
  )

/** Holds for an input that is asked for when it is missing (section 2.6). */
export const isAskedFor = (input: LooseJson, capability: LooseJson): boolean => {
  if (modeOf(input)?.startsWith('actor_policy') === true) return false
  const behaviour = input['resolution']?.['on_missing'] as string | undefined
  if (behaviour === 'deny_or_clarify') return (capability['side_effect']!['type'] as unknown) === 'read'
  if (behaviour !== undefined) return behaviour === 'clarify' || behaviour === 'app_select_or_clarify'
  return modeOf(input) === 'clarify'
}

/** Holds for an input whose values only the service knows, and nobody has told one. */
const isGuess = (input: LooseJson): boolean =>
  isGiven(input) &&
  !GIVEN.has(input) &&
  !LEARNED.has(input) &&
  input['allowed_values'] === undefined &&
  (modeOf(input) === 'backend_resolved' || (input['entity_reference'] as unknown) === true)

/**
 * Holds for an input that a caller gives: one that is required, or of which there is a sample; never what the actor
 * policy derives.
 */
const isGiven = (input: LooseJson): boolean =>
  modeOf(input) !== 'actor_policy' && ((input['required'] as unknown) !== false || GIVEN.has(input))

const OF_TYPE: { readonly [type: string]: unknown } = {
  integer: 1, number: 1, boolean: true, date: '2031-03-01', datetime: '2031-03-01T12:00:00Z', duration: 'PT1H', object: {}, array: [],
  uri: 'https://example.org/', email: 'a@example.org', uuid: '3f2b8c1e-0000-4000-8000-000000000000',
} // prettier-ignore

export const parametersOf = (capability: LooseJson): JsonObject =>
  Object.fromEntries(
    inputsOf(capability)
      .filter(isGiven)
      .map((input) => [input['name'] as string, sampleOf(input) as Json]),
  )

/** Rates how a call is answered, how many values it must guess, and how many it must send: the fewer, the better. */
const needsOf = (capability: LooseJson): number =>
  (answers(capability, 'unary') ? 0 : 1_000_000) +
  inputsOf(capability).filter(isGuess).length * 1_000 +
  inputsOf(capability).filter(isGiven).length

export const capabilitiesOf = (target: ServiceUnderTest) => entriesOf(target.manifest['capabilities'])

export type Named = readonly [string, LooseJson]

/** A choice of a capability, and what to say where there is none. */
const firstOf = (found: readonly Named[], what: string): Named =>
  found.toSorted(([, one], [, other]) => needsOf(one) - needsOf(other))[0] ?? doesNotApply(`no capability ${what}`)

/**
 * The first capability of which something holds, that the credential may call; where the service has none, the case
 * does not apply, and where the credential may call none, it is not tried.
 */
export function capabilityThat(
  target: ServiceUnderTest,
  what: string,
  holds: (capability: LooseJson) => boolean,
): Named {
  const all = capabilitiesOf(target).filter(([, capability]) => holds(capability))
  const callable = all.filter(([, capability]) => isCallable(target, capability))
  if (all.length > 0 && callable.length === 0) cannotTry(`the credential may call no capability that ${what}`)
  return firstOf(callable, what)
}

/** The first capability of which something holds, that the credential may call if it had the scope. */
export const capabilityBeyondScope = (
  target: ServiceUnderTest,
  what: string,
  holds: (capability: LooseJson) => boolean,
): Named =>
  firstOf(
    capabilitiesOf(target).filter(([, each]) => isOfPrincipal(target, each) && holds(each)),
    what,
  )

/** Holds where a root token of the credential may have the scope, and is of a class that may call (section 5.9). */
export const isCallable = (target: ServiceUnderTest, capability: LooseJson): boolean =>
  isOfPrincipal(target, capability) &&
  textsIn(capability['minimum_scope']).every((scope) => target.scopes.includes(scope))

function isOfPrincipal({ principal }: ServiceUnderTest, capability: LooseJson): boolean {
  const classes = capability['requires_principal'] as unknown
  if (classes === undefined) return true
  return [classes].flat().includes(principal?.split(':')[0] ?? '')
}

/** Holds for a mode of response; unary is the default (section 2.4). */
const answers = (capability: LooseJson, mode: string): boolean =>
  textsIn(capability['response_modes'] ?? (['unary'] as never)).includes(mode)

/** Holds where a reply says that the inputs of a sample were wrong for this service, rather than what the case is about. */
export function isSampleRefused({ body }: Reply, [, capability]: Named): boolean {
  const type = body?.['failure']?.['type'] as string | undefined
  if (type === undefined) return false
  if (!(type in FAILURES))
    return capability['composition'] !== undefined || capability['x-failures']?.[type] !== undefined
  const guessed = inputsOf(capability).filter((input) => isGiven(input) && !GIVEN.has(input))
  return guessed.length > 0 && (type === 'invalid_parameters' || type === 'clarification_required')
}

/** The reply, where the service took the inputs of a sample. */
export function taken(reply: Reply, named: Named): Reply {
  if (isSampleRefused(reply, named))
    cannotTry(`${named[0]} refuses sample inputs: ${reply.text.slice(0, 200)} (--samples)`)
  return reply
}

/** Parameters that differ from others in a free text; undefined if there is no such input. */
export function unlike(capability: LooseJson, parameters: JsonObject): JsonObject | undefined {
  const isFree = (input: LooseJson) =>
    (input['type'] as unknown) === 'string' &&
    !['allowed_values', 'resolution', 'x-schema', 'semantic_type', 'entity_reference'].some(
      (member) => member in input,
    ) &&
    !GIVEN.has(input)
  const free = inputsOf(capability).find((input) => isFree(input) && (input['name'] as string) in parameters)
  if (free === undefined) return undefined
  const name = free['name'] as string
  return { ...parameters, [name]: `${String(parameters[name])}-${crypto.randomUUID().slice(0, 8)}` }
}

export const isPlainRead = (capability: LooseJson): boolean =>
  capability['side_effect']!['type'] === 'read' &&
  (capability['kind'] ?? 'atomic') === 'atomic' &&
  capability['approval'] === undefined &&
  capability['requires_binding'] === undefined &&
  capability['control_requirements'] === undefined &&
  capability['requires_principal'] === undefined &&
  capability['cost'] === undefined

/** Of what has to be guessed, nobody can say what the answer should be; a file of samples (`--samples`) ends that. */
const hasGuess = (capability: LooseJson, beside: readonly string[] = []): boolean =>
  inputsOf(capability).some((input) => isGuess(input) && !beside.includes(input['name'] as string))

/** The capability, where a call of it has to guess nothing, beside some inputs; else the case does not apply. */
export const withoutGuess = ([name, capability]: Named, beside: readonly string[] = []): LooseJson =>
  hasGuess(capability, beside) ? cannotTry(`nobody has said which inputs ${name} takes (--samples)`) : capability

/** Manifest -> reads that refuse the inputs of samples, and why. */
const REFUSING = new WeakMap<object, Map<string, string>>()
const MOST_PROBED = 10

/** Finds out once which of the first reads take the inputs of samples. */
export async function probeReads(target: ServiceUnderTest): Promise<void> {
  if (REFUSING.has(target.manifest)) return
  const refusing = new Map<string, string>()
  REFUSING.set(target.manifest, refusing)
  const { token } = await target.root()
  for (let probed = 0; probed < MOST_PROBED; probed += 1) {
    const named = plainRead(target)
    const reply = await target.invoke(named[0], token, { parameters: parametersOf(named[1]) })
    if (!isSampleRefused(reply, named)) return
    refusing.set(named[0], reply.text.slice(0, 200))
  }
}

/** A read capability that a token of any kind may call, with inputs that samples can stand for. */
export function plainRead(target: ServiceUnderTest): Named {
  const refusing = REFUSING.get(target.manifest) ?? new Map<string, string>()
  const isFit = (each: LooseJson) => isPlainRead(each) && !hasGuess(each)
  const names = new Map(capabilitiesOf(target).map(([name, each]) => [each, name]))
  const [refused] = refusing
  const left = capabilitiesOf(target).filter(
    ([name, each]) => isFit(each) && isCallable(target, each) && !refusing.has(name),
  )
  if (left.length === 0 && refused !== undefined)
    cannotTry(`${refused[0]} refuses sample inputs: ${refused[1]} (--samples)`)
  return capabilityThat(target, 'reads without conditions', (each) => isFit(each) && !refusing.has(names.get(each)!))
}

/** Such a capability that cannot be followed. */
export const unaryRead = (target: ServiceUnderTest): Named =>
  capabilityThat(
    target,
    'reads without conditions, and does not stream',
    (each) => isPlainRead(each) && !hasGuess(each) && !answers(each, 'streaming'),
  )

const isBoundOnly = (capability: LooseJson): boolean =>
  JSON.stringify(capability['control_requirements'] ?? []).includes('stronger_delegation_required')

/** Names of the inputs that carry bindings. */
const fieldsOf = (capability: LooseJson): readonly string[] =>
  ((capability['requires_binding'] ?? []) as readonly LooseJson[]).map((each) => each['field'] as unknown as string)

/** A root token that a capability may be called with: the money and the binding that it demands, by whom it lets call. */
export async function tokenFor(
  target: ServiceUnderTest,
  [name, capability]: Named,
  more: JsonObject = {},
): Promise<string> {
  const currency = capability['cost']?.['financial']?.['currency'] as string | undefined
  const isBound = isBoundOnly(capability)
  const { token } = await target.root({
    ...(capability['requires_principal'] === undefined && { subject: 'agent:planner' }),
    ...(currency !== undefined && { budget: { currency, max_amount: 1_000_000 } }),
    ...(isBound && { capability: name }),
    ...more,
  })
  return token
}

export const needsApproval = (capability: LooseJson): boolean => capability['approval']?.['required'] === 'always'

/** Parameters for a capability, with every binding that it requires freshly obtained from its source. */
export async function preparedParameters(target: ServiceUnderTest, token: string, named: Named): Promise<JsonObject> {
  const capability = withoutGuess(named, fieldsOf(named[1]))
  // A token that is bound to the capability cannot call the source.
  const bearer = isBoundOnly(capability) ? (await target.root({ subject: 'agent:planner' })).token : token
  const parameters: Record<string, Json> = { ...parametersOf(capability) }
  for (const binding of (capability['requires_binding'] ?? []) as readonly LooseJson[]) {
    const source =
      (binding['source_capability'] as string | undefined) ?? doesNotApply('a binding has no source capability')
    const declared = target.manifest['capabilities']![source]!
    const reply = await target.invoke(source, bearer, { parameters: parametersOf(withoutGuess([source, declared])) })
    const id = memberNamed(reply.body['result'], binding['field'] as unknown as string)
    if (typeof id !== 'string') cannotTry(`${source} gave no ${String(binding['field'])} for sample inputs`)
    parameters[binding['field'] as string] = id as Json
  }
  return parameters
}
