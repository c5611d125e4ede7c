import type { Rule } from '../rule.js'
import { COMPOSITION_CODES } from './codes.js'
import { authorityBoundaryReserved } from './authority-boundary-reserved.js'
import { authorityBoundaryUnknown } from './authority-boundary-unknown.js'
import { stepIdDuplicate } from './step-id-duplicate.js'
import { stepCapabilityUnknown } from './step-capability-unknown.js'
import { stepNotAtomic } from './step-not-atomic.js'
import { stepSelf } from './step-self.js'
import { stepSingle } from './step-single.js'
import { stepDuplicateCall } from './step-duplicate-call.js'
import { stepOutputUnused } from './step-output-unused.js'
import { mappingStepUnknown } from './mapping-step-unknown.js'
import { mappingParamUnknown } from './mapping-param-unknown.js'
import { mappingRequiredMissing } from './mapping-required-missing.js'
import { mappingPathSyntax } from './mapping-path-syntax.js'
import { mappingParentInputUnknown } from './mapping-parent-input-unknown.js'
import { mappingRefStepUnknown } from './mapping-ref-step-unknown.js'
import { mappingForwardRef } from './mapping-forward-ref.js'
import { mappingSelfRef } from './mapping-self-ref.js'
import { mappingOutputFieldUnknown } from './mapping-output-field-unknown.js'
import { mappingType } from './mapping-type.js'
import { mappingAllowedValues } from './mapping-allowed-values.js'
import { mappingOptionalToRequired } from './mapping-optional-to-required.js'
import { outputMappingTargetUnknown } from './output-mapping-target-unknown.js'
import { outputFieldUnmapped } from './output-field-unmapped.js'
import { parentInputUnused } from './parent-input-unused.js'
import { mappingLiteral } from './mapping-literal.js'
import { mappingJsonpathFeature } from './mapping-jsonpath-feature.js'
import { emptyOutputMissing } from './empty-output-missing.js'
import { emptyOutputUnexpected } from './empty-output-unexpected.js'
import { emptySourceMany } from './empty-source-many.js'
import { emptySourceWithoutPolicy } from './empty-source-without-policy.js'
import { emptyPolicyWithoutSource } from './empty-policy-without-source.js'
import { emptyOutputFieldUnknown } from './empty-output-field-unknown.js'
import { emptyOutputFieldMissing } from './empty-output-field-missing.js'
import { emptyOutputSkippedRef } from './empty-output-skipped-ref.js'
import { emptyPathUnknown } from './empty-path-unknown.js'
import { failurePolicyClass } from './failure-policy-class.js'
import { failureHidesApproval } from './failure-hides-approval.js'
import { failureHidesClarification } from './failure-hides-clarification.js'
import { auditOffOnEffect } from './audit-off-on-effect.js'
import { lineageOff } from './lineage-off.js'
import { parentEffectWeaker } from './parent-effect-weaker.js'
import { parentEffectStronger } from './parent-effect-stronger.js'
import { parentScopeNarrower } from './parent-scope-narrower.js'
import { parentCostMissing } from './parent-cost-missing.js'
import { parentCostBelowChildren } from './parent-cost-below-children.js'
import { parentCostCurrency } from './parent-cost-currency.js'
import { parentControlMissing } from './parent-control-missing.js'
import { parentBindingMissing } from './parent-binding-missing.js'
import { parentStreamingUnaryChild } from './parent-streaming-unary-child.js'
import { irreversibleNotLast } from './irreversible-not-last.js'
import { rollbackAcrossSteps } from './rollback-across-steps.js'

/** The rules of this section; first those that another stage reports. */
export const COMPOSITION_RULES: readonly Rule[] = [
  ...COMPOSITION_CODES,
  // Composition: steps [2.8]
  authorityBoundaryReserved,
  authorityBoundaryUnknown,
  stepIdDuplicate,
  stepCapabilityUnknown,
  stepNotAtomic,
  stepSelf,
  stepSingle,
  stepDuplicateCall,
  stepOutputUnused,
  // Composition: mappings [2.8]
  mappingStepUnknown,
  mappingParamUnknown,
  mappingRequiredMissing,
  mappingPathSyntax,
  mappingParentInputUnknown,
  mappingRefStepUnknown,
  mappingForwardRef,
  mappingSelfRef,
  mappingOutputFieldUnknown,
  mappingType,
  mappingAllowedValues,
  mappingOptionalToRequired,
  outputMappingTargetUnknown,
  outputFieldUnmapped,
  parentInputUnused,
  mappingLiteral,
  mappingJsonpathFeature,
  // Composition: empty results [2.8]
  emptyOutputMissing,
  emptyOutputUnexpected,
  emptySourceMany,
  emptySourceWithoutPolicy,
  emptyPolicyWithoutSource,
  emptyOutputFieldUnknown,
  emptyOutputFieldMissing,
  emptyOutputSkippedRef,
  emptyPathUnknown,
  // Composition: policies [2.8]
  failurePolicyClass,
  failureHidesApproval,
  failureHidesClarification,
  auditOffOnEffect,
  lineageOff,
  // Composition: parent and steps [2.8]
  parentEffectWeaker,
  parentEffectStronger,
  parentScopeNarrower,
  parentCostMissing,
  parentCostBelowChildren,
  parentCostCurrency,
  parentControlMissing,
  parentBindingMissing,
  parentStreamingUnaryChild,
  irreversibleNotLast,
  rollbackAcrossSteps,
]
