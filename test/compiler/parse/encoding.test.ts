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

const CONTROLS = [
  ...Array.from({ length: 32 }, (_, code) => code),
  ...Array.from({ length: 33 }, (_, code) => 127 + code),
]
const hexOf = (code: number): string => code.toString(16).padStart(2, '0')

it.each(CONTROLS.filter((code) => ![9, 10, 13].includes(code)).map(hexOf))('an escape that writes the control character %s is found', (hex) => {
  expect(told(Buffer.from(`a: "x\\x${hex}y"\n`)).join("")).toContain(`a control character, U+00${hex.toUpperCase()}`)
}) // prettier-ignore

it.each(['\\t', '\\n', '\\r', '\\x20'])('an escape that writes %s is not', (escape) => {
  expect(told(Buffer.from(`a: "x${escape}y"\n`)).join('')).not.toContain('U+00')
})
