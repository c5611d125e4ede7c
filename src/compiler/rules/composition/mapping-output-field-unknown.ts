import { keyOf } from '../../shape/view.js'
import { meant, nearest, question } from '../../nearest.js'
import { outputNames, stepsOf } from '../facts/names.js'
import { pathsOf, childOf } from '../facts/mappings.js'
import type { Rule } from '../rule.js'
import { OTHER_CAPABILITY } from '../why-not.js'

export const mappingOutputFieldUnknown = {
  code: 'SVC4109',
  slug: 'mapping-output-field-unknown',
  severity: 'error',
  source: 'D',
  section: '2.8',
  description: "A path reads output fields that the step's capability declares.",
  whyNot: OTHER_CAPABILITY,
  needs: 'composition',
  ofCapability(facts, report) {
    const steps = stepsOf(facts.capability)
    for (const { source, span } of pathsOf(facts.capability)) {
      const step = source?.kind === 'step' ? steps?.get(source.step) : undefined
      const child = childOf(facts, step)
      const fields = child === undefined ? undefined : outputNames(child)
      if (source?.kind !== 'step' || fields === undefined || fields.includes(source.field)) continue
      const near = nearest(source.field, fields)
      const path = near === undefined ? undefined : `$.steps.${source.step}.output.${near}`
      report(span, `\`${step!.capability}\` has no output field \`${source.field}\`.${question(near)}`, {
        ...meant(path),
        related: [{ span: keyOf(child!, 'output'), message: 'Its output is declared here.' }],
      })
    }
  },
} satisfies Rule
