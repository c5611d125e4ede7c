import type { Rule } from './rule.js'
import { filesMatch } from './files-match.js'
import { filesAreReadable } from './files-are-readable.js'
import { suppressionsNameRules } from './suppressions-name-rules.js'
import { suppressionsAreUsed } from './suppressions-are-used.js'
import { suppressionsGiveReasons } from './suppressions-give-reasons.js'
import { secretsAreNotSuppressed } from './secrets-are-not-suppressed.js'
import { baselinesAreCurrent } from './baselines-are-current.js'
import { filesAreSmall } from './files-are-small.js'
import { rulesDoNotFail } from './rules-do-not-fail.js'
import { yamlIsWellFormed } from './yaml-is-well-formed.js'
import { indentationHasNoTabs } from './indentation-has-no-tabs.js'
import { keysAreUnique } from './keys-are-unique.js'
import { textIsUtf8 } from './text-is-utf8.js'
import { filesHoldADocument } from './files-hold-a-document.js'
import { rootsAreMappings } from './roots-are-mappings.js'
import { filesHoldOneDocument } from './files-hold-one-document.js'
import { aliasesHaveAnchors } from './aliases-have-anchors.js'
import { aliasesStaySmall } from './aliases-stay-small.js'
import { anchorsDoNotContainThemselves } from './anchors-do-not-contain-themselves.js'
import { mergeKeysAreNotUsed } from './merge-keys-are-not-used.js'
import { customTagsAreNotUsed } from './custom-tags-are-not-used.js'
import { booleansAreTrueOrFalse } from './booleans-are-true-or-false.js'
import { textIsNotANumber } from './text-is-not-a-number.js'
import { integersAreExact } from './integers-are-exact.js'
import { numbersReadAlike } from './numbers-read-alike.js'
import { numbersAreFinite } from './numbers-are-finite.js'
import { keysAreText } from './keys-are-text.js'
import { keysAreNotReserved } from './keys-are-not-reserved.js'
import { nestingIsShallow } from './nesting-is-shallow.js'
import { valuesAreWritten } from './values-are-written.js'
import { commentsDoNotSwallowValues } from './comments-do-not-swallow-values.js'
import { starsAreQuoted } from './stars-are-quoted.js'
import { anchorsAreUsed } from './anchors-are-used.js'
import { datesAreQuoted } from './dates-are-quoted.js'
import { textIsPlain } from './text-is-plain.js'
import { includesExist } from './includes-exist.js'
import { includesDoNotCycle } from './includes-do-not-cycle.js'
import { includesStayInside } from './includes-stay-inside.js'
import { includesAreLocal } from './includes-are-local.js'
import { requiredFieldsAreGiven } from './required-fields-are-given.js'
import { fieldsAreKnown } from './fields-are-known.js'
import { valuesHaveTheirType } from './values-have-their-type.js'
import { wordsAreKnown } from './words-are-known.js'
import { textIsNotEmpty } from './text-is-not-empty.js'
import { textHasItsFormat } from './text-has-its-format.js'
import { listsHaveItems } from './lists-have-items.js'
import { itemsAreDistinct } from './items-are-distinct.js'
import { numbersAreInRange } from './numbers-are-in-range.js'
import { fieldsAreInPlace } from './fields-are-in-place.js'
import { wordsAreLowerCase } from './words-are-lower-case.js'
import { fieldsAreSnakeCase } from './fields-are-snake-case.js'
import { listsAreWrittenAsLists } from './lists-are-written-as-lists.js'
import { itemsAreWrittenAsMappings } from './items-are-written-as-mappings.js'
import { manifestsHaveCapabilities } from './manifests-have-capabilities.js'
import { capabilitiesAreNotEmpty } from './capabilities-are-not-empty.js'
import { capabilitiesAreAMapping } from './capabilities-are-a-mapping.js'
import { capabilityNamesFitUrls } from './capability-names-fit-urls.js'
import { capabilitiesAreDeclaredOnce } from './capabilities-are-declared-once.js'
import { namesAreKeys } from './names-are-keys.js'
import { servicesHaveIds } from './services-have-ids.js'
import { jwksUriIsAPath } from './jwks-uri-is-a-path.js'
import { sha256IsHexadecimal } from './sha256-is-hexadecimal.js'
import { timesAreRfc3339 } from './times-are-rfc3339.js'
import { trustLevelIsKnown } from './trust-level-is-known.js'
import { cadenceIsKnown } from './cadence-is-known.js'
import { disclosureMembersAreKnown } from './disclosure-members-are-known.js'
import { protocolVersionIsComplete } from './protocol-version-is-complete.js'
import { contractVersionIsSemantic } from './contract-version-is-semantic.js'
import { contractVersionHasNoV } from './contract-version-has-no-v.js'
import { contractVersionHasNoLeadingZeros } from './contract-version-has-no-leading-zeros.js'
import { descriptionsAreText } from './descriptions-are-text.js'
import { inputNamesAreIdentifiers } from './input-names-are-identifiers.js'
import { outputFieldsAreIdentifiers } from './output-fields-are-identifiers.js'
import { kindIsKnown } from './kind-is-known.js'
import { sideEffectIsAMapping } from './side-effect-is-a-mapping.js'
import { scopesAreWellSpelt } from './scopes-are-well-spelt.js'
import { scopesAreListItems } from './scopes-are-list-items.js'
import { scopesHaveNoWildcards } from './scopes-have-no-wildcards.js'
import { allowedValuesAreNotEmpty } from './allowed-values-are-not-empty.js'
import { catalogRefIsNoList } from './catalog-ref-is-no-list.js'
import { catalogRefIsAnIdentifier } from './catalog-ref-is-an-identifier.js'
import { resolutionHasAMode } from './resolution-has-a-mode.js'
import { resolutionModeIsKnown } from './resolution-mode-is-known.js'
import { behavioursAreKnown } from './behaviours-are-known.js'
import { resolverRefIsAnIdentifier } from './resolver-ref-is-an-identifier.js'
import { certaintyIsKnown } from './certainty-is-known.js'
import { pricesHaveACurrency } from './prices-have-a-currency.js'
import { currenciesAreIso4217 } from './currencies-are-iso4217.js'
import { amountsAreNotNegative } from './amounts-are-not-negative.js'
import { computeDurationIsIso8601 } from './compute-duration-is-iso8601.js'
import { controlTypeIsKnown } from './control-type-is-known.js'
import { enforcementIsReject } from './enforcement-is-reject.js'
import { bindingsHaveTypeAndField } from './bindings-have-type-and-field.js'
import { maxAgeIsIso8601 } from './max-age-is-iso8601.js'
import { effectsHaveTwoLists } from './effects-have-two-lists.js'
import { responseModesAreKnown } from './response-modes-are-known.js'
import { responseModesAreNotEmpty } from './response-modes-are-not-empty.js'
import { retentionIsIso8601 } from './retention-is-iso8601.js'
import { prerequisitesHaveReasons } from './prerequisites-have-reasons.js'
import { crossServiceListsAreKnown } from './cross-service-lists-are-known.js'
import { referencesHaveServiceAndCapability } from './references-have-service-and-capability.js'
import { referencesAreMappings } from './references-are-mappings.js'
import { authorityBoundaryIsGiven } from './authority-boundary-is-given.js'
import { compositionsHaveSteps } from './compositions-have-steps.js'
import { stepIdsAreIdentifiers } from './step-ids-are-identifiers.js'
import { outputMappingsMapSomething } from './output-mappings-map-something.js'
import { emptyPolicyIsKnown } from './empty-policy-is-known.js'
import { emptyPathNamesAnOutputField } from './empty-path-names-an-output-field.js'
import { failurePolicyWordsAreKnown } from './failure-policy-words-are-known.js'
import { auditPolicyHasBothMembers } from './audit-policy-has-both-members.js'
import { referencesHaveNoCredentials } from './references-have-no-credentials.js'
import { referencesHaveNoSecretParameters } from './references-have-no-secret-parameters.js'
import { referencesAreNotInterpolated } from './references-are-not-interpolated.js'
import { referencesAreNotUrls } from './references-are-not-urls.js'
import { referencesAreNotConnectionStrings } from './references-are-not-connection-strings.js'
import { textHasNoBidiControls } from './text-has-no-bidi-controls.js'
import { textHasNoInvisibleCharacters } from './text-has-no-invisible-characters.js'
import { namesAreAscii } from './names-are-ascii.js'
import { grantTypesAreKnown } from './grant-types-are-known.js'
import { grantTypesAreNotEmpty } from './grant-types-are-not-empty.js'
import { grantsExpire } from './grants-expire.js'
import { grantsHaveUses } from './grants-have-uses.js'

/** All rules, in the order of the interface document. */
export const RULES: readonly Rule[] = [
  // The run
  filesMatch,
  filesAreReadable,
  suppressionsNameRules,
  suppressionsAreUsed,
  suppressionsGiveReasons,
  secretsAreNotSuppressed,
  baselinesAreCurrent,
  filesAreSmall,
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
  // Manifest [2.3]
  manifestsHaveCapabilities,
  capabilitiesAreNotEmpty,
  capabilitiesAreAMapping,
  capabilityNamesFitUrls,
  capabilitiesAreDeclaredOnce,
  namesAreKeys,
  servicesHaveIds,
  jwksUriIsAPath,
  sha256IsHexadecimal,
  timesAreRfc3339,
  // Trust and discovery [2.1]
  trustLevelIsKnown,
  cadenceIsKnown,
  disclosureMembersAreKnown,
  // Versions [9]
  protocolVersionIsComplete,
  contractVersionIsSemantic,
  contractVersionHasNoV,
  contractVersionHasNoLeadingZeros,
  // Capability [2.4]
  descriptionsAreText,
  inputNamesAreIdentifiers,
  outputFieldsAreIdentifiers,
  kindIsKnown,
  sideEffectIsAMapping,
  // Scopes [2.4]
  scopesAreWellSpelt,
  scopesAreListItems,
  scopesHaveNoWildcards,
  // Inputs [2.5]
  allowedValuesAreNotEmpty,
  catalogRefIsNoList,
  catalogRefIsAnIdentifier,
  // Resolution [2.6]
  resolutionHasAMode,
  resolutionModeIsKnown,
  behavioursAreKnown,
  resolverRefIsAnIdentifier,
  // Cost [2.7]
  certaintyIsKnown,
  pricesHaveACurrency,
  currenciesAreIso4217,
  amountsAreNotNegative,
  computeDurationIsIso8601,
  // Controls, bindings, effects [2.4]
  controlTypeIsKnown,
  enforcementIsReject,
  bindingsHaveTypeAndField,
  maxAgeIsIso8601,
  effectsHaveTwoLists,
  // Responses and observability [2.4]
  responseModesAreKnown,
  responseModesAreNotEmpty,
  retentionIsIso8601,
  // References [2.4]
  prerequisitesHaveReasons,
  // Other services [2.9]
  crossServiceListsAreKnown,
  referencesHaveServiceAndCapability,
  referencesAreMappings,
  // Composition: steps [2.8]
  authorityBoundaryIsGiven,
  compositionsHaveSteps,
  stepIdsAreIdentifiers,
  // Composition: mappings [2.8]
  outputMappingsMapSomething,
  // Composition: empty results [2.8]
  emptyPolicyIsKnown,
  emptyPathNamesAnOutputField,
  // Composition: policies [2.8]
  failurePolicyWordsAreKnown,
  auditPolicyHasBothMembers,
  // Secrets
  referencesHaveNoCredentials,
  referencesHaveNoSecretParameters,
  referencesAreNotInterpolated,
  referencesAreNotUrls,
  referencesAreNotConnectionStrings,
  // Text
  textHasNoBidiControls,
  textHasNoInvisibleCharacters,
  namesAreAscii,
  // Approvals [2.12]
  grantTypesAreKnown,
  grantTypesAreNotEmpty,
  grantsExpire,
  grantsHaveUses,
]

const byCode: ReadonlyMap<string, Rule> = new Map(RULES.map((rule) => [rule.code, rule]))

/** The rule of a code that the compiler itself reported. */
export const ruleOf = (code: string): Rule => byCode.get(code)!
