import type { Json, JsonObject } from '../../../../protocol/manifest.js'
import type { Money } from '../../../../protocol/money.js'
import type { Budget } from '../../../../protocol/token.js'
import { post } from '../../ask.js'
import { money } from '../../words/money.js'
import type { Answered } from './answer.js'

interface Given {
  readonly capability: string
  readonly parameters: JsonObject
  readonly budget: Budget | undefined
  /** The same as long as nobody answered: pressing again has one effect. */
  readonly key: string
}

interface Outcome {
  readonly invocation_id: string
  readonly result: Json
  readonly cost_actual?: Money
}

/** Calls a capability as the person who has signed in. */
export async function callIt({ capability, parameters, budget, key }: Given): Promise<Answered> {
  const asked = await post<Outcome>('/try/call', { capability, parameters, key, ...(budget && { budget }) })
  if (!asked.ok) return { is: 'refused', trouble: asked.trouble }
  const { invocation_id, result, cost_actual } = asked.value
  return { is: 'done', invocationId: invocation_id, result, cost: cost_actual === undefined ? '' : money(cost_actual) }
}
