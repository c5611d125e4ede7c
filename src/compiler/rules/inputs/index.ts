import type { Rule } from '../rule.js'
import { INPUTS_CODES } from './codes.js'
import { typeIsText } from './type-is-text.js'
import { inputTypeNearMiss } from './input-type-near-miss.js'
import { allowedValuesType } from './allowed-values-type.js'
import { defaultNotAllowed } from './default-not-allowed.js'
import { defaultType } from './default-type.js'
import { requiredWithDefault } from './required-with-default.js'
import { optionalWithoutMissingRule } from './optional-without-missing-rule.js'
import { entityFlagMismatch } from './entity-flag-mismatch.js'
import { entityWithoutResolution } from './entity-without-resolution.js'
import { meaningsKeyUnknown } from './meanings-key-unknown.js'
import { meaningsIncomplete } from './meanings-incomplete.js'
import { allowedValuesUnenforced } from './allowed-values-unenforced.js'
import { allowedValuesMany } from './allowed-values-many.js'
import { inputNameTypeHint } from './input-name-type-hint.js'
import { tooManyInputs } from './too-many-inputs.js'
import { reservedInputName } from './reserved-input-name.js'
import { closedValuesNeedsSet } from './closed-values-needs-set.js'
import { useDefaultNeedsDefault } from './use-default-needs-default.js'
import { useDefaultNull } from './use-default-null.js'
import { omitOnRequired } from './omit-on-required.js'
import { backendNeedsResolver } from './backend-needs-resolver.js'
import { explicitOnlyInfers } from './explicit-only-infers.js'
import { explicitOnlyDefault } from './explicit-only-default.js'
import { defaultNeverApplies } from './default-never-applies.js'
import { actorPolicyRequired } from './actor-policy-required.js'
import { actorScopeMode } from './actor-scope-mode.js'
import { appSelectMode } from './app-select-mode.js'
import { appSelectedUnbounded } from './app-selected-unbounded.js'
import { clarifyModeContradiction } from './clarify-mode-contradiction.js'
import { closedValuesAmbiguous } from './closed-values-ambiguous.js'
import { resolverUnused } from './resolver-unused.js'
import { resolverNearMiss } from './resolver-near-miss.js'
import { guessOnEffect } from './guess-on-effect.js'
import { unresolvedOmitOnEffect } from './unresolved-omit-on-effect.js'
import { backendWithoutFailureRules } from './backend-without-failure-rules.js'
import { unresolvedUseDefault } from './unresolved-use-default.js'

/** The rules of this section; first those that another stage reports. */
export const INPUTS_RULES: readonly Rule[] = [
  ...INPUTS_CODES,
  // Inputs [2.5]
  inputTypeNearMiss,
  typeIsText,
  allowedValuesType,
  defaultNotAllowed,
  defaultType,
  requiredWithDefault,
  optionalWithoutMissingRule,
  entityFlagMismatch,
  entityWithoutResolution,
  meaningsKeyUnknown,
  meaningsIncomplete,
  allowedValuesUnenforced,
  allowedValuesMany,
  inputNameTypeHint,
  tooManyInputs,
  reservedInputName,
  // Resolution [2.6]
  closedValuesNeedsSet,
  useDefaultNeedsDefault,
  useDefaultNull,
  omitOnRequired,
  backendNeedsResolver,
  explicitOnlyInfers,
  explicitOnlyDefault,
  defaultNeverApplies,
  actorPolicyRequired,
  actorScopeMode,
  appSelectMode,
  appSelectedUnbounded,
  clarifyModeContradiction,
  closedValuesAmbiguous,
  resolverUnused,
  resolverNearMiss,
  guessOnEffect,
  unresolvedOmitOnEffect,
  backendWithoutFailureRules,
  unresolvedUseDefault,
]
