import { approvalNeed, approvalSentence, costSentence, EFFECT_SENTENCES } from '../../protocol/capability-sentence.js'
import type { Capability, Input, OutputField } from '../../protocol/manifest.js'

/** Sentences on one line; nothing where there are none. */
function line(...sentences: readonly string[]): readonly string[] {
  let said = ''
  for (const sentence of sentences) if (sentence !== '') said = said === '' ? sentence : `${said} ${sentence}`
  return said === '' ? NOTHING : [said]
}

const NOTHING: readonly string[] = []

/** Returns the comment of an input: its description, text format, default and resolution. */
export function inputComment({ description, type, default: value, input_meanings }: Input): readonly string[] {
  const otherwise = value === undefined ? '' : `Default: ${JSON.stringify(value)}.`
  const about = line(ended(description), formatOf(type), otherwise)
  if (input_meanings === undefined) return about
  return [...about, ...input_meanings.map((meaning) => `${JSON.stringify(meaning.value)}: ${meaning.label}`)]
}

export const outputComment = ({ description, type }: OutputField): readonly string[] =>
  line(ended(description), formatOf(type))

const SENTENCE_ENDS = '.!?'

/** A text that more can be said after. */
const ended = (text = ''): string => (text === '' || SENTENCE_ENDS.includes(text.slice(-1)) ? text : `${text}.`)

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object', 'array', 'any'])

const formatOf = (type: string): string => (PLAIN.has(type) ? '' : `Type: ${type}.`)

/** Returns the comment of a capability for callers, on one line if it fits. */
export function capabilityComment({ about }: { readonly about: readonly string[] }): readonly string[] {
  const together = about.map(ended).join(' ')
  return together.length <= ONE_LINE && !together.includes('\n') ? [together] : about
}

/** Describes a capability: its purpose, effect, requirements and cost. */
export const aboutCapability = (capability: Capability): readonly string[] => [
  ...line(capability.description),
  ...line(
    EFFECT_SENTENCES[capability.side_effect.type],
    scopeOf(capability),
    costSentence(capability),
    approvalSentence(approvalNeed(capability)),
  ),
]

/** Columns that a comment of a member has on one line. */
const ONE_LINE = 111

const scopeOf = ({ minimum_scope }: Capability): string =>
  minimum_scope.length === 0 ? 'Needs no scope.' : `Needs ${minimum_scope.join(', ')}.`
