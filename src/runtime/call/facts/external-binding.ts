import { isRecord } from '../../../crypto/json/kinds.js'
import type { Json } from '../../../protocol/manifest.js'
import { minorUnits, type Money } from '../../../protocol/money.js'
import type { ExternalBinding } from '../../definition.js'
import { present } from '../../json/present.js'

/** The binding in a hook's answer (section 2.7); undefined where there is none. Throws for what is no binding. */
export function externalBinding(id: string, answer: Json | undefined): ExternalBinding | undefined {
  if (answer === undefined || answer === null) return undefined
  const { binding_id = id, type, issued_at, price, data } = isRecord(answer) ? answer : {}
  if (typeof binding_id !== 'string' || typeof type !== 'string' || typeof issued_at !== 'number')
    throw new TypeError('resolveBinding gave no { binding_id, type, issued_at }, issued_at in ms since the epoch.')
  if (data !== undefined && !isRecord(data)) throw new TypeError('resolveBinding gave data that is no object.')
  return present({ binding_id, type, issued_at, price: priceIn(price), data })
}

function priceIn(price: Json | undefined): Money | undefined {
  if (price === undefined) return undefined
  const { currency, amount } = isRecord(price) ? price : {}
  const money = { currency, amount } as Money
  if (minorUnits(money) !== undefined) return money
  throw new TypeError('resolveBinding gave a price that is not an amount of a known currency.')
}
