import { mappingsOf, FEATURE } from '../facts/mappings.js'
import { eachMapping, none } from '../schema-part.js'
import type { Rule } from '../rule.js'

export const mappingJsonpathFeature = {
  code: 'SVC4118',
  slug: 'mapping-jsonpath-feature',
  severity: 'error',
  source: 'A',
  section: '2.8',
  description: 'A path has property access only.',
  schema: { composition: eachMapping(none({ type: 'string', pattern: FEATURE.source })) },
  needs: 'composition',
  ofCapability({ capability }, report) {
    for (const { value, span } of mappingsOf(capability))
      if (typeof value === 'string' && FEATURE.test(value))
        report(
          span,
          `\`${value}\` goes deeper than a field; a path is $.input.<name> or $.steps.<id>.output.<field>, ` +
            'without filters, wildcards, indexes or recursion. Give the part an input or an output field of its own' +
            `${wholeOf(value)}.`,
        )
  },
} satisfies Rule

/** The path that leads to the whole value, in which the part is. */
function wholeOf(path: string): string {
  const whole = /^\$\.(?:input\.[a-zA-Z_]\w*|steps\.[a-zA-Z_]\w*\.output\.[a-zA-Z_]\w*)/u.exec(path)?.[0]
  return whole === undefined ? '' : `, or map all of \`${whole}\``
}
