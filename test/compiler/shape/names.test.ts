import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { check } from '../../../src/compiler/check.js'

const GOOD = readFileSync('test/rules/capability/input-name-syntax/good.yaml', 'utf8')
const long = 'a'.repeat(129)

it.each([
  ['constructor', '`constructor` is reserved, because every object has a property of that name; choose another.'],
  [long, `\`${long.slice(0, 57)}…\` is not an identifier (letters, digits and \`_\`): it has 129 characters, and 128 are allowed.`],
])('the name %s is refused for what is wrong with it', (name, message) => {
  const text = GOOD.replace('fields: [account]', `fields: [${name}]`)
  expect(check([{ file: 'svc.yaml', text }]).diagnostics.map(({ code, message: said }) => [code, said])).toEqual([['SVC2005', message]])
}) // prettier-ignore
