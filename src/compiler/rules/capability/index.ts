import type { Rule } from '../rule.js'
import { CAPABILITY_CODES } from './codes.js'
import { inputNameDuplicate } from './input-name-duplicate.js'
import { outputFieldsEmpty } from './output-fields-empty.js'
import { compositionMissing } from './composition-missing.js'
import { compositionOnAtomic } from './composition-on-atomic.js'
import { defaultRestated } from './default-restated.js'
import { exclusiveInputUnknown } from './exclusive-input-unknown.js'
import { failureDeclaration } from './failure-declaration.js'
import { identifierCollision } from './identifier-collision.js'
import { outputFieldDuplicate } from './output-field-duplicate.js'
import { rollbackNeedsTransactional } from './rollback-needs-transactional.js'
import { compensationNeedsTransactional } from './compensation-needs-transactional.js'
import { rollbackZero } from './rollback-zero.js'
import { compensationUnknown } from './compensation-unknown.js'
import { compensationSelf } from './compensation-self.js'
import { compensationReads } from './compensation-reads.js'
import { compensationIrreversible } from './compensation-irreversible.js'
import { compensationCycle } from './compensation-cycle.js'
import { transactionalBare } from './transactional-bare.js'
import { rollbackCalendar } from './rollback-calendar.js'
import { compensationInputs } from './compensation-inputs.js'
import { scopeEmptyOnEffect } from './scope-empty-on-effect.js'
import { scopeEmptyOnRead } from './scope-empty-on-read.js'
import { scopeIsCapabilityName } from './scope-is-capability-name.js'
import { scopeWeakerThanEffect } from './scope-weaker-than-effect.js'
import { scopeNearMiss } from './scope-near-miss.js'
import { scopeApprover } from './scope-approver.js'
import { outputTypeList } from './output-type-list.js'
import { scopeSuperset } from './scope-superset.js'

/** The rules of this section; first those that another stage reports. */
export const CAPABILITY_RULES: readonly Rule[] = [
  ...CAPABILITY_CODES,
  // Capability [2.4]
  inputNameDuplicate,
  outputFieldsEmpty,
  compositionMissing,
  compositionOnAtomic,
  defaultRestated,
  identifierCollision,
  outputFieldDuplicate,
  outputTypeList,
  exclusiveInputUnknown,
  failureDeclaration,
  // Side effects [2.4]
  rollbackNeedsTransactional,
  compensationNeedsTransactional,
  rollbackZero,
  compensationUnknown,
  compensationSelf,
  compensationReads,
  compensationIrreversible,
  compensationCycle,
  transactionalBare,
  rollbackCalendar,
  compensationInputs,
  // Scopes [2.4]
  scopeEmptyOnEffect,
  scopeEmptyOnRead,
  scopeIsCapabilityName,
  scopeWeakerThanEffect,
  scopeNearMiss,
  scopeApprover,
  scopeSuperset,
]
