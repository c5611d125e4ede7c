import type { JsonObject } from '../../protocol/manifest.js'
import { SEVERITIES } from '../diagnostics.js'
import { closed, countSchema, listOf, oneOfSchema, textSchema, versionOf } from './closed.js'
import { DIAGNOSTICS_VERSION } from './printed-json.js'

const fromOne = (description: string): JsonObject => ({ description, type: 'integer', minimum: 1 })
const position = (description: string): JsonObject =>
  closed(description, {
    line: fromOne('The line, from 1.'),
    column: fromOne('The column in UTF-16 units, from 1.'),
  })
const range = closed(
  'From the first character to just after the last; lines and columns (UTF-16 units) count from 1.',
  { start: position('The first character.'), end: position('Just after the last character.') },
)
const file = textSchema('The file, as it was named.')

/** A rule by its code. */
export const CODE: JsonObject = { description: 'The code of the rule.', type: 'string', pattern: '^SVC[0-9]{4}$' }
export const SLUG = textSchema('The name of the rule.')
export const SEVERITY = oneOfSchema('Severity.', SEVERITIES)
export const RULE_PAGE = textSchema('The page of the rule, relative to the package source.')

const diagnostic = closed(
  'A finding.',
  {
    code: CODE,
    slug: SLUG,
    severity: SEVERITY,
    message: textSchema('Description of the problem, as full sentences.'),
    file,
    range,
    path: textSchema('Place in the document, by names: capabilities/lookup/inputs/region.'),
    related: listOf(
      'Other places that have to do with it.',
      closed('A place.', { message: textSchema('Description of the place.'), file, range }),
    ),
    docs: RULE_PAGE,
  },
  {
    snippet: textSchema('The line on which it starts, without secrets; of a long one a part.'),
    suggestion: textSchema('Correct text, as one sentence or one value.'),
    fix: listOf(
      'The edits that --fix makes; left out where they would show a secret.',
      closed('A replacement of text.', { file, range, new_text: textSchema('New text.') }),
    ),
    fix_safety: oneOfSchema(
      'With a fix. Safe: --fix writes it. Unsafe: it is a guess, written with --unsafe-fixes only.',
      ['safe', 'unsafe'],
    ),
  },
)

/** The shape of `svc validate --format json`, by its version. */
export const DIAGNOSTICS = closed('Findings in manifests.', {
  version: versionOf(DIAGNOSTICS_VERSION),
  tool: closed('Tool that made the report.', { name: textSchema('Its name.'), version: textSchema('Its version.') }),
  summary: closed('Number of findings, including those beyond --max-problems.', {
    files: countSchema('Files that were checked.'),
    errors: countSchema('Errors.'),
    warnings: countSchema('Warnings.'),
    infos: countSchema('Hints.'),
  }),
  diagnostics: listOf('The findings, worst first and then by file and place.', diagnostic),
})
