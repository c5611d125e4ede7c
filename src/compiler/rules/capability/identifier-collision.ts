import { ownerOf } from '../../shape/view.js'
import { typeNameOf } from '../../names.js'
import type { Rule } from '../rule.js'

export const identifierCollision = {
  code: 'SVC2011',
  slug: 'identifier-collision',
  severity: 'error',
  source: 'D',
  section: '2.4',
  description: 'Two capabilities do not have the same name in generated code.',
  why: '`a.b` and `a_b` would both be `AB` in TypeScript.',
  whyNot:
    'It compares the names of capabilities after their separators are dropped, and JSON Schema compares no two keys.',
  ofManifest({ capabilities }, report) {
    const first = new Map<string, string>()
    for (const [name, capability] of capabilities) {
      const typeName = typeNameOf(name)
      const earlier = first.get(typeName)
      if (earlier === undefined) first.set(typeName, name)
      else
        report(
          ownerOf(capability),
          `\`${name}\` and \`${earlier}\` would both be \`${typeName}\` in generated code; rename one.`,
          {
            related: [{ span: ownerOf(capabilities.get(earlier)!), message: `\`${earlier}\` is declared here.` }],
          },
        )
    }
  },
} satisfies Rule
