import { at, isAbsent } from '../../shape/view.js'
import { inputsOf, stepsOf } from '../facts/names.js'
import { mappingsOf, childOf } from '../facts/mappings.js'
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
    const parents = inputsOf(facts.capability)
    const steps = stepsOf(facts.capability)
    for (const { step: id, target, source, span } of mappingsOf(facts.capability)) {
      const child = id === undefined ? undefined : childOf(facts, steps?.get(id))
      const to = child === undefined ? undefined : inputsOf(child)?.get(target)
      const from = source?.kind === 'input' ? parents?.get(source.input) : undefined
      if (to === undefined || from?.required !== false || from.default !== undefined || from.resolution !== undefined)
        continue
      if (
        to.required === false ||
        to.default !== undefined ||
        to.resolution !== undefined ||
        !isAbsent(from, 'default')
      )
        continue
      report(
        span,
        `The optional parent input \`${from.name}\` feeds \`${target}\`, which is required and has no default.`,
        { related: [{ span: at(from, 'required'), message: 'It is optional here.' }] },
      )
    }
  },
} satisfies Rule
