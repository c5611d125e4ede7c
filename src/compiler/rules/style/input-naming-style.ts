import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const inputNamingStyle = {
  code: 'SVC6107',
  slug: 'input-naming-style',
  severity: 'info',
  source: 'L',
  section: '2.5',
  description: 'Input names are spelt with `_`.',
  ofInput({ input }, report) {
    const { name } = input
    if (name === undefined || !/[a-z][A-Z]/u.test(name)) return
    const fixed = name.replaceAll(/(?<=[a-z0-9])(?=[A-Z])/gu, '_').toLowerCase()
    report(at(input, 'name'), `\`${name}\` mixes cases; the interface spells \`${fixed}\`.`, { suggestion: fixed })
  },
} satisfies Rule
