import { maySecretsHide, secretIn } from '../facts/secrets.js'
import type { YamlNode } from '../../parse/tree.js'
import type { Rule } from '../rule.js'

export const secretKnownFormat = {
  code: 'SVC5003',
  slug: 'secret-known-format',
  severity: 'error',
  source: 'D',
  section: '2.6 r3',
  description: 'No text holds what is known to be a credential.',
  whyNot: 'It looks at every text of the file, keys and comments too, and JSON Schema sees the values of known fields.',
  secret: true,
  ofManifest(context, report) {
    const visit = (node: YamlNode): void => {
      if (node.kind === 'list') return node.items.forEach(visit)
      if (node.kind === 'map') {
        node.keys.forEach(visit)
        return node.values.forEach(visit)
      }
      const secret = typeof node.value === 'string' ? secretIn(node.value) : undefined
      if (secret !== undefined)
        report(node, `The text looks like ${secret}; remove it, and replace it where it was valid.`)
    }
    for (const root of context.roots) if (maySecretsHide(context.fileOf(root))) visit(root)
  },
} satisfies Rule
