/** Exact money: amounts are compared and added in minor units as bigint, never in binary floating point. */

/** An amount on the wire: a non-negative decimal number in major units of an ISO 4217 currency (section 2.10). */
export interface Money {
  readonly currency: string
  readonly amount: number
}

/** Active ISO 4217 codes by the decimals of their minor unit. A frozen list, so that builds are deterministic. */
const BY_DECIMALS: readonly (readonly [decimals: number, currencies: string])[] = [
  [2, 'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG'],
  [0, 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX UYI VND VUV XAF XOF XPF'],
  [3, 'BHD IQD JOD KWD LYD OMR TND'],
  [4, 'CLF UYW'],
] // prettier-ignore

/** The decimals of the minor unit of an active ISO 4217 currency; undefined for any other text. */
export function decimalsOf(currency: string): number | undefined {
  if (typeof currency !== 'string' || currency.length !== 3) return undefined
  // A code and its space take four characters, so a code that is found elsewhere is none.
  return BY_DECIMALS.find(([, currencies]) => currencies.indexOf(currency) % 4 === 0)?.[0]
}

/** All active ISO 4217 codes. */
export const currencyCodes = (): readonly string[] => BY_DECIMALS.flatMap(([, currencies]) => currencies.split(' '))

/**
 * An amount in minor units, exactly as its shortest decimal text says; undefined if the currency is unknown, the
 * amount is no number, negative, not finite, above 2^53 minor units, or has more decimals than the currency.
 */
export function minorUnits({ amount, currency }: Money): bigint | undefined {
  const places = decimalsOf(currency)
  if (places === undefined || typeof amount !== 'number' || !(amount >= 0 && amount < Infinity)) return undefined
  const text = String(amount)
  // Below 1e-6 and from 1e21 on, a number is written with an exponent.
  if (text.includes('e')) return undefined
  const [whole = '', fraction = ''] = text.split('.')
  if (fraction.length > places) return undefined
  const units = BigInt(whole + fraction.padEnd(places, '0'))
  return units <= BigInt(Number.MAX_SAFE_INTEGER) ? units : undefined
}

/** The amount on the wire for a number of minor units. */
export const fromMinorUnits = (units: bigint, currency: string): Money => ({
  currency,
  amount: Number(units) / 10 ** (decimalsOf(currency) ?? 2),
})
