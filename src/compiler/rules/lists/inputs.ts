import type { Rule } from '../rule.js'
import { inputTypesAreNotMisspelt } from '../input-types-are-not-misspelt.js'
import { allowedValuesAreNotEmpty } from '../allowed-values-are-not-empty.js'
import { allowedValuesHaveTheType } from '../allowed-values-have-the-type.js'
import { defaultsAreAllowed } from '../defaults-are-allowed.js'
import { defaultsHaveTheType } from '../defaults-have-the-type.js'
import { requiredInputsHaveNoDefault } from '../required-inputs-have-no-default.js'
import { optionalInputsSayWhatHappens } from '../optional-inputs-say-what-happens.js'
import { entityFlagsAgree } from '../entity-flags-agree.js'
import { entitiesCanBeResolved } from '../entities-can-be-resolved.js'
import { catalogRefIsNoList } from '../catalog-ref-is-no-list.js'
import { catalogRefIsAnIdentifier } from '../catalog-ref-is-an-identifier.js'
import { meaningsExplainAllowedValues } from '../meanings-explain-allowed-values.js'
import { meaningsAreComplete } from '../meanings-are-complete.js'
import { allowedValuesAreEnforced } from '../allowed-values-are-enforced.js'
import { allowedValuesAreFew } from '../allowed-values-are-few.js'
import { inputNamesFitTheirTypes } from '../input-names-fit-their-types.js'
import { inputsAreFew } from '../inputs-are-few.js'
import { inputNamesAreNotReserved } from '../input-names-are-not-reserved.js'
import { resolutionHasAMode } from '../resolution-has-a-mode.js'
import { resolutionModeIsKnown } from '../resolution-mode-is-known.js'
import { closedValuesNeedAllowedValues } from '../closed-values-need-allowed-values.js'
import { missingDefaultIsDeclared } from '../missing-default-is-declared.js'
import { usedDefaultsAreValues } from '../used-defaults-are-values.js'
import { behavioursAreKnown } from '../behaviours-are-known.js'
import { onlyOptionalInputsAreOmitted } from '../only-optional-inputs-are-omitted.js'
import { backendResolutionNamesAResolver } from '../backend-resolution-names-a-resolver.js'
import { explicitValuesAreNotInferred } from '../explicit-values-are-not-inferred.js'
import { explicitValuesHaveNoDefault } from '../explicit-values-have-no-default.js'
import { derivedInputsAreOptional } from '../derived-inputs-are-optional.js'
import { actorScopeFitsTheMode } from '../actor-scope-fits-the-mode.js'
import { appSelectionFitsTheMode } from '../app-selection-fits-the-mode.js'
import { appSelectionHasBounds } from '../app-selection-has-bounds.js'
import { clarifyingInputsDoNotDeny } from '../clarifying-inputs-do-not-deny.js'
import { closedValuesAreNotAmbiguous } from '../closed-values-are-not-ambiguous.js'
import { resolversAreUsed } from '../resolvers-are-used.js'
import { resolverRefIsAnIdentifier } from '../resolver-ref-is-an-identifier.js'
import { resolversAreNotMisspelt } from '../resolvers-are-not-misspelt.js'
import { effectsDoNotGuess } from '../effects-do-not-guess.js'
import { effectsDoNotDropWishes } from '../effects-do-not-drop-wishes.js'
import { backendResolutionSaysHowItFails } from '../backend-resolution-says-how-it-fails.js'
import { unresolvedDefaultIsDeclared } from '../unresolved-default-is-declared.js'

/** In the order of the interface document. */
export const INPUTS: readonly Rule[] = [
  // Inputs [2.5]
  inputTypesAreNotMisspelt,
  allowedValuesAreNotEmpty,
  allowedValuesHaveTheType,
  defaultsAreAllowed,
  defaultsHaveTheType,
  requiredInputsHaveNoDefault,
  optionalInputsSayWhatHappens,
  entityFlagsAgree,
  entitiesCanBeResolved,
  catalogRefIsNoList,
  catalogRefIsAnIdentifier,
  meaningsExplainAllowedValues,
  meaningsAreComplete,
  allowedValuesAreEnforced,
  allowedValuesAreFew,
  inputNamesFitTheirTypes,
  inputsAreFew,
  inputNamesAreNotReserved,
  // Resolution [2.6]
  resolutionHasAMode,
  resolutionModeIsKnown,
  closedValuesNeedAllowedValues,
  missingDefaultIsDeclared,
  usedDefaultsAreValues,
  behavioursAreKnown,
  onlyOptionalInputsAreOmitted,
  backendResolutionNamesAResolver,
  explicitValuesAreNotInferred,
  explicitValuesHaveNoDefault,
  derivedInputsAreOptional,
  actorScopeFitsTheMode,
  appSelectionFitsTheMode,
  appSelectionHasBounds,
  clarifyingInputsDoNotDeny,
  closedValuesAreNotAmbiguous,
  resolversAreUsed,
  resolverRefIsAnIdentifier,
  resolversAreNotMisspelt,
  effectsDoNotGuess,
  effectsDoNotDropWishes,
  backendResolutionSaysHowItFails,
  unresolvedDefaultIsDeclared,
]
