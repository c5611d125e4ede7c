import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const deleteNotIrreversible = {
  code: 'SVC6007',
  slug: 'delete-not-irreversible',
  severity: 'info',
  source: 'L',
  section: '2.4',
  law: 'A deletion that is declared reversible can be undone.',
  ofCapability({ name, capability }, tell) {
    if (capability.side_effect?.type !== 'write' || !/(?:^|\.)(?:delete|purge|erase|destroy)(?:_|$)/u.test(name)) return
    tell(
      at(capability.side_effect, 'type'),
      `\`${name}\` is declared \`write\`, which is reversible: is there an undo?`,
    )
  },
} satisfies Rule
