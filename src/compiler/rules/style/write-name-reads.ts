import { at } from '../../shape/view.js'
import { isReading } from '../facts/effects.js'
import { saysVerb } from '../facts/verbs.js'
import type { Rule } from '../rule.js'

const WRITING: ReadonlySet<string> = new Set([
  'delete', 'remove', 'update', 'create', 'set', 'cancel', 'send', 'transfer', 'pay', 'book', 'insert', 'write', 'purge',
  'revoke',
]) // prettier-ignore

export const writeNameReads = {
  code: 'SVC6006',
  slug: 'write-name-reads',
  severity: 'warning',
  source: 'L',
  section: '2.4',
  description: 'A capability whose name says that it changes something, does.',
  ofCapability({ name, capability }, report) {
    if (!isReading(capability) || !saysVerb(name, WRITING)) return
    report(at(capability.side_effect!, 'type'), `\`${name}\` is \`read\`, but its name says that it changes something.`)
  },
} satisfies Rule
