import type { Rule } from '../rule.js'
import { descriptionsAreText } from '../descriptions-are-text.js'
import { inputNamesAreUnique } from '../input-names-are-unique.js'
import { inputNamesAreIdentifiers } from '../input-names-are-identifiers.js'
import { outputsHaveFields } from '../outputs-have-fields.js'
import { outputFieldsAreIdentifiers } from '../output-fields-are-identifiers.js'
import { kindIsKnown } from '../kind-is-known.js'
import { composedCapabilitiesHaveAComposition } from '../composed-capabilities-have-a-composition.js'
import { atomicCapabilitiesHaveNoComposition } from '../atomic-capabilities-have-no-composition.js'
import { sideEffectIsAMapping } from '../side-effect-is-a-mapping.js'
import { defaultsAreNotRestated } from '../defaults-are-not-restated.js'
import { rollbackWindowIsForTransactional } from '../rollback-window-is-for-transactional.js'
import { compensationIsForTransactional } from '../compensation-is-for-transactional.js'
import { rollbackWindowGivesTime } from '../rollback-window-gives-time.js'
import { compensationIsDeclared } from '../compensation-is-declared.js'
import { compensationIsAnotherCapability } from '../compensation-is-another-capability.js'
import { compensationChangesSomething } from '../compensation-changes-something.js'
import { compensationCanBeUndone } from '../compensation-can-be-undone.js'
import { compensationsDoNotCycle } from '../compensations-do-not-cycle.js'
import { transactionalSaysHowToUndo } from '../transactional-says-how-to-undo.js'
import { rollbackWindowIsExact } from '../rollback-window-is-exact.js'
import { compensationGetsItsInputs } from '../compensation-gets-its-inputs.js'
import { scopesAreWellSpelt } from '../scopes-are-well-spelt.js'
import { scopesAreListItems } from '../scopes-are-list-items.js'
import { scopesHaveNoWildcards } from '../scopes-have-no-wildcards.js'
import { effectsNeedAScope } from '../effects-need-a-scope.js'
import { readsNeedAScope } from '../reads-need-a-scope.js'
import { scopesAreNotCapabilityNames } from '../scopes-are-not-capability-names.js'
import { effectsNeedMoreThanReadScopes } from '../effects-need-more-than-read-scopes.js'
import { scopesAreNotMisspelt } from '../scopes-are-not-misspelt.js'
import { callersNeedNoApproverScopes } from '../callers-need-no-approver-scopes.js'
import { scopesDoNotOverlap } from '../scopes-do-not-overlap.js'

/** In the order of the interface document. */
export const CAPABILITY: readonly Rule[] = [
  // Capability [2.4]
  descriptionsAreText,
  inputNamesAreUnique,
  inputNamesAreIdentifiers,
  outputsHaveFields,
  outputFieldsAreIdentifiers,
  kindIsKnown,
  composedCapabilitiesHaveAComposition,
  atomicCapabilitiesHaveNoComposition,
  sideEffectIsAMapping,
  defaultsAreNotRestated,
  // Side effects [2.4]
  rollbackWindowIsForTransactional,
  compensationIsForTransactional,
  rollbackWindowGivesTime,
  compensationIsDeclared,
  compensationIsAnotherCapability,
  compensationChangesSomething,
  compensationCanBeUndone,
  compensationsDoNotCycle,
  transactionalSaysHowToUndo,
  rollbackWindowIsExact,
  compensationGetsItsInputs,
  // Scopes [2.4]
  scopesAreWellSpelt,
  scopesAreListItems,
  scopesHaveNoWildcards,
  effectsNeedAScope,
  readsNeedAScope,
  scopesAreNotCapabilityNames,
  effectsNeedMoreThanReadScopes,
  scopesAreNotMisspelt,
  callersNeedNoApproverScopes,
  scopesDoNotOverlap,
]
