import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const deleteNotIrreversible = {
  code: 'SVC6007',
  slug: 'delete-not-irreversible',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'A deletion that is declared reversible can be undone.',
  ofCapability({ name, capability }, report) {
    if (capability.side_effect?.type !== 'write' || !/(?:^|\.)(?:delete|purge|erase|destroy)(?:_|$)/u.test(name)) return
    report(
      at(capability.side_effect, 'type'),
      `\`${name}\` is declared \`write\`, which is reversible: is there an undo?`,
    )
  },
} satisfies Rule
