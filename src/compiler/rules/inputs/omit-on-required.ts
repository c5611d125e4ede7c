import { at, isAbsent } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { says, when } from '../schema-part.js'

export const omitOnRequired = {
  code: 'SVC2407',
  slug: 'omit-on-required',
  severity: 'error',
  source: 'S',
  section: '2.6',
  description: '`on_missing: omit` requires `required: false`.',
  why: 'A value is omitted when that is optional and safe.',
  schema: { input: when(says({ resolution: says({ on_missing: 'omit' }) }), says({ required: { const: false } })) },
  needs: 'resolution',
  ofInput({ input }, report) {
    if (input.resolution?.on_missing !== 'omit' || input.required === false) return
    if (input.required === undefined && !isAbsent(input, 'required')) return
    report(
      at(input.resolution, 'on_missing'),
      `\`on_missing: omit\` needs \`required: false\`; the input \`${input.name}\` is required.`,
    )
  },
} satisfies Rule
