import { connectionRequired } from '../../connections/required.js'
import type { PricedFacts } from '../facts/facts.js'
import type { Check } from './check.js'

/** The root principal has connected the account that the call uses (decisions, section 19). */
export const connectionIsThere: Check<PricedFacts> = ({ missing }) =>
  missing === undefined ? undefined : connectionRequired(missing)
