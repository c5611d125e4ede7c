import { typeNameOf } from '../../names.js'
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
  why: 'A person or an agent takes one for the other.',
  ofManifest({ capabilities }, report) {
    const first = new Map<string, string>()
    for (const [name, capability] of capabilities) {
      const twin = first.get(letters(name))
      if (twin === undefined) first.set(letters(name), name)
      else if (typeNameOf(twin) !== typeNameOf(name))
        report(ownerOf(capability), `\`${name}\` and \`${twin}\` differ only in punctuation; rename one.`, {
          related: [{ span: ownerOf(capabilities.get(twin)!), message: `\`${twin}\` is declared here.` }],
        })
    }
  },
} satisfies Rule
