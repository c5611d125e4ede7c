/** Exact money: amounts are compared and added in minor units as bigint, never in binary floating point. */

/** An amount on the wire: a non-negative decimal number in major units of an ISO 4217 currency (section 2.10). */
export interface Money {
  readonly currency: string
  readonly amount: number
}

/** Active ISO 4217 codes whose minor unit is not 2 decimals. */
const EXPONENTS: { readonly [currency: string]: number } = {
  BIF: 0, CLP: 0, DJF: 0, GNF: 0, ISK: 0, JPY: 0, KMF: 0, KRW: 0, PYG: 0, RWF: 0, UGX: 0, UYI: 0, VND: 0, VUV: 0, XAF: 0, XOF: 0, XPF: 0,
  BHD: 3, IQD: 3, JOD: 3, KWD: 3, LYD: 3, OMR: 3, TND: 3, CLF: 4, UYW: 4,
} // prettier-ignore

/** Active ISO 4217 codes whose minor unit is 2 decimals. */
const TWO_DECIMALS =
  'AED AFN ALL AMD AOA ARS AUD AWG AZN BAM BBD BDT BMD BND BOB BOV BRL BSD BTN BWP BYN BZD CAD CDF CHE CHF CHW CNY COP COU CRC CUP CVE CZK DKK DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MXV MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD USN UYU UZS VED VES WST XCD XCG YER ZAR ZMW ZWG'

let decimals: ReadonlyMap<string, number> | undefined

/**
 * Active ISO 4217 currency codes -> number of decimals of the minor unit. A frozen list, so that builds are deterministic;
 * made when it is first asked for.
 */
export function currencyDecimals(): ReadonlyMap<string, number> {
  decimals ??= new Map([...TWO_DECIMALS.split(' ').map((code) => [code, 2] as const), ...Object.entries(EXPONENTS)])
  return decimals
}

/** The text of an amount that can be one: below 1e-6 and from 1e21 on, a number is written with an exponent. */
const DECIMAL = /^(\d+)(?:\.(\d+))?$/u

/**
 * An amount in minor units, exactly as its shortest decimal text says; undefined if the currency is unknown, the
 * amount is no number, negative, not finite, above 2^53 minor units, or has more decimals than the currency.
 */
export function minorUnits({ amount, currency }: Money): bigint | undefined {
  const places = currencyDecimals().get(currency)
  const match = typeof amount === 'number' ? DECIMAL.exec(String(amount)) : null
  if (places === undefined || match === null) return undefined
  const [, whole, fraction = ''] = match
  if (fraction.length > places) return undefined
  const units = BigInt(whole + fraction.padEnd(places, '0'))
  return units <= BigInt(Number.MAX_SAFE_INTEGER) ? units : undefined
}

/** The amount on the wire for a number of minor units. */
export const fromMinorUnits = (units: bigint, currency: string): Money => ({
  currency,
  amount: Number(units) / 10 ** (currencyDecimals().get(currency) ?? 2),
})
