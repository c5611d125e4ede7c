import type { JsonObject } from '../../protocol/manifest.js'
import { SEVERITIES } from '../diagnostics.js'
import { closed, count, listOf, oneOf, text, versionOf } from './closed.js'
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
const file = text('The file, as it was named.')

/** A rule by its code. */
export const CODE: JsonObject = { description: 'The code of the rule.', type: 'string', pattern: '^SVC[0-9]{4}$' }
export const SLUG = text('The name of the rule.')
export const SEVERITY = oneOf('How bad it is.', SEVERITIES)
export const DOCS = text('The page of the rule, relative to the package source.')

const diagnostic = closed(
  'A finding.',
  {
    code: CODE,
    slug: SLUG,
    severity: SEVERITY,
    message: text('What is wrong, as full sentences.'),
    file,
    range,
    path: text('Where in the document, by names: capabilities/lookup/inputs/region.'),
    related: listOf(
      'Other places that have to do with it.',
      closed('A place.', { message: text('What is there.'), file, range }),
    ),
    docs: DOCS,
  },
  {
    snippet: text('The line on which it starts, without secrets; of a long one a part.'),
    suggestion: text('What to write instead, as one sentence or one value.'),
    fix: listOf(
      'The edits that --fix makes; left out where they would show a secret.',
      closed('A replacement of text.', { file, range, new_text: text('What stands there then.') }),
    ),
  },
)

/** The shape of `svc validate --format json`, by its version. */
export const DIAGNOSTICS = closed('What was found in manifests.', {
  version: versionOf(DIAGNOSTICS_VERSION),
  tool: closed('What made the report.', { name: text('Its name.'), version: text('Its version.') }),
  summary: closed('How much was found, also beyond --max-problems.', {
    files: count('Files that were checked.'),
    errors: count('Errors.'),
    warnings: count('Warnings.'),
    infos: count('Hints.'),
  }),
  diagnostics: listOf('The findings, worst first and then by file and place.', diagnostic),
})
