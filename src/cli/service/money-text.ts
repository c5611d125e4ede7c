import type { Money } from '../../protocol/money.js'
import { printable } from '../shared/output/printable.js'

/** `30 EUR`. */
export const moneyText = ({ amount, currency }: Money): string => `${amount} ${printable(currency)}`
