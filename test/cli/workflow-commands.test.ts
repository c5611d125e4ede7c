/** A text of others gives no command to the workflow that runs `svc`: older runners take `##[…]` anywhere in a line. */
import { expect, it } from 'vitest'
import { printable, printableLines } from '../../src/cli/shared/output/printable.js'
import { safe } from '../../src/compiler/report/code-frame.js'

it.each([
  [printable, 'a ##[set-output name=x]y', 'a ##\\u005bset-output name=x]y'],
  [printableLines, '{"a": "##[error]"}\n', '{"a": "##\\u005berror]"}\n'],
  [safe, 'a: ##[error]', 'a: #·[error]'],
  [printable, '## [a] #[b]', '## [a] #[b]'],
])('%o prints %j as %j', (write, text, printed) => {
  expect(write(text)).toBe(printed)
})
