import { expect, it } from 'vitest'
import { linesOf } from '../../../src/runtime/surfaces/lines.js'

async function* chunksOf(texts: readonly string[]): AsyncGenerator<Uint8Array> {
  for (const text of texts) yield Buffer.from(text)
}

it.each<[string, readonly string[], readonly string[]]>([
  ['a line of as many bytes as allowed', ['abcd\n'], ['abcd']],
  ['a line of one more, once, and what follows', ['abcde\nf\n'], ['too_long', 'f']],
  ['a long line in parts, once', ['abc', 'de', 'fghijk', '\nx\n'], ['too_long', 'x']],
  ['a line in parts, and the last without an end', ['a', 'b\nc', 'd'], ['ab', 'cd']],
  ['no empty line, and no return', ['a\r\n\r\n\nb\r\n'], ['a', 'b']],
])('gives %s', async (_, chunks, lines) => {
  const given: string[] = []
  for await (const line of linesOf(chunksOf(chunks), 4))
    given.push(line === 'too_long' ? line : Buffer.from(line).toString())
  expect(given).toEqual(lines)
})
