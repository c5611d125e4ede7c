import type { FindingDetails } from '../../finding.js'
import { replace, type Span } from '../../finding.js'
import { formatOf } from '../../shape/formats.js'
import type { CapabilityView } from '../rule.js'
import { mappingsOf, FEATURE, type Mapping } from '../facts/mappings.js'
import { inputsOf } from '../facts/names.js'
import { eachMapping } from '../schema-part.js'
import type { Rule } from '../rule.js'

export const mappingPathSyntax = {
  code: 'SVC4104',
  slug: 'mapping-path-syntax',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A mapping value is a path: $.input.<name> or $.steps.<id>.output.<field>.',
  schema: { composition: eachMapping({ type: 'string', pattern: formatOf('path').pattern.source }) },
  needs: 'composition',
  ofCapability({ capability }, report) {
    for (const mapping of mappingsOf(capability)) {
      const { value, source, span } = mapping
      if (typeof value !== 'string' || source !== undefined || FEATURE.test(value)) continue
      const fixed = formatOf('path').fix?.(value) ?? inputNamed(value, capability)
      if (fixed === undefined) report(span, `\`${value}\` is not a path${otherwise(mapping, value)}.`)
      else report(span, `\`${value}\` is not a path; write \`${fixed}\`.`, editTo(fixed, value, span))
    }
  },
} satisfies Rule

/** A name alone is most likely that of an input. */
const inputNamed = (value: string, capability: CapabilityView): string | undefined =>
  inputsOf(capability)?.has(value) ? `$.input.${value}` : undefined

/** A guess where more is written than another spelling. */
function editTo(fixed: string, value: string, span: Span): FindingDetails {
  const isGuess = value.split('.').length < fixed.split('.').length - (value.startsWith('$') ? 0 : 1)
  return { suggestion: fixed, fix: replace(span, fixed), ...(isGuess ? { isGuess } : {}) }
}

/** Suggests a literal for a value that does not begin like a path. */
function otherwise({ step, target }: Mapping, value: string): string {
  const paths = ' ($.input.<name> or $.steps.<id>.output.<field>)'
  if (step === undefined || value.startsWith('$')) return paths
  return `${paths}; a value that is the same in each call goes under \`x-literals: { ${step}: { ${target}: … } }\``
}
