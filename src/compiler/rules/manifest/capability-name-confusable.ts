import { ownerOf } from '../../shape/view.js'
import type { Rule } from '../rule.js'

const letters = (name: string): string => name.replaceAll('.', '').replaceAll('_', '')

export const capabilityNameConfusable = {
  code: 'SVC1006',
  slug: 'capability-name-confusable',
  severity: 'warning',
  source: 'D',
  section: '2.3',
  description: 'Two capability names differ in more than punctuation.',
  why: 'Both would become one identifier in generated code.',
  ofManifest({ capabilities }, report) {
    const first = new Map<string, string>()
    for (const [name, capability] of capabilities) {
      const twin = first.get(letters(name))
      if (twin === undefined) first.set(letters(name), name)
      else
        report(ownerOf(capability), `\`${name}\` and \`${twin}\` differ only in punctuation; rename one.`, {
          related: [{ spot: ownerOf(capabilities.get(twin)!), message: `\`${twin}\` is declared here.` }],
        })
    }
  },
} satisfies Rule
