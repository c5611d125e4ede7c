import type { Rule } from '../rule.js'
import { authorityBoundaryIsGiven } from '../authority-boundary-is-given.js'
import { authorityBoundaryIsNotReserved } from '../authority-boundary-is-not-reserved.js'
import { authorityBoundaryIsSameService } from '../authority-boundary-is-same-service.js'
import { compositionsHaveSteps } from '../compositions-have-steps.js'
import { stepIdsAreUnique } from '../step-ids-are-unique.js'
import { stepIdsAreIdentifiers } from '../step-ids-are-identifiers.js'
import { stepsAreDeclared } from '../steps-are-declared.js'
import { stepsAreAtomic } from '../steps-are-atomic.js'
import { compositionsDoNotCallThemselves } from '../compositions-do-not-call-themselves.js'
import { compositionsHaveSeveralSteps } from '../compositions-have-several-steps.js'
import { stepsAreNotRepeated } from '../steps-are-not-repeated.js'
import { stepOutputsAreUsed } from '../step-outputs-are-used.js'
import { inputMappingsNameSteps } from '../input-mappings-name-steps.js'
import { mappedInputsAreDeclared } from '../mapped-inputs-are-declared.js'
import { requiredInputsAreMapped } from '../required-inputs-are-mapped.js'
import { mappingValuesArePaths } from '../mapping-values-are-paths.js'
import { mappedParentInputsAreDeclared } from '../mapped-parent-inputs-are-declared.js'
import { mappedStepsAreDeclared } from '../mapped-steps-are-declared.js'
import { mappingsReadEarlierSteps } from '../mappings-read-earlier-steps.js'
import { stepsDoNotReadThemselves } from '../steps-do-not-read-themselves.js'
import { mappedOutputFieldsAreDeclared } from '../mapped-output-fields-are-declared.js'
import { mappedTypesAgree } from '../mapped-types-agree.js'
import { mappedValuesAreAllowed } from '../mapped-values-are-allowed.js'
import { requiredInputsGetValues } from '../required-inputs-get-values.js'
import { outputMappingsMapSomething } from '../output-mappings-map-something.js'
import { outputMappingsSetOutputFields } from '../output-mappings-set-output-fields.js'
import { outputFieldsAreMapped } from '../output-fields-are-mapped.js'
import { parentInputsAreUsed } from '../parent-inputs-are-used.js'
import { mappingValuesAreNotLiterals } from '../mapping-values-are-not-literals.js'
import { pathsAreSimple } from '../paths-are-simple.js'
import { emptyPolicyIsKnown } from '../empty-policy-is-known.js'
import { emptyResultsHaveAnOutput } from '../empty-results-have-an-output.js'
import { emptyOutputNeedsItsPolicy } from '../empty-output-needs-its-policy.js'
import { emptyResultsHaveOneSource } from '../empty-results-have-one-source.js'
import { emptySourcesHaveAPolicy } from '../empty-sources-have-a-policy.js'
import { emptyPoliciesHaveASource } from '../empty-policies-have-a-source.js'
import { emptyOutputSetsOutputFields } from '../empty-output-sets-output-fields.js'
import { emptyOutputIsComplete } from '../empty-output-is-complete.js'
import { emptyOutputReadsNoSkippedStep } from '../empty-output-reads-no-skipped-step.js'
import { emptyPathNamesAnOutputField } from '../empty-path-names-an-output-field.js'
import { failurePoliciesCoverAllOutcomes } from '../failure-policies-cover-all-outcomes.js'
import { failurePolicyWordsAreKnown } from '../failure-policy-words-are-known.js'
import { failuresDoNotHideApprovals } from '../failures-do-not-hide-approvals.js'
import { failuresDoNotHideClarifications } from '../failures-do-not-hide-clarifications.js'
import { auditPolicyHasBothMembers } from '../audit-policy-has-both-members.js'
import { effectsOfStepsAreRecorded } from '../effects-of-steps-are-recorded.js'
import { stepsCarryTheTask } from '../steps-carry-the-task.js'
import { parentsAreAsStrongAsSteps } from '../parents-are-as-strong-as-steps.js'
import { parentsAreNotStrongerThanSteps } from '../parents-are-not-stronger-than-steps.js'
import { parentsAskForTheScopesOfSteps } from '../parents-ask-for-the-scopes-of-steps.js'
import { parentsDeclareTheCostOfSteps } from '../parents-declare-the-cost-of-steps.js'
import { parentsCostAtLeastTheirSteps } from '../parents-cost-at-least-their-steps.js'
import { parentsCostInTheCurrencyOfSteps } from '../parents-cost-in-the-currency-of-steps.js'
import { parentsRequireTheControlsOfSteps } from '../parents-require-the-controls-of-steps.js'
import { bindingsOfStepsAreSupplied } from '../bindings-of-steps-are-supplied.js'
import { streamingParentsHaveStreamingSteps } from '../streaming-parents-have-streaming-steps.js'
import { irreversibleStepsComeLast } from '../irreversible-steps-come-last.js'
import { transactionalStepsCanBeUndone } from '../transactional-steps-can-be-undone.js'

/** In the order of the interface document. */
export const COMPOSITION: readonly Rule[] = [
  // Composition: steps [2.8]
  authorityBoundaryIsGiven,
  authorityBoundaryIsNotReserved,
  authorityBoundaryIsSameService,
  compositionsHaveSteps,
  stepIdsAreUnique,
  stepIdsAreIdentifiers,
  stepsAreDeclared,
  stepsAreAtomic,
  compositionsDoNotCallThemselves,
  compositionsHaveSeveralSteps,
  stepsAreNotRepeated,
  stepOutputsAreUsed,
  // Composition: mappings [2.8]
  inputMappingsNameSteps,
  mappedInputsAreDeclared,
  requiredInputsAreMapped,
  mappingValuesArePaths,
  mappedParentInputsAreDeclared,
  mappedStepsAreDeclared,
  mappingsReadEarlierSteps,
  stepsDoNotReadThemselves,
  mappedOutputFieldsAreDeclared,
  mappedTypesAgree,
  mappedValuesAreAllowed,
  requiredInputsGetValues,
  outputMappingsMapSomething,
  outputMappingsSetOutputFields,
  outputFieldsAreMapped,
  parentInputsAreUsed,
  mappingValuesAreNotLiterals,
  pathsAreSimple,
  // Composition: empty results [2.8]
  emptyPolicyIsKnown,
  emptyResultsHaveAnOutput,
  emptyOutputNeedsItsPolicy,
  emptyResultsHaveOneSource,
  emptySourcesHaveAPolicy,
  emptyPoliciesHaveASource,
  emptyOutputSetsOutputFields,
  emptyOutputIsComplete,
  emptyOutputReadsNoSkippedStep,
  emptyPathNamesAnOutputField,
  // Composition: policies [2.8]
  failurePoliciesCoverAllOutcomes,
  failurePolicyWordsAreKnown,
  failuresDoNotHideApprovals,
  failuresDoNotHideClarifications,
  auditPolicyHasBothMembers,
  effectsOfStepsAreRecorded,
  stepsCarryTheTask,
  // Composition: parent and steps [2.8]
  parentsAreAsStrongAsSteps,
  parentsAreNotStrongerThanSteps,
  parentsAskForTheScopesOfSteps,
  parentsDeclareTheCostOfSteps,
  parentsCostAtLeastTheirSteps,
  parentsCostInTheCurrencyOfSteps,
  parentsRequireTheControlsOfSteps,
  bindingsOfStepsAreSupplied,
  streamingParentsHaveStreamingSteps,
  irreversibleStepsComeLast,
  transactionalStepsCanBeUndone,
]
