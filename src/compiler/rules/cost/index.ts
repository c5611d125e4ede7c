import type { Rule } from '../rule.js'
import { COST_CODES } from './codes.js'
import { fixedNeedsAmount } from './fixed-needs-amount.js'
import { dynamicNeedsUpperBound } from './dynamic-needs-upper-bound.js'
import { estimatedNeedsBinding } from './estimated-needs-binding.js'
import { currencyObsolete } from './currency-obsolete.js'
import { rangeInverted } from './range-inverted.js'
import { typicalOutsideRange } from './typical-outside-range.js'
import { fixedWithRange } from './fixed-with-range.js'
import { estimatedWithAmount } from './estimated-with-amount.js'
import { upperBoundBelowRange } from './upper-bound-below-range.js'
import { currencyMinorUnits } from './currency-minor-units.js'
import { determinedByUnknown } from './determined-by-unknown.js'
import { determinedByFixed } from './determined-by-fixed.js'
import { estimatedWithoutRange } from './estimated-without-range.js'
import { ceilingWithoutCost } from './ceiling-without-cost.js'
import { costWithoutCeiling } from './cost-without-ceiling.js'
import { costEmpty } from './cost-empty.js'
import { determinedByNeedsBinding } from './determined-by-needs-binding.js'
import { costZero } from './cost-zero.js'
import { costFarRange } from './cost-far-range.js'
import { controlDuplicate } from './control-duplicate.js'
import { bindingFieldUnknown } from './binding-field-unknown.js'
import { bindingFieldOptional } from './binding-field-optional.js'
import { bindingFieldType } from './binding-field-type.js'
import { bindingSourceUnknown } from './binding-source-unknown.js'
import { bindingSourceNotRead } from './binding-source-not-read.js'
import { bindingSourceField } from './binding-source-field.js'
import { bindingAgeCalendar } from './binding-age-calendar.js'
import { bindingNoMaxAge } from './binding-no-max-age.js'
import { bindingRefreshMissing } from './binding-refresh-missing.js'
import { effectsOverlap } from './effects-overlap.js'
import { effectsContradictRead } from './effects-contradict-read.js'
import { delegationRequirementOnRead } from './delegation-requirement-on-read.js'
import { fieldsLoggedUnknown } from './fields-logged-unknown.js'
import { loggedFalse } from './logged-false.js'
import { retentionBelowRollback } from './retention-below-rollback.js'
import { streamingIrreversible } from './streaming-irreversible.js'
import { amountInput } from './amount-input.js'
import { amountInputMissing } from './amount-input-missing.js'

/** The rules of this section; first those that another stage reports. */
export const COST_RULES: readonly Rule[] = [
  ...COST_CODES,
  // Cost [2.7]
  fixedNeedsAmount,
  dynamicNeedsUpperBound,
  estimatedNeedsBinding,
  currencyObsolete,
  rangeInverted,
  typicalOutsideRange,
  fixedWithRange,
  estimatedWithAmount,
  upperBoundBelowRange,
  currencyMinorUnits,
  determinedByUnknown,
  determinedByFixed,
  estimatedWithoutRange,
  ceilingWithoutCost,
  costWithoutCeiling,
  costEmpty,
  determinedByNeedsBinding,
  costZero,
  costFarRange,
  amountInput,
  amountInputMissing,
  // Controls, bindings, effects [2.4]
  controlDuplicate,
  bindingFieldUnknown,
  bindingFieldOptional,
  bindingFieldType,
  bindingSourceUnknown,
  bindingSourceNotRead,
  bindingSourceField,
  bindingNoMaxAge,
  bindingAgeCalendar,
  bindingRefreshMissing,
  effectsOverlap,
  effectsContradictRead,
  delegationRequirementOnRead,
  // Responses and observability [2.4]
  fieldsLoggedUnknown,
  loggedFalse,
  retentionBelowRollback,
  streamingIrreversible,
]
