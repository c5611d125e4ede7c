import type { Rule } from '../rule.js'
import { APPROVALS_CODES } from './codes.js'
import { grantDefaultNotAllowed } from './grant-default-not-allowed.js'
import { oneTimeManyUses } from './one-time-many-uses.js'
import { grantLongLived } from './grant-long-lived.js'
import { approverUnknownCapability } from './approver-unknown-capability.js'
import { approvalInputUnknown } from './approval-input-unknown.js'
import { approvalConditionType } from './approval-condition-type.js'
import { approvalConditionOptional } from './approval-condition-optional.js'
import { approvalConditionOneSided } from './approval-condition-one-sided.js'
import { approvalConditionSubject } from './approval-condition-subject.js'
import { approvalConditionCallerPrice } from './approval-condition-caller-price.js'
import { approversRange } from './approvers-range.js'
import { tierWithoutCost } from './tier-without-cost.js'
import { tierRepeated } from './tier-repeated.js'
import { tierScopeUsual } from './tier-scope-usual.js'

/** The rules of this section; first those that another stage reports. */
export const APPROVALS_RULES: readonly Rule[] = [
  ...APPROVALS_CODES,
  // Approvals [2.12]
  grantDefaultNotAllowed,
  oneTimeManyUses,
  grantLongLived,
  approverUnknownCapability,
  approvalInputUnknown,
  approvalConditionType,
  approvalConditionOptional,
  approvalConditionOneSided,
  approvalConditionSubject,
  approvalConditionCallerPrice,
  approversRange,
  tierWithoutCost,
  tierRepeated,
  tierScopeUsual,
]
