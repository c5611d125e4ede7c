import { COST_CERTAINTIES, RESOLUTION_BEHAVIOURS, RESOLUTION_MODES } from '../protocol/words.js'
import { cases } from './case.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import { equal, holds, matches } from './expect.js'
import { capabilitiesOf, isCallable, preparedParameters, tokenFor } from './samples.js'
import { entriesOf, textsIn, type LooseJson, type ServiceUnderTest } from './target.js'

const inputsOf = (target: ServiceUnderTest): readonly (readonly [string, LooseJson])[] =>
  capabilitiesOf(target).flatMap(([name, each]) =>
    (each['inputs'] as unknown as readonly LooseJson[]).map(
      (input) => [`${name}.${String(input['name'])}`, input] as const,
    ),
  )

/** Inputs that say how they are resolved; the case does not apply where there are none. */
function resolved(target: ServiceUnderTest): readonly (readonly [string, LooseJson, LooseJson])[] {
  const found = inputsOf(target).flatMap(([name, input]) => {
    const resolution = input['resolution'] as LooseJson | undefined
    return resolution === undefined ? [] : [[name, input, resolution] as const]
  })
  return found.length === 0 ? doesNotApply('no input says how it is resolved') : found
}

const TROUBLES = ['on_missing', 'on_ambiguous', 'on_unresolved'] as const
const SECRET =
  /(?:BEGIN [A-Z ]*PRIVATE KEY|eyJ[\w-]{10,}\.|\b(?:sk|pk)_(?:live|test)_|AKIA[0-9A-Z]{16}|password=|secret=)/u

const resolution = cases('2.6', {
  'every mode is one of the seven': async (target) => {
    for (const [name, , { mode }] of resolved(target))
      holds(RESOLUTION_MODES.includes(mode as never), `${name} has the mode ${String(mode)}`)
  },
  'every behaviour is one of the seven': async (target) => {
    for (const [name, , resolution] of resolved(target))
      for (const trouble of TROUBLES)
        holds(resolution[trouble] === undefined || RESOLUTION_BEHAVIOURS.includes(resolution[trouble] as never), `${name} has ${trouble}: ${String(resolution[trouble])}`)
  },
  'use_default has a default': async (target) => {
    for (const [name, input, resolution] of resolved(target))
      for (const trouble of TROUBLES)
        holds((resolution[trouble] as unknown) !== 'use_default' || input['default'] !== undefined, `${name} has none`)
  },
  'catalog_ref and resolver_ref embed no secret': async (target) => {
    for (const [name, input] of inputsOf(target))
      for (const reference of [input['catalog_ref'], input['resolution']?.['resolver_ref']])
        holds(!SECRET.test(String(reference ?? '')), `${name} refers to what looks like a secret`)
  },
}) // prettier-ignore

const costs = cases('2.7', {
  'every certainty is fixed, estimated or dynamic': async (target) => {
    for (const [name, cost] of pricesOf(target))
      holds(COST_CERTAINTIES.includes(cost['certainty'] as never), `${name} is ${String(cost['certainty'])}`)
  },
  'every amount is in an ISO 4217 currency': async (target) => {
    for (const [name, { financial }] of pricesOf(target))
      if (financial !== undefined) matches(financial['currency'], /^[A-Z]{3}$/u, `the currency of ${name}`)
  },
  'a fixed cost has an amount, a dynamic one an upper bound': async (target) => {
    for (const [name, { certainty, financial }] of pricesOf(target)) {
      const member = { fixed: 'amount', dynamic: 'upper_bound' }[certainty as unknown as string]
      if (financial !== undefined && member !== undefined)
        holds(typeof financial[member] === 'number', `${name} has no ${member}`)
    }
  },
  'discovery says which capabilities are financial': async (target) => {
    for (const [name, { financial }] of pricesOf(target))
      if (financial !== undefined) equal(target.discovery['capabilities']![name]!['financial'], true, `financial of ${name}`)
  },
}) // prettier-ignore

function pricesOf(target: ServiceUnderTest): readonly (readonly [string, LooseJson])[] {
  const found = capabilitiesOf(target).flatMap(([name, { cost }]) =>
    cost === undefined ? [] : [[name, cost] as const],
  )
  return found.length === 0 ? doesNotApply('no capability costs anything') : found
}

function composedOf(target: ServiceUnderTest): readonly (readonly [string, LooseJson, LooseJson])[] {
  const found = capabilitiesOf(target).flatMap(([name, each]) => {
    const composition = each['composition'] as LooseJson | undefined
    return composition === undefined ? [] : [[name, each, composition] as const]
  })
  return found.length === 0 ? doesNotApply('no capability is composed') : found
}

const compositions = cases('2.8', {
  'only the same service is a boundary': async (target) => {
    for (const [name, , { authority_boundary }] of composedOf(target))
      equal(authority_boundary, 'same_service', `the boundary of ${name}`)
  },
  'every step is an atomic capability of this manifest': async (target) => {
    for (const [name, , { steps }] of composedOf(target))
      for (const step of steps as unknown as readonly LooseJson[]) {
        const child = target.manifest['capabilities']![step['capability']!]
        holds(child !== undefined && child['composition'] === undefined, `${name} runs ${String(step['capability'])}`)
      }
  },
  'mappings, failure and audit policy are declared': async (target) => {
    for (const [name, , composition] of composedOf(target))
      for (const member of ['input_mapping', 'output_mapping', 'failure_policy', 'audit_policy'])
        holds(composition[member] !== undefined, `${name} has no ${member}`)
  },
  'one call runs the whole, and its steps are linked to it on the trail': async (target) => {
    const recording = composedOf(target).filter(([, , { audit_policy }]) => (audit_policy?.['record_child_invocations'] as unknown) !== false)
    if (recording.length === 0) doesNotApply('no composition records its steps')
    for (const [name, composed] of recording.filter(([, each]) => each['approval'] === undefined && isCallable(target, each))) {
      const token = await tokenFor(target, [name, composed], { budget: { currency: 'EUR', max_amount: 1_000_000 } })
      const reply = await target.invoke(name, token, { parameters: await preparedParameters(target, token, [name, composed]) })
      if (reply.status !== 200) continue
      const { body } = await target.post(`/svc/audit?parent_invocation_id=${String(reply.body['invocation_id'])}`, token)
      return holds((body['entries'] as unknown as readonly LooseJson[]).length > 0, `no step is linked to ${name}`)
    }
    return cannotTry('sample inputs get through no composition without an approval')
  },
}) // prettier-ignore

const LISTS = ['handoff_to', 'refresh_via', 'verify_via', 'followup_via']

const crossService = cases('2.9', {
  'hints are lists of a service and a capability each': async (target) => {
    const hints = capabilitiesOf(target).flatMap(([name, each]) => entriesOf(each['cross_service']).map(([list, references]) => [name, list, references] as const))
    if (hints.length === 0) doesNotApply('no capability hints at other services')
    for (const [name, list, references] of hints) {
      holds(LISTS.includes(list), `${name} has the list ${list}`)
      for (const { service, capability } of references as unknown as readonly LooseJson[])
        holds(typeof service === 'string' && typeof capability === 'string', `${name} has an incomplete reference in ${list}`)
    }
  },
  'requirements name a capability and a reason': async (target) => {
    for (const [name, { requires = [] }] of capabilitiesOf(target) as unknown as readonly (readonly [string, { requires?: readonly LooseJson[] }])[])
      for (const { capability, reason } of requires)
        holds(textsIn([capability, reason] as never).length === 2 && String(capability) in target.manifest['capabilities']!, `${name} requires ${String(capability)}`)
  },
}) // prettier-ignore

export const declarationCases = [...resolution, ...costs, ...compositions, ...crossService]
