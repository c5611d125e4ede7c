import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const told = (bytes: Buffer): readonly string[] =>
  check([{ file: 'svc.yaml', text: bytes.toString('utf8') }]).diagnostics.map(
    ({ code, message, range: { start } }) => `${start.line}:${start.column} ${code} ${message}`,
  )
const utf16 = Buffer.from('\uFEFFa: 1\n', 'utf16le')

it.each([
  ['UTF-16 of small ends', utf16, '1:1 SVC0104 The file is UTF-16; save it as UTF-8.'],
  ['UTF-16 of big ends', Buffer.from(utf16).swap16(), '1:1 SVC0104 The file is UTF-16; save it as UTF-8.'],
  ['Latin-1', Buffer.from('a: Gr\u00F6\u00DFe\n', 'latin1'), '1:6 SVC0104 The file is not valid UTF-8 here; save it as UTF-8.'],
])('%s is told of once', (_, bytes, finding) => {
  expect(told(bytes)).toEqual([finding])
}) // prettier-ignore
