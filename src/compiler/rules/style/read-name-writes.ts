import { at } from '../../shape/view.js'
import { changesSomething } from '../facts/effects.js'
import { saysVerb } from '../facts/verbs.js'
import type { Rule } from '../rule.js'

const READING: ReadonlySet<string> = new Set([
  'get', 'list', 'search', 'find', 'lookup', 'show', 'read', 'fetch', 'describe', 'count',
]) // prettier-ignore

export const readNameWrites = {
  code: 'SVC6005',
  slug: 'read-name-writes',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A capability whose name says that it reads, reads.',
  ofCapability({ name, capability }, report) {
    if (!changesSomething(capability) || !saysVerb(name, READING)) return
    report(
      at(capability.side_effect!, 'type'),
      `\`${name}\` is \`${capability.side_effect!.type}\`, but its name says that it reads.`,
    )
  },
} satisfies Rule
