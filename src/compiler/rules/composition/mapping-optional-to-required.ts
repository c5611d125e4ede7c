import { at, isAbsent } from '../../shape/view.js'
import { mustBeSupplied } from '../facts/defaults.js'
import { fedInputs } from '../facts/mappings.js'
import type { Rule } from '../rule.js'

export const mappingOptionalToRequired = {
  code: 'SVC4112',
  slug: 'mapping-optional-to-required',
  severity: 'warning',
  source: 'D',
  section: '2.8',
  description: 'A required child input is not fed by an optional parent input that may be absent.',
  needs: 'composition',
  ofCapability(facts, report) {
    for (const { target, span, from, to } of fedInputs(facts)) {
      if (from.required !== false || !mustBeSupplied(to)) continue
      if (!isAbsent(from, 'default') || !isAbsent(from, 'resolution')) continue
      report(
        span,
        `The optional parent input \`${from.name}\` feeds \`${target}\`, which is required and has no default.`,
        { related: [{ span: at(from, 'required'), message: 'It is optional here.' }] },
      )
    }
  },
} satisfies Rule
