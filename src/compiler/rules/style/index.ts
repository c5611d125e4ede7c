import type { Rule } from '../rule.js'
import { irreversibleWithoutApproval } from './irreversible-without-approval.js'
import { financialWithoutCost } from './financial-without-cost.js'
import { effectWithoutVerify } from './effect-without-verify.js'
import { effectWithoutAuditFields } from './effect-without-audit-fields.js'
import { readNameWrites } from './read-name-writes.js'
import { writeNameReads } from './write-name-reads.js'
import { deleteNotIrreversible } from './delete-not-irreversible.js'
import { readWithApproval } from './read-with-approval.js'
import { quoteSourceMissing } from './quote-source-missing.js'
import { noRecoveryPath } from './no-recovery-path.js'
import { highValueWithoutCeiling } from './high-value-without-ceiling.js'
import { irreversibleGuessableEntity } from './irreversible-guessable-entity.js'
import { idempotencyInputMissing } from './idempotency-input-missing.js'
import { descriptionTooShort } from './description-too-short.js'
import { descriptionIsName } from './description-is-name.js'
import { descriptionDuplicate } from './description-duplicate.js'
import { descriptionPlaceholder } from './description-placeholder.js'
import { descriptionEmpty } from './description-empty.js'
import { inputDescriptionMissing } from './input-description-missing.js'
import { inputNamingStyle } from './input-naming-style.js'
import { orderFields } from './order-fields.js'
import { noModeline } from './no-modeline.js'
import { manifestLarge } from './manifest-large.js'
import { semanticTypeNearMiss } from './semantic-type-near-miss.js'
import { outputTypeNearMiss } from './output-type-near-miss.js'
import { expiryWindow } from './expiry-window.js'
import { toolNameTooLong } from './tool-name-too-long.js'

/** The rules of this section; first those that another stage reports. */
export const STYLE_RULES: readonly Rule[] = [
  // Judgement
  irreversibleWithoutApproval,
  financialWithoutCost,
  effectWithoutVerify,
  effectWithoutAuditFields,
  readNameWrites,
  writeNameReads,
  deleteNotIrreversible,
  readWithApproval,
  quoteSourceMissing,
  noRecoveryPath,
  highValueWithoutCeiling,
  irreversibleGuessableEntity,
  idempotencyInputMissing,
  // Style
  descriptionTooShort,
  descriptionIsName,
  descriptionDuplicate,
  descriptionPlaceholder,
  descriptionEmpty,
  inputDescriptionMissing,
  inputNamingStyle,
  orderFields,
  noModeline,
  manifestLarge,
  semanticTypeNearMiss,
  outputTypeNearMiss,
  expiryWindow,
  toolNameTooLong,
]
