import { NODE } from '../../shape/view.js'
import { CAPABILITY } from '../../shape/fields/capability.js'
import type { Rule } from '../rule.js'

const order = (): readonly string[] => Object.keys(CAPABILITY.fields)

export const orderFields = {
  code: 'SVC6109',
  slug: 'order-fields',
  severity: 'info',
  source: 'L',
  section: '2.4',
  description: 'The fields of a capability are in the canonical order.',
  why: '`svc fmt` orders them.',
  role: { isOncePerFile: true },
  ofCapability({ capability, once }, report) {
    const names = once(order)
    const known = capability[NODE].keys.filter((key) => names.includes(String(key.value)))
    const late = known.find(
      (key, index) => index > 0 && names.indexOf(String(key.value)) < names.indexOf(String(known[index - 1]!.value)),
    )
    if (late !== undefined) report(late, `\`${String(late.value)}\` is out of order. Run \`svc fmt\`.`)
  },
} satisfies Rule
