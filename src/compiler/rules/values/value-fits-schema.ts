import { narrowed, type ValueSchema } from '../../../protocol/value-schema.js'
import { at, itemAt } from '../../shape/view.js'
import { fitsSchema } from '../facts/schemas/fits-schema.js'
import { sharedValues } from '../facts/schemas/places.js'
import { troublesOf } from '../facts/schemas/troubles.js'
import { shownValue } from '../facts/values.js'
import type { Rule } from '../rule.js'

export const valueFitsSchema = {
  code: 'SVC2808',
  slug: 'value-fits-schema',
  severity: 'error',
  source: 'A',
  description: 'A default and each allowed value fit the `x-schema` of their input.',
  whyNot: 'It compares a value with a schema that is itself a value, and JSON Schema compares no two values.',
  needs: 'x-schema',
  ofInput({ input, once }, report) {
    const { type, default: otherwise, allowed_values, 'x-schema': written } = input
    if (type === undefined || once(troublesOf).length > 0) return
    const schema = narrowed(written as unknown as ValueSchema, type)
    const shared = once(sharedValues)
    if (otherwise !== undefined && otherwise !== null && !fitsSchema(otherwise, schema, shared))
      report(at(input, 'default'), `The default ${shownValue(otherwise)} does not fit \`x-schema\`.`)
    for (const [index, value] of (allowed_values ?? []).entries())
      if (!fitsSchema(value, schema, shared))
        report(itemAt(allowed_values!, index), `The allowed value ${shownValue(value)} does not fit \`x-schema\`.`)
  },
} satisfies Rule
