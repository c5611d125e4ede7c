import type { CapabilityView, InputView } from '../rule.js'
import { inputsOf } from './names.js'

type Required = NonNullable<NonNullable<CapabilityView['approval']>['required']>
export type Condition = NonNullable<Extract<Required, object>['when']>[number]

/** The conditions under which a capability needs an approval, each with the input that it compares [2.12]. */
export function conditionsOf(capability: CapabilityView): readonly (readonly [Condition, InputView])[] {
  const inputs = inputsOf(capability)
  const needed = capability.approval?.required
  if (inputs === undefined || typeof needed !== 'object') return []
  return (needed.when ?? []).flatMap((condition) => {
    const input = inputs.get(condition.input ?? '')
    return input === undefined ? [] : [[condition, input] as const]
  })
}
