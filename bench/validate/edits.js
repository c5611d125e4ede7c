/**
 * One edit of a manifest of 100 and of 1,000 capabilities, checked again as a whole, as the watcher and the language
 * server do. CPU ms, and the ratio to js-yaml with a precompiled schema on the same document, a whole process, in the
 * same rounds.
 */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from '../../dist/compiler/check.js'
import { measure } from '../processes.js'
import { parserLine } from './js-yaml-line.js'
import { manifestOf } from './manifests.js'

const COUNT = Number(process.env.COUNT ?? 1000)
const MIDDLE = COUNT / 2
const NUMBER = `number ${MIDDLE} between`
const NAME = `search_flights_${MIDDLE}:`
const text = manifestOf(COUNT)
const crlf = text.replaceAll('\n', '\r\n')
const ROUNDS = Number(process.env.ROUNDS ?? 25)

/** Kind -> the text after one more edit of that kind. */
const edits = {
  'a letter in a description': (n) => text.replace(NUMBER, `number 500${'x'.repeat(n)} between`),
  'the same in the first capability': (n) => text.replace('number 0 between', `number 0${'x'.repeat(n)} between`),
  'a wrong word': (n) => text.replace('cities', `cities${'x'.repeat(n)}`).replace('type: read', 'type: raed'),
  'another name': (n) => text.replace(NAME, `search_flights_500${'x'.repeat(n)}:`),
  'the head of the manifest': (n) => text.replace('id: flights', `id: flights${'x'.repeat(n)}`),
  'a capability more': (n) =>
    text +
    manifestOf(1)
      .split('capabilities:\n')[1]
      .replace('_0:', `_more_${'x'.repeat(n)}:`),
  'a field given twice': (n) => text.replace(NUMBER, `number${'x'.repeat(n)}\n    description: again`),
  'a capability given twice': (n) => text.replace(NAME, `search_flights_${MIDDLE - 1}: # ${n}`),
  'text of two lines, and escapes': (n) => text.replace(NUMBER, `number\n      500${'x'.repeat(n)} it''s`),
  'text that is not YAML': (n) => text.replace(NUMBER, `number: 500 [${'x'.repeat(n)} between`),
  'a quote that is not closed': (n) => text.replace(NUMBER, `number 500\n    x-a: "${'x'.repeat(n)}`),
  'a word without its colon': (n) => text.replace(NAME, `search_flights_500${'x'.repeat(n)}`),
  'a lost dash': (n) =>
    text.replace(new RegExp(`(${NUMBER}[^]*?)- name: day`, 'u'), (_, before) => `${before}  name: day${'x'.repeat(n)}`),
  'a line that is indented too little': (n) =>
    text.replace(
      new RegExp(`(${NUMBER}[^]*?)  type: flight_offers`, 'u'),
      (_, before) => `${before}type: offers${'x'.repeat(n)}`,
    ),
  'a tab': (n) => text.replace(NUMBER, `number 500\n\t${'x'.repeat(n)}`),
  'what is not YAML in the head': (n) => text.replace('id: flights', `id: [flights${'x'.repeat(n)}`),
  'two places that are not YAML': (n) =>
    text
      .replace(`number ${COUNT / 10} between`, 'number: 100')
      .replace(`number ${(COUNT * 9) / 10} between`, `number: 900 ${'x'.repeat(n)}`),
  'CR LF, a letter': (n) => crlf.replace(NUMBER, `number 500${'x'.repeat(n)} between`),
  'CR LF, text that is not YAML': (n) => crlf.replace(NUMBER, `number: 500 [${'x'.repeat(n)} between`),
}
const cpuTime = () => {
  const { user, system } = process.cpuUsage()
  return (user + system) / 1000
}

const folder = mkdtempSync(join(import.meta.dirname, '.made-'))
const file = join(folder, '1000.yaml')
writeFileSync(file, text)
const line = [...parserLine(folder, 'js-yaml', 'load'), file]

for (let n = 0; n < 10; n++) check([{ file: 'svc.yaml', text: `${text}# ${n}\n` }], { now: 0 })
const lines = []
const times = Object.fromEntries(Object.keys(edits).map((edit) => [edit, []]))
for (let n = 0; n < ROUNDS; n++) {
  lines.push(measure(line).cpu)
  for (const [edit, after] of Object.entries(edits)) {
    const source = { file: 'svc.yaml', text: after(n) }
    const began = cpuTime()
    check([source], { now: 0 })
    times[edit].push(cpuTime() - began)
  }
}
rmSync(folder, { recursive: true })
const sorted = (numbers) => numbers.toSorted((one, other) => one - other)
const median = (numbers) => sorted(numbers)[numbers.length >> 1]
console.log(`js-yaml and a precompiled schema on the same document: ${Math.round(median(lines))} ms`)
console.table(
  Object.entries(times).map(([edit, all]) => ({
    edit,
    'CPU ms': Math.round(median(all)),
    min: Math.round(Math.min(...all)),
    max: Math.round(Math.max(...all)),
    'times js-yaml': Number(median(all.map((cpu, round) => cpu / lines[round])).toFixed(3)),
  })),
)
