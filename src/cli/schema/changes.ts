import { EFFECTS } from '../../compiler/diff/kinds.js'
import { closed, count, flag, listOf, oneOf, text, version } from '../../compiler/report/closed.js'

const position = closed('A place in a text.', {
  line: count('From 1.'),
  column: count('From 1, in UTF-16 units.'),
})
const range = closed('From the first character to just after the last.', { start: position, end: position })
const place = { file: text('The file, as it was named.'), range }

/** The shape of what `svc diff --json` prints. */
export const CHANGES = closed('What is otherwise in the new manifest.', {
  version,
  before: text('The old manifest, as it was named.'),
  after: text('The new manifest, as it was named.'),
  summary: closed('How many changes there are.', {
    ...Object.fromEntries(EFFECTS.map((effect) => [effect, count(`Changes that are ${effect}.`)])),
    accepted: count('Changes that somebody accepted, whatever their effect.'),
  }),
  changes: listOf(
    'The changes, worst first.',
    closed(
      'A change.',
      {
        code: { description: 'The kind of change.', type: 'string', pattern: '^SVC9[0-9]{3}$' },
        slug: text('The kind of change, by name.'),
        effect: oneOf('What it means to callers and to who governs.', EFFECTS),
        weakens: flag('Whether less is governed, be it breaking or not.'),
        path: text('Where in the document, by names.'),
        message: text('What changed, and what that does to whom.'),
        ...place,
        fails: flag('Whether it makes the comparison fail.'),
      },
      {
        bump: oneOf('What it asks of contract_version; absent where it asks for nothing.', ['major', 'minor', 'patch']),
        old: closed('Where it was; absent where it was not there.', place),
        accepted: text('Why it was accepted; absent where it was not.'),
      },
    ),
  ),
})
