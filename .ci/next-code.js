import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

const RULES = 'src/compiler/rules'
/** Codes of rules that are not checked, and why: they stay with them. */
const LEFT_OUT = 'docs/decisions/rules-left-out.md'

/** The codes that rules have, or had. */
const taken = () => {
  const files = readdirSync(RULES, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'))
  const texts = [LEFT_OUT, ...files.map((file) => join(RULES, file))].map((file) => readFileSync(file, 'utf8'))
  return new Set(texts.flatMap((text) => text.match(/SVC\d{4}/gu) ?? []))
}

const [series = ''] = process.argv.slice(2)
if (!/^\d{2}$/u.test(series)) {
  console.error(
    'usage: npm run next-code 25\n25 are the first two digits of the codes of a section; `svc rules` lists them.',
  )
  process.exit(2)
}
const codes = taken()
const free = Array.from({ length: 99 }, (_, index) => `SVC${series}${String(index + 1).padStart(2, '0')}`).filter(
  (code) => !codes.has(code),
)
// After the last that is taken: a gap may have been a rule of an earlier version.
const last =
  [...codes]
    .filter((code) => code.startsWith(`SVC${series}`))
    .toSorted()
    .at(-1) ?? ''
const next = free.find((code) => code > last)
if (next === undefined) {
  console.error(`No code is free after ${last}.`)
  process.exit(1)
}
console.log(next)
