import { at } from '../../shape/view.js'
import type { Rule } from '../rule.js'

export const contractVersionZero = {
  code: 'SVC1308',
  slug: 'contract-version-zero',
  severity: 'info',
  source: 'L',
  section: '9.2',
  description: 'A contract does not start at 0.0.0.',
  ofCapability({ capability }, report) {
    if (capability.contract_version !== '0.0.0') return
    report(at(capability, 'contract_version'), '0.0.0 is a placeholder. Start at 0.1.0 or 1.0.0.')
  },
} satisfies Rule
