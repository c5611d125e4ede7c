/** Documents in the encodings that real ones have. */
import { expect, it } from 'vitest'
import { decodedText } from '../../src/cli/import/decoded-text.js'

const TEXT = '{ "a": "é" }'
const swapped = (bytes: Buffer): Buffer => Buffer.from(bytes).swap16()

it.each<[string, Uint8Array]>([
  ['UTF-8', Buffer.from(TEXT)],
  ['UTF-8 with a byte order mark', Buffer.from(`\ufeff${TEXT}`)],
  ['UTF-16, little-endian', Buffer.from(TEXT, 'utf16le')],
  ['UTF-16, little-endian, with a byte order mark', Buffer.from(`\ufeff${TEXT}`, 'utf16le')],
  ['UTF-16, big-endian', swapped(Buffer.from(TEXT, 'utf16le'))],
  ['UTF-16, big-endian, with a byte order mark', swapped(Buffer.from(`\ufeff${TEXT}`, 'utf16le'))],
])('a document in %s is read', (_, bytes) => {
  expect(decodedText(bytes)).toBe(TEXT)
})
