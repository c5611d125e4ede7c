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
export const DIFF_SHAPE = closed('What is otherwise in the new manifest.', {
  version,
  before: textSchema('The old manifest, as it was named.'),
  after: textSchema('The new manifest, as it was named.'),
  summary: closed('How many changes there are.', {
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
        effect: oneOfSchema('What it means to callers and to who governs.', EFFECTS),
        weakens: flagSchema('Whether less is governed, be it breaking or not.'),
        path: textSchema('Where in the document, by names.'),
        message: textSchema('What changed, and what that does to whom.'),
        ...place,
        fails: flagSchema('Whether it makes the comparison fail.'),
      },
      {
        bump: oneOfSchema('What it asks of contract_version; absent where it asks for nothing.', [
          'major',
          'minor',
          'patch',
        ]),
        old: closed('Where it was; absent where it was not there.', place),
        accepted: textSchema('Why it was accepted; absent where it was not.'),
      },
    ),
  ),
})
