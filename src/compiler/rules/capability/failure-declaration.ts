import { BUSINESS_FAILURES_SCHEMA, wrongFailure } from '../../../protocol/business-failures.js'
import { valueAt } from '../../parse/tree.js'
import { jsonOf } from '../../shape/normalise.js'
import { NODE } from '../../shape/view.js'
import type { Rule } from '../rule.js'
import { members } from '../schema-part.js'

export const failureDeclaration = {
  code: 'SVC2016',
  slug: 'failure-declaration',
  severity: 'error',
  source: 'A',
  section: '4.5',
  description: 'Each of `x-failures` is a name with a text, or with a status from 400 to 499 and a text.',
  why: 'Names become types of generated code, and statuses are answered to callers.',
  schema: { capability: members({ 'x-failures': BUSINESS_FAILURES_SCHEMA }) },
  ofCapability({ capability }, report) {
    const declared = valueAt(capability[NODE], 'x-failures')
    if (declared === undefined || (declared.kind === 'scalar' && declared.value === null)) return
    if (declared.kind !== 'map') {
      report(declared, '`x-failures` is no mapping; write each failure as `name: description` below it.')
      return
    }
    for (const [index, key] of declared.keys.entries()) {
      const type = String(key.value)
      const wrong = wrongFailure(type, jsonOf(declared.values[index]!))
      if (wrong !== undefined) report(key, `The failure \`${type}\` ${wrong}.`)
    }
  },
} satisfies Rule
