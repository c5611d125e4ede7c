import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { RulesOfField } from '../../compiler/report/fields/field-page.js'
import type { RuleFacts } from '../../compiler/rules/rule.js'
import { packageRoot } from '../shared/files/package-root.js'

let codes: { readonly [field: string]: readonly string[] } | undefined

/** The rules that judge each field, as the package has them: found when the reference was made. */
export const rulesOfFields =
  (ruleOf: (code: string) => RuleFacts): RulesOfField =>
  (block, field) => {
    codes ??= JSON.parse(readFileSync(join(packageRoot(), 'schemas', 'field-rules.json'), 'utf8')) as typeof codes
    return (codes![`${block}.${field}`] ?? []).map(ruleOf)
  }
