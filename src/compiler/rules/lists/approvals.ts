import type { Rule } from '../rule.js'
import { grantTypesAreKnown } from '../grant-types-are-known.js'
import { grantTypesAreNotEmpty } from '../grant-types-are-not-empty.js'
import { defaultGrantIsAllowed } from '../default-grant-is-allowed.js'
import { grantsExpire } from '../grants-expire.js'
import { grantsHaveUses } from '../grants-have-uses.js'
import { oneTimeGrantsHaveOneUse } from '../one-time-grants-have-one-use.js'
import { grantsAreShortLived } from '../grants-are-short-lived.js'
import { approverScopesNameCapabilities } from '../approver-scopes-name-capabilities.js'
import { approvalConditionsFitTheirInputs } from '../approval-conditions-fit-their-inputs.js'
import { approvalConditionsNameInputs } from '../approval-conditions-name-inputs.js'

/** In the order of the interface document. */
export const APPROVALS: readonly Rule[] = [
  // Approvals [2.12]
  grantTypesAreKnown,
  grantTypesAreNotEmpty,
  defaultGrantIsAllowed,
  grantsExpire,
  grantsHaveUses,
  oneTimeGrantsHaveOneUse,
  grantsAreShortLived,
  approverScopesNameCapabilities,
  approvalConditionsNameInputs,
  approvalConditionsFitTheirInputs,
]
