import type { JsonObject } from '../protocol/manifest.js'
import { cases } from './case.js'
import { doesNotApply } from './outcomes.js'
import { equal, fails, holds, succeeds } from './expect.js'
import { capabilityThat, parametersOf, plainRead, preparedParameters, taken, tokenFor } from './samples.js'
import { readTold, textsIn, type LooseJson, type ServiceUnderTest } from './target.js'

const inputsOf = (capability: LooseJson): readonly LooseJson[] =>
  (capability['inputs'] ?? []) as unknown as readonly LooseJson[]

const nameOf = (input: LooseJson): string => input['name'] as unknown as string

/** A capability with an input of which something holds, and parameters for all its other inputs. */
function withInput(
  target: ServiceUnderTest,
  what: string,
  holdsOf: (input: LooseJson, capability: LooseJson) => boolean,
) {
  const [name, capability] = capabilityThat(target, what, (each) =>
    inputsOf(each).some((input) => holdsOf(input, each)),
  )
  const input = inputsOf(capability).find((each) => holdsOf(each, capability))!
  const { [nameOf(input)]: _, ...others } = parametersOf(capability)
  return { name, capability, input, others: others as JsonObject, named: [name, capability] as const }
}

/** The literals that a condition compares, or undefined where the input is not one of the caller's. */
const conditionsOf = (capability: LooseJson): readonly LooseJson[] =>
  (capability['approval']?.['required']?.['when'] ?? []) as unknown as readonly LooseJson[]

const isLeftOut = (input: LooseJson): boolean =>
  (input['required'] as unknown) === false && input['default'] === undefined && input['resolution'] === undefined

export const inputCases = cases('2.6', {
  'an input of the mode clarify is asked for when it is missing, default or not': async (target) => {
    const { name, input, others, named } = withInput(
      target,
      'has an input of the mode clarify',
      ({ resolution }) => resolution?.['mode'] === ('clarify' as never) && resolution['on_missing'] === undefined,
    )
    const token = await tokenFor(target, named)
    const { body } = await target.invoke(name, token, { parameters: others })
    const asked = (body['failure']?.['resolution_required'] ?? body['failure']?.['clarification'] ?? body['failure']) as unknown
    holds(JSON.stringify(asked ?? {}).includes(nameOf(input)), `a call without ${nameOf(input)} is not asked for it`)
    equal(body['success'], false, 'success')
  },
  'an approval that depends on an input that is left out is needed': async (target) => {
    const { name, others, named } = withInput(target, 'needs an approval by an input that may be left out', (input, capability) =>
      isLeftOut(input) && conditionsOf(capability).length === 1 && (conditionsOf(capability)[0]!['input'] as unknown) === nameOf(input),
    )
    const token = await tokenFor(target, named)
    const parameters = { ...(await preparedParameters(target, token, named)), ...others }
    fails(taken(await target.invoke(name, token, { parameters }), named), 'approval_required')
  },
}) // prettier-ignore

export const amountCases = cases('2.7', {
  'an amount above the upper bound of a dynamic cost is refused before it is spent': async (target) => {
    const { name, capability, input, others, named } = withInput(target, 'costs what an input says', (each, owner) =>
      (owner['cost']?.['financial']?.['x-amount-input'] as unknown) === nameOf(each),
    )
    const bound = Number(capability['cost']!['financial']!['upper_bound'])
    const needsMoney = JSON.stringify(capability['control_requirements'] ?? []).includes('cost_ceiling')
    const token = needsMoney ? await tokenFor(target, named) : (await target.root({ subject: 'agent:planner' })).token
    fails(await target.invoke(name, token, { parameters: { ...others, [nameOf(input)]: bound + 1 } }), 'invalid_parameters')
  },
}) // prettier-ignore

const typesOf = ({
  type,
  anyOf,
}: {
  readonly type?: unknown
  readonly anyOf?: readonly { readonly type?: unknown }[]
}) => (anyOf ?? [{ type }]).map((each) => each.type)

export const resultCases = cases('2.4', {
  'a result has every declared output field, and null only where its schema says so': async (target) => {
    const [name, declared] = plainRead(target)
    const { token } = await target.root()
    const reply = await target.invoke(name, token, { parameters: parametersOf(declared) })
    succeeds(reply)
    const tools = (await readTold(target, '/tools.json')).body as unknown as { readonly tools?: readonly Tool[] } & readonly Tool[]
    const tool = (tools.tools ?? tools).find((each) => each.name === name)
    if (tool === undefined) return doesNotApply('the service serves no tools')
    for (const field of textsIn(declared['output']!['fields'])) {
      const value = (reply.body['result'] as unknown as JsonObject)[field]
      holds(value !== undefined, `${name} gives no ${field}`)
      const types = typesOf(tool.output_schema.properties[field] ?? {})
      holds(value !== null || types.includes('null') || types.includes(undefined), `${name} gives ${field} as null`)
    }
  },
}) // prettier-ignore

interface Tool {
  readonly name: string
  readonly output_schema: { readonly properties: { readonly [field: string]: { readonly type?: unknown } } }
}
