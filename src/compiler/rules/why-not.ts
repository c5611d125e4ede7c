/** Reasons why JSON Schema (draft 7) cannot express a rule, or all of it. */

export const OTHER_CAPABILITY =
  'It depends on another capability, which the manifest names: JSON Schema cannot look up what a value names.'
export const DECLARED_NAMES =
  'It depends on names that the capability declares elsewhere: JSON Schema cannot look up what a value names.'
export const OWN_KEY =
  'It compares a value with the name of its own capability, and JSON Schema compares no two values.'
export const TWO_VALUES =
  'It compares two values of the manifest, and JSON Schema compares a value with constants only.'
export const ONE_MEMBER =
  'Items differ in one member, and `uniqueItems` of JSON Schema finds only items that are alike as a whole.'
export const YAML_TEXT =
  'It is about the text of the file, and JSON Schema sees only the values that a parser makes of it.'
export const OTHER_FILES = 'It is about other files, and JSON Schema sees one document.'
export const OF_THE_RUN = 'It is about the command line and its configuration, not about a manifest.'
export const OF_FORMATS =
  'Dates, times and the like are checked more closely than their type of JSON; tools differ in what `format` checks.'
