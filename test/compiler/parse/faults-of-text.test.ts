/** What is said of a text that is no YAML, or hides something, and what is still found in the rest of it. */
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'
import { mostValues } from '../../../src/compiler/parse/density.js'

/** The last capability has a fault of its own: who reads on finds it. */
const TEXT = `manifest_metadata: { version: "0.24.0" }
service_identity:
  id: crm
trust:
  level: signed
capabilities:
  lookup:
    description: Looks an account up by its id.
    contract_version: 1.0.0
    side_effect: { type: read }
    minimum_scope:
      - crm.read
    inputs: [{ name: id, type: string, description: "Which one." }]
    output: { type: account, fields: [account] }
  report:
    description: Reports what is known of an account.
    contract_version: 1.0.0
    side_effect: { type: raed }
    minimum_scope: [crm.read]
    inputs: []
    output: { type: account, fields: [account] }
`
const EFFECT = '    side_effect: { type: read }\n'
const before = (line: string, text = EFFECT): string => TEXT.replace(text, () => `${line}${text}`)
const inPlace = (find: string, wrong: string): string => {
  expect(TEXT).toContain(find)
  return TEXT.replace(find, () => wrong)
}

function said(text: string): string {
  const { diagnostics } = check([{ file: 'svc.yaml', text }], { preset: 'minimal', now: 0 })
  return diagnostics
    .map(({ code, range: { start, end }, path, message, suggestion, fix, isGuess, related }) => {
      if (message.startsWith('`raed`')) return 'and that of the last capability\n'
      const place = `${start.line}:${start.column}-${end.line}:${end.column}`
      const meant = suggestion === undefined ? '' : ` => ${suggestion}`
      const edits = (fix ?? []).map((each) => `${each.range.start.offset}-${each.range.end.offset} ${JSON.stringify(each.newText)}`) // prettier-ignore
      const fixed = edits.length === 0 ? '' : ` [${isGuess ? 'guess ' : ''}${edits.slice(0, 9).join(', ')}]`
      const others = related.map((each) => ` (${each.range.start.line}:${each.range.start.column} ${each.message})`)
      return `${code} ${place} ${path}: ${message}${meant}${fixed}${others.join('')}\n`
    })
    .join('')
}

const marked = (mark: string): string => TEXT.replace('Looks an', () => `Looks${mark} an`)
const escaped = (escape: string): string =>
  TEXT.replace('Looks an account up by its id.', () => `"Looks${escape} an account up by its id."`)

const FAULTS: { readonly [of: string]: readonly string[] } = {
  'lines that are no YAML': [
    ...['// why', '/* why */', '<!-- why -->', '-- why', '```yaml', '~~~', '{{ effect }}', '{% if x %}', '+ a: 1', '1. one', '2) two', '• one', '‣ one', '◦ one', '▪ one', '– one', '— one', 'some prose that was pasted', 'Some prose: it was pasted'].map((line) => before(`    ${line}\n`)), // prettier-ignore
    before('// why\n'),
    before('    prose of\n    two lines\n'),
    before('<<<<<<< ours\n').replace(EFFECT, `${EFFECT}=======\n${EFFECT}>>>>>>> theirs\n`),
    inPlace('    contract_version: 1.0.0\n', '    contract_version\n'),
    inPlace('    contract_version: 1.0.0\n', '    contract_version 1.0.0\n'),
  ],
  'marks between a key and its value': [
    ...[' = ', '=', ' => ', ';', ' :: ', ':', '：', '﹕', '︓', '∶', ':\u00A0', ':\u3000', ' : '].map((mark) => inPlace('  level: signed', `  level${mark}signed`)), // prettier-ignore
    inPlace('  level: signed', '  level:signed'),
    ...[' = ', '=', ' => ', ';', ' :: ', '::', '：', '﹕', '︓', '∶', ':\u00A0', ':\u3000', ':'].map((mark) => inPlace('contract_version: 1.0.0\n    side_effect: { type: read }', `contract_version${mark}1.0.0\n    side_effect: { type: read }`)), // prettier-ignore
    before(`    contract_version\n${'      # why\n'.repeat(38)}      more\n`).replace(
      '    contract_version: 1.0.0\n',
      '',
    ),
    before(`    contract_version = 1\n${'      more\n'.repeat(38)}`).replace('    contract_version: 1.0.0\n', ''),
    before(`    contract_version = 1\n${'      more\n'.repeat(41)}`).replace('    contract_version: 1.0.0\n', ''),
    inPlace('      - crm.read', '      -crm.read'),
    inPlace('      - crm.read', '      -"crm.read"'),
    inPlace('      - crm.read', '      – crm.read'),
    inPlace('      - crm.read', '      * crm.read'),
    inPlace('      - crm.read', '      1. crm.read'),
  ],
  'values that need quotes': ['@lookup', '`lookup`', '%lookup', '*lookup', '&lookup', '!lookup', '|lookup', '>lookup', 'Looks: an account', ': account', '[account', '{account', "'account", '"account', '"account" up', "'account' up", '"\\q"', '"a\\', 'a # b', '#', '- a', '? a', 'a: b: c', ''].map((value) => inPlace('Looks an account up by its id.', value)), // prettier-ignore
  'what is never closed': [
    inPlace('{ type: read }', '{ type: read'),
    inPlace('[account] }\n  report', '[account }\n  report'),
    inPlace('[{ name: id, type: string', '[{ name: id type: string'),
    inPlace('"Which one." }]', '"Which one. }]'),
    inPlace('"Which one." }]', "'Which one. }]"),
    inPlace('"Which one." }]', '"Which one." }'),
    inPlace('"Which one." }]', '"Which one." }]]'),
    inPlace('"Which one." }]', '"Which one." ]}'),
  ],
  'comments within brackets': [
    inPlace('[crm.read]', '[ # ] and {\n      crm.read, # ]\n      crm..read ]'),
    inPlace('{ type: raed }', '{ # }\n      type: read }, # {\n    x: y'),
    inPlace('[crm.read]\n    inputs: []', '[ ]\n    inputs: [ # ]\n      ]\n    more: 1'),
  ],
  indentation: [
    inPlace('    contract_version', '     contract_version'),
    inPlace('    contract_version', '   contract_version'),
    inPlace('    contract_version', '\tcontract_version'),
    inPlace('    contract_version', '  \tcontract_version'),
    inPlace('    contract_version', ' contract_version'),
    inPlace('      - crm.read', '      - crm.read\n     - crm.write'),
    inPlace('  level: signed', 'level: signed'),
    inPlace('  report:', ' report:'),
    inPlace('  report:', '   report:'),
  ],
  keys: [
    before('    contract_version: 1.1.0\n'),
    before('    5: a\n'),
    before('    true: a\n'),
    before('    null: a\n'),
    before('    [a]: b\n'),
    before('    { a: b }: c\n'),
    before('    ? a\n    : b\n'),
    before('    <<: *lookup\n'),
    before('    "<<": a\n'),
    before('    __proto__: a\n'),
    before('    constructor: a\n'),
    before('    toString: a\n'),
  ],
  'keys that are repeated': [
    before('    description: a\n    contract_version: 1.0.0\n'),
    before('    description: a\n    contract_version: 1.0.0\n    x-a:\n      b: c\n'),
    before('    description: a\n      # deeper\n\n    contract_version: 1.0.0\n'),
    before('    description: a\n    refresh_via: []\n    contract_version: 1.0.0\n'),
    inPlace('  level: signed\n', '  level: signed\n  level: signed\n').replace(EFFECT, `${EFFECT}    contract_version: 1.0.0\n`), // prettier-ignore
    inPlace('{ type: read }', '{ type: read, type: read, type: read }'),
    inPlace('  id: crm\n', '  id: crm\n  name: a\n  id: crm\n  name: a\n  id: crm\n'),
  ],
  'names that hide something': [1, 15, 30, 195, 200].map((length) =>
    before(`    refresh_via: ["a\u200b${'b'.repeat(length)}"]\n`),
  ),
  'anchors aliases and tags': [
    inPlace('inputs: []', 'inputs: &none []'),
    inPlace('inputs: []', 'inputs: *none'),
    inPlace('- crm.read', '&scope crm.read').replace('[crm.read]', '[*scop]'),
    inPlace('- crm.read', '- &scope crm.read').replace('[crm.read]', '[*scop]'),
    inPlace('- crm.read', '- &scope crm.read').replace('[crm.read]', '[*scope]'),
    inPlace('[crm.read]', '&all [*all]'),
    inPlace('[crm.read]', '&all [{ a: [*all] }]'),
    inPlace('[crm.read]', '[*-read]'),
    inPlace('[crm.read]', '[*]'),
    inPlace('[crm.read]', '["*"]'),
    inPlace('[crm.read]', '[*.read]'),
    ...['!', '!!str', '!!map', '!!seq', '!!int', '!env', '!<tag:yaml.org,2002:str>'].flatMap((tag) => [inPlace('id: crm', `id: ${tag} crm`), inPlace('{ type: read }', `${tag} { type: read }`), inPlace('[crm.read]', `${tag} [crm.read]`), inPlace('id: crm', `id: ${tag}`)]), // prettier-ignore
  ],
  aliases: [249, 250].map((count) => `many: &many [${'a, '.repeat(999)}a]\nmore: [${'*many, '.repeat(count)}]\n`),
  documents: [
    '',
    '# nothing\n',
    '---\n',
    `---\n${TEXT}`,
    `${TEXT}...\n`,
    `${TEXT}---\n`,
    `${TEXT}---\na: b\n`,
    `${TEXT}--- a: b\n`,
    before('---\n'),
    before('...\n'),
    inPlace('capabilities:', '---\ncapabilities:'),
    `%YAML 1.1\n---\n${TEXT}`,
  ],
  'differences that were pasted': [
    TEXT.split('\n').map((line) => (line === '' ? line : `+${line}`)).join('\n'), // prettier-ignore
    TEXT.replace('    contract_version: 1.0.0\n    side', '-    contract_version: 1.0.0\n+    contract_version: 1.1.0\n    side'), // prettier-ignore
    TEXT.replace('    contract_version: 1.0.0\n    side', '-   contract_version: 1.0.0\n+   contract_version: 1.1.0\n    side'), // prettier-ignore
    before('-    contract_version: 1.0.0\n'),
    before('-    one: 1\n'.repeat(6)),
    before('+    one: 1\n'.repeat(20)),
    before(`${'-    one: 1\n'.repeat(3)}${'+    one: 2\n'.repeat(3)}`),
    before('+    refresh_via: []\n'),
  ],
  characters: [
    ...['\u0000', '\u0007', '\u007F', '\u0085', '\u0090', '\uD800', '\uFFFE', '\uFFFD', '\u2028', '\u061C', '\u200E', '\u200B', '\u202E', '\u2066', '\u00AD', '\uFE0F', '\u{E0041}', '\uFFF9', '\u200D', '\uFEFF'].map(marked), // prettier-ignore
    ...['👩‍🚀', '❤️', '👍🏽‍♀️', '1️⃣', '*️⃣', 'نمی‌خواهم', 'ක්‍ර', 'a\u200Cb', 'a\uFE0F'].map((word) => marked(` ${word}`)), // prettier-ignore
    ...['\\u0007', '\\u007F', '\\u200B', '\\u202E', '\\U000E0041', '\\uD800', '\\n', '\\x1B'].map(escaped),
    `\uFEFF${TEXT}`,
    TEXT.replaceAll('\n', '\r\n'),
    TEXT.replace('\n', '\r\n'),
    TEXT.replaceAll('\n', '\r'),
    `\uFFFD\uFFFDm\0`,
  ],
  'numbers and words': ['.inf', '-.INF', '.nan', '1e999', '9007199254740993', '0x20000000000001', '0o17', '017', '1_000', '0b11', '1:30', '2026-01-01', '2026-1-1 1:02:03', 'yes', 'On', 'Off', 'n', 'Null', '~', 'True', 'FALSE', '-1', '+5', '1.5e3', '.5', '5.', '-0'].flatMap((value) => [inPlace('id: crm', `id: ${value}`), inPlace('description: "Which one."', `description: "Which one.", default: ${value}`)]), // prettier-ignore
  depth: [62, 63, 64, 65, 210].map((depth) => `a: ${'['.repeat(depth)}${']'.repeat(depth)}\n`),
}

it.each(Object.entries(FAULTS))('%s', async (name, texts) => {
  const pages = texts.map((text) => {
    const shown = text.length > 1000 ? '…' : text
    const lines = shown.split('\n')
    const usual = TEXT.split('\n')
    const own = lines.filter((line) => !usual.includes(line)).slice(0, 6)
    return `=== ${own.map((line) => JSON.stringify(line.slice(0, 90))).join(' ')}\n${said(text)}`
  })
  await expect(pages.join('')).toMatchFileSnapshot(`faults-of-text/${name.replaceAll(' ', '-')}.txt`)
})

const LONG = 2 * 1024 * 1024
it.each([
  ['[],{}:\n'.repeat(1000), 0],
  ['[],{}:\n'.padEnd(LONG), 0],
  ['[],{}:\n'.padEnd(LONG + 1), 19],
  ['a'.repeat(LONG + 1), 0],
])('a text %# may hold so many values', (text, most) => {
  expect(mostValues(text)).toBe(most)
})
