import type { Rule } from '../rule.js'
import { certaintyIsKnown } from '../certainty-is-known.js'
import { fixedCostsHaveAnAmount } from '../fixed-costs-have-an-amount.js'
import { dynamicCostsHaveAnUpperBound } from '../dynamic-costs-have-an-upper-bound.js'
import { estimatedCostsHaveABinding } from '../estimated-costs-have-a-binding.js'
import { pricesHaveACurrency } from '../prices-have-a-currency.js'
import { currenciesAreIso4217 } from '../currencies-are-iso4217.js'
import { currenciesAreActive } from '../currencies-are-active.js'
import { amountsAreNotNegative } from '../amounts-are-not-negative.js'
import { rangesAreOrdered } from '../ranges-are-ordered.js'
import { typicalCostsAreInRange } from '../typical-costs-are-in-range.js'
import { fixedCostsHaveNoRange } from '../fixed-costs-have-no-range.js'
import { estimatedCostsHaveNoAmount } from '../estimated-costs-have-no-amount.js'
import { upperBoundsCoverTheRange } from '../upper-bounds-cover-the-range.js'
import { amountsFitTheCurrency } from '../amounts-fit-the-currency.js'
import { costSourcesAreNotMisspelt } from '../cost-sources-are-not-misspelt.js'
import { fixedCostsAreNotDetermined } from '../fixed-costs-are-not-determined.js'
import { estimatesHaveARange } from '../estimates-have-a-range.js'
import { costCeilingsHaveACost } from '../cost-ceilings-have-a-cost.js'
import { costsHaveACeiling } from '../costs-have-a-ceiling.js'
import { costsSaySomething } from '../costs-say-something.js'
import { computeDurationIsIso8601 } from '../compute-duration-is-iso8601.js'
import { determinedCostsAreBound } from '../determined-costs-are-bound.js'
import { costsAreNotZero } from '../costs-are-not-zero.js'
import { estimatesAreNarrow } from '../estimates-are-narrow.js'
import { controlTypeIsKnown } from '../control-type-is-known.js'
import { enforcementIsReject } from '../enforcement-is-reject.js'
import { controlsAreDeclaredOnce } from '../controls-are-declared-once.js'
import { bindingsHaveTypeAndField } from '../bindings-have-type-and-field.js'
import { bindingFieldsAreInputs } from '../binding-fields-are-inputs.js'
import { bindingFieldsAreRequired } from '../binding-fields-are-required.js'
import { bindingSourcesAreDeclared } from '../binding-sources-are-declared.js'
import { bindingSourcesRead } from '../binding-sources-read.js'
import { bindingSourcesReturnTheField } from '../binding-sources-return-the-field.js'
import { maxAgeIsIso8601 } from '../max-age-is-iso8601.js'
import { bindingsGrowStale } from '../bindings-grow-stale.js'
import { bindingSourcesRefresh } from '../binding-sources-refresh.js'
import { effectsHaveTwoLists } from '../effects-have-two-lists.js'
import { effectsDoNotOverlap } from '../effects-do-not-overlap.js'
import { readsProduceNoChange } from '../reads-produce-no-change.js'
import { readsNeedNoStrongerDelegation } from '../reads-need-no-stronger-delegation.js'
import { responseModesAreKnown } from '../response-modes-are-known.js'
import { responseModesAreNotEmpty } from '../response-modes-are-not-empty.js'
import { retentionIsIso8601 } from '../retention-is-iso8601.js'
import { loggedFieldsAreInputs } from '../logged-fields-are-inputs.js'
import { callsAreLogged } from '../calls-are-logged.js'
import { retentionOutlastsRollback } from '../retention-outlasts-rollback.js'
import { streamedEffectsCanBeVerified } from '../streamed-effects-can-be-verified.js'

/** In the order of the interface document. */
export const COST_AND_CONTROLS: readonly Rule[] = [
  // Cost [2.7]
  certaintyIsKnown,
  fixedCostsHaveAnAmount,
  dynamicCostsHaveAnUpperBound,
  estimatedCostsHaveABinding,
  pricesHaveACurrency,
  currenciesAreIso4217,
  currenciesAreActive,
  amountsAreNotNegative,
  rangesAreOrdered,
  typicalCostsAreInRange,
  fixedCostsHaveNoRange,
  estimatedCostsHaveNoAmount,
  upperBoundsCoverTheRange,
  amountsFitTheCurrency,
  costSourcesAreNotMisspelt,
  fixedCostsAreNotDetermined,
  estimatesHaveARange,
  costCeilingsHaveACost,
  costsHaveACeiling,
  costsSaySomething,
  computeDurationIsIso8601,
  determinedCostsAreBound,
  costsAreNotZero,
  estimatesAreNarrow,
  // Controls, bindings, effects [2.4]
  controlTypeIsKnown,
  enforcementIsReject,
  controlsAreDeclaredOnce,
  bindingsHaveTypeAndField,
  bindingFieldsAreInputs,
  bindingFieldsAreRequired,
  bindingSourcesAreDeclared,
  bindingSourcesRead,
  bindingSourcesReturnTheField,
  maxAgeIsIso8601,
  bindingsGrowStale,
  bindingSourcesRefresh,
  effectsHaveTwoLists,
  effectsDoNotOverlap,
  readsProduceNoChange,
  readsNeedNoStrongerDelegation,
  // Responses and observability [2.4]
  responseModesAreKnown,
  responseModesAreNotEmpty,
  retentionIsIso8601,
  loggedFieldsAreInputs,
  callsAreLogged,
  retentionOutlastsRollback,
  streamedEffectsCanBeVerified,
]
