import { EFFECTS } from '../../compiler/diff/effects.js'
import {
  closed,
  countSchema,
  flagSchema,
  listOf,
  oneOfSchema,
  textSchema,
  version,
} from '../../compiler/report/closed.js'

const position = closed('A place in a text.', {
  line: countSchema('From 1.'),
  column: countSchema('From 1, in UTF-16 units.'),
})
const range = closed('From the first character to just after the last.', { start: position, end: position })
const place = { file: textSchema('The file, as it was named.'), range }

/** The shape of what `svc diff --json` prints. */
export const DIFF_SHAPE = closed('Differences of the new manifest.', {
  version,
  before: textSchema('The old manifest, as it was named.'),
  after: textSchema('The new manifest, as it was named.'),
  summary: closed('Number of changes.', {
    ...Object.fromEntries(EFFECTS.map((effect) => [effect, countSchema(`Changes that are ${effect}.`)])),
    accepted: countSchema('Changes that somebody accepted, whatever their effect.'),
  }),
  changes: listOf(
    'The changes, worst first.',
    closed(
      'A change.',
      {
        code: { description: 'The kind of change.', type: 'string', pattern: '^SVC9[0-9]{3}$' },
        slug: textSchema('The kind of change, by name.'),
        effect: oneOfSchema('Effect on callers and on governance.', EFFECTS),
        weakens: flagSchema('True if governance becomes weaker, whether the change is breaking or not.'),
        path: textSchema('Place in the document, by names.'),
        message: textSchema('Change, its effect, and who is affected.'),
        ...place,
        fails: flagSchema('True if it fails the comparison.'),
      },
      {
        bump: oneOfSchema('Required change of contract_version; absent if none is required.', [
          'major',
          'minor',
          'patch',
        ]),
        old: closed('Place in the old manifest; absent if it did not exist.', place),
        accepted: textSchema('Why it was accepted; absent where it was not.'),
      },
    ),
  ),
})
