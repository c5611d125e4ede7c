import type { Rule } from '../rule.js'
import { filesMatch } from '../files-match.js'
import { filesAreReadable } from '../files-are-readable.js'
import { optionsAreKnown } from '../options-are-known.js'
import { configsAreSound } from '../configs-are-sound.js'
import { suppressionsNameRules } from '../suppressions-name-rules.js'
import { suppressionsAreUsed } from '../suppressions-are-used.js'
import { suppressionsGiveReasons } from '../suppressions-give-reasons.js'
import { secretsAreNotSuppressed } from '../secrets-are-not-suppressed.js'
import { baselinesAreCurrent } from '../baselines-are-current.js'
import { filesAreSmall } from '../files-are-small.js'
import { hiddenFindingsAreCounted } from '../hidden-findings-are-counted.js'
import { rulesDoNotFail } from '../rules-do-not-fail.js'
import { yamlIsWellFormed } from '../yaml-is-well-formed.js'
import { indentationHasNoTabs } from '../indentation-has-no-tabs.js'
import { keysAreUnique } from '../keys-are-unique.js'
import { textIsUtf8 } from '../text-is-utf8.js'
import { filesHoldADocument } from '../files-hold-a-document.js'
import { rootsAreMappings } from '../roots-are-mappings.js'
import { filesHoldOneDocument } from '../files-hold-one-document.js'
import { aliasesHaveAnchors } from '../aliases-have-anchors.js'
import { aliasesStaySmall } from '../aliases-stay-small.js'
import { anchorsDoNotContainThemselves } from '../anchors-do-not-contain-themselves.js'
import { mergeKeysAreNotUsed } from '../merge-keys-are-not-used.js'
import { customTagsAreNotUsed } from '../custom-tags-are-not-used.js'
import { booleansAreTrueOrFalse } from '../booleans-are-true-or-false.js'
import { textIsNotANumber } from '../text-is-not-a-number.js'
import { integersAreExact } from '../integers-are-exact.js'
import { numbersReadAlike } from '../numbers-read-alike.js'
import { numbersAreFinite } from '../numbers-are-finite.js'
import { keysAreText } from '../keys-are-text.js'
import { keysAreNotReserved } from '../keys-are-not-reserved.js'
import { nestingIsShallow } from '../nesting-is-shallow.js'
import { valuesAreWritten } from '../values-are-written.js'
import { commentsDoNotSwallowValues } from '../comments-do-not-swallow-values.js'
import { starsAreQuoted } from '../stars-are-quoted.js'
import { anchorsAreUsed } from '../anchors-are-used.js'
import { datesAreQuoted } from '../dates-are-quoted.js'
import { textIsPlain } from '../text-is-plain.js'
import { includesExist } from '../includes-exist.js'
import { includesDoNotCycle } from '../includes-do-not-cycle.js'
import { includesStayInside } from '../includes-stay-inside.js'
import { includesAreLocal } from '../includes-are-local.js'
import { requiredFieldsAreGiven } from '../required-fields-are-given.js'
import { fieldsAreKnown } from '../fields-are-known.js'
import { valuesHaveTheirType } from '../values-have-their-type.js'
import { wordsAreKnown } from '../words-are-known.js'
import { textIsNotEmpty } from '../text-is-not-empty.js'
import { textHasItsFormat } from '../text-has-its-format.js'
import { listsHaveItems } from '../lists-have-items.js'
import { itemsAreDistinct } from '../items-are-distinct.js'
import { numbersAreInRange } from '../numbers-are-in-range.js'
import { fieldsAreInPlace } from '../fields-are-in-place.js'
import { wordsAreLowerCase } from '../words-are-lower-case.js'
import { fieldsAreSnakeCase } from '../fields-are-snake-case.js'
import { listsAreWrittenAsLists } from '../lists-are-written-as-lists.js'
import { itemsAreWrittenAsMappings } from '../items-are-written-as-mappings.js'

/** In the order of the interface document. */
export const THE_RUN_AND_YAML: readonly Rule[] = [
  // The run
  filesMatch,
  filesAreReadable,
  optionsAreKnown,
  configsAreSound,
  suppressionsNameRules,
  suppressionsAreUsed,
  suppressionsGiveReasons,
  secretsAreNotSuppressed,
  baselinesAreCurrent,
  filesAreSmall,
  hiddenFindingsAreCounted,
  rulesDoNotFail,
  // YAML and files
  yamlIsWellFormed,
  indentationHasNoTabs,
  keysAreUnique,
  textIsUtf8,
  filesHoldADocument,
  rootsAreMappings,
  filesHoldOneDocument,
  aliasesHaveAnchors,
  aliasesStaySmall,
  anchorsDoNotContainThemselves,
  mergeKeysAreNotUsed,
  customTagsAreNotUsed,
  booleansAreTrueOrFalse,
  textIsNotANumber,
  integersAreExact,
  numbersReadAlike,
  numbersAreFinite,
  keysAreText,
  keysAreNotReserved,
  nestingIsShallow,
  valuesAreWritten,
  commentsDoNotSwallowValues,
  starsAreQuoted,
  anchorsAreUsed,
  datesAreQuoted,
  textIsPlain,
  includesExist,
  includesDoNotCycle,
  includesStayInside,
  includesAreLocal,
  // Structure
  requiredFieldsAreGiven,
  fieldsAreKnown,
  valuesHaveTheirType,
  wordsAreKnown,
  textIsNotEmpty,
  textHasItsFormat,
  listsHaveItems,
  itemsAreDistinct,
  numbersAreInRange,
  fieldsAreInPlace,
  wordsAreLowerCase,
  fieldsAreSnakeCase,
  listsAreWrittenAsLists,
  itemsAreWrittenAsMappings,
]
