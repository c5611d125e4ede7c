/** Situations that samples can produce: a composition without results, and a price that an approval depends on. */
import { cases } from './case.js'
import { cannotTry, doesNotApply } from './outcomes.js'
import { equal, fails, holds } from './expect.js'
import { capabilitiesOf, isCallable, preparedParameters, taken, tokenFor, type Named } from './samples.js'
import type { LooseJson, ServiceUnderTest } from './target.js'

const listOf = (value: LooseJson | undefined): readonly LooseJson[] => (value ?? []) as unknown as readonly LooseJson[]

/** All capabilities of which something holds; where there is none, the case does not apply. */
function allThat(
  target: ServiceUnderTest,
  what: string,
  holdsOf: (capability: LooseJson) => boolean,
): readonly Named[] {
  const found = capabilitiesOf(target).filter(([, capability]) => holdsOf(capability))
  if (found.length === 0) doesNotApply(`no capability ${what}`)
  const callable = found.filter(([, capability]) => isCallable(target, capability))
  return callable.length === 0 ? cannotTry(`the credential may call no capability that ${what}`) : callable
}

/** A call with sample inputs by an agent that has the money. */
async function called(target: ServiceUnderTest, named: Named) {
  const token = await tokenFor(target, named)
  return target.invoke(named[0], token, { parameters: await preparedParameters(target, token, named) })
}

const clarifiesEmpty = ({ composition }: LooseJson): boolean =>
  (composition?.['empty_result_policy'] as unknown) === 'clarify' &&
  listOf(composition?.['steps']).some((step) => (step['empty_result_source'] as unknown) === true)

/** Holds for what is absent where a service discloses less of a failure to some callers (section 2.1). */
const mayBeHidden = ({ discovery }: ServiceUnderTest, member: LooseJson | undefined): boolean =>
  member === undefined && discovery['metadata_disclosure'] !== undefined

/** Outcomes of a composition without results. */
const ENDS_OF_NOTHING: readonly unknown[] = ['clarification_required', 'composition_empty_result', 'internal_error']

export const emptyResultCases = cases('2.8', {
  'a composition that finds nothing, and clarifies, names the inputs to give anew': async (target) => {
    for (const named of allThat(target, 'is composed, and clarifies when it finds nothing', clarifiesEmpty)) {
      const { failure } = (await called(target, named)).body
      if (!ENDS_OF_NOTHING.includes(failure?.['type'])) continue
      equal(failure!['type'], 'clarification_required', 'failure.type')
      const names = listOf(failure!['clarification']?.['inputs']).map((each) => each['name'])
      const declared = listOf(named[1]['inputs']).map((each) => each['name'])
      holds(names.length > 0, `${named[0]} names no input`)
      equal(names.filter((name) => !declared.includes(name)), [], 'names that are no inputs')
      if (mayBeHidden(target, failure!['resolution']!['requires'])) return
      return equal(failure!['resolution']!['requires'], names.join(', '), 'resolution.requires')
    }
    cannotTry('sample inputs find something in each; give some that find nothing (--samples)')
  },
}) // prettier-ignore

/** The one condition that decides on an approval, where it compares the cost. */
const costCondition = (capability: LooseJson): LooseJson | undefined => {
  const [condition, ...others] = listOf(capability['approval']?.['required']?.['when'])
  return others.length === 0 ? condition?.['cost'] : undefined
}

/** Checks whether an amount meets a condition: above it, or at least it. */
const meets = (amount: number, { above, at_least }: LooseJson): boolean =>
  (above === undefined || amount > above) && (at_least === undefined || amount >= at_least)

export const priceCases = cases('2.7', {
  'an approval that depends on the cost is needed by the checked cost, a quote or not': async (target) => {
    const priced = allThat(target, 'needs an approval by its cost', (each) => costCondition(each) !== undefined)
    for (const named of priced) {
      const reply = taken(await called(target, named), named)
      const amount: unknown = reply.body['budget_context']?.['cost_check_amount']
      if (typeof amount !== 'number') return cannotTry(`the sample inputs of ${named[0]} reach no checked cost`)
      if (meets(amount, costCondition(named[1])!)) fails(reply, 'approval_required')
      else holds((reply.body['failure']?.['type'] as unknown) !== 'approval_required', `${named[0]} asks at ${amount}`)
    }
  },
}) // prettier-ignore
