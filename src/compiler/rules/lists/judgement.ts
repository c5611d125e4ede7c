import type { Rule } from '../rule.js'
import { irreversibleActionsAreControlled } from '../irreversible-actions-are-controlled.js'
import { paymentsDeclareACost } from '../payments-declare-a-cost.js'
import { effectsCanBeVerified } from '../effects-can-be-verified.js'
import { effectsLogTheirFields } from '../effects-log-their-fields.js'
import { readingNamesRead } from '../reading-names-read.js'
import { writingNamesWrite } from '../writing-names-write.js'
import { deletionsAreIrreversible } from '../deletions-are-irreversible.js'
import { readsNeedNoApproval } from '../reads-need-no-approval.js'
import { estimatesSayWhereFrom } from '../estimates-say-where-from.js'
import { staleBindingsCanBeRefreshed } from '../stale-bindings-can-be-refreshed.js'
import { highCostsHaveACeiling } from '../high-costs-have-a-ceiling.js'
import { irreversibleTargetsAreResolved } from '../irreversible-targets-are-resolved.js'
import { irreversibleActionsHaveAReference } from '../irreversible-actions-have-a-reference.js'
import { descriptionsSayEnough } from '../descriptions-say-enough.js'
import { descriptionsSayMoreThanNames } from '../descriptions-say-more-than-names.js'
import { descriptionsDiffer } from '../descriptions-differ.js'
import { descriptionsAreWritten } from '../descriptions-are-written.js'
import { inputsAreDescribed } from '../inputs-are-described.js'
import { inputNamesAreSnakeCase } from '../input-names-are-snake-case.js'
import { fieldsAreInOrder } from '../fields-are-in-order.js'
import { editorsFindTheSchema } from '../editors-find-the-schema.js'
import { manifestsAreSmall } from '../manifests-are-small.js'
import { semanticTypesAreNotMisspelt } from '../semantic-types-are-not-misspelt.js'
import { outputTypesAreNotMisspelt } from '../output-types-are-not-misspelt.js'
import { manifestsExpireSoon } from '../manifests-expire-soon.js'

/** In the order of the interface document. */
export const JUDGEMENT: readonly Rule[] = [
  // Judgement
  irreversibleActionsAreControlled,
  paymentsDeclareACost,
  effectsCanBeVerified,
  effectsLogTheirFields,
  readingNamesRead,
  writingNamesWrite,
  deletionsAreIrreversible,
  readsNeedNoApproval,
  estimatesSayWhereFrom,
  staleBindingsCanBeRefreshed,
  highCostsHaveACeiling,
  irreversibleTargetsAreResolved,
  irreversibleActionsHaveAReference,
  // Style
  descriptionsSayEnough,
  descriptionsSayMoreThanNames,
  descriptionsDiffer,
  descriptionsAreWritten,
  inputsAreDescribed,
  inputNamesAreSnakeCase,
  fieldsAreInOrder,
  editorsFindTheSchema,
  manifestsAreSmall,
  semanticTypesAreNotMisspelt,
  outputTypesAreNotMisspelt,
  manifestsExpireSoon,
]
