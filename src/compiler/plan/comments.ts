import type { Capability, Input, OutputField } from '../../protocol/manifest.js'

const sentence = (...parts: readonly (string | undefined)[]): readonly string[] =>
  parts.flatMap((part) => (part === undefined || part === '' ? [] : [part]))

/** What a reader should know of an input: its description, its kind of text, its default, how it is resolved. */
export const inputComment = (input: Input): readonly string[] =>
  sentence(
    [
      ended(input.description),
      formatOf(input.type),
      input.default === undefined ? undefined : `Default: ${JSON.stringify(input.default)}.`,
    ]
      .filter((part) => part !== undefined)
      .join(' '),
    ...(input.input_meanings ?? []).map(({ value, label }) => `${JSON.stringify(value)}: ${label}`),
  )

export const outputComment = ({ description, type }: OutputField): readonly string[] =>
  sentence([ended(description), formatOf(type)].filter((part) => part !== undefined).join(' '))

/** A text that more can be said after. */
const ended = (text: string | undefined): string | undefined =>
  text === undefined || text === '' || /[.!?]$/u.test(text) ? text : `${text}.`

const PLAIN: ReadonlySet<string> = new Set(['string', 'number', 'boolean', 'object', 'array', 'any'])

const formatOf = (type: string): string | undefined => (PLAIN.has(type) ? undefined : `Type: ${type}.`)

const EFFECTS = {
  read: 'Changes nothing.',
  write: 'Makes a reversible change.',
  transactional: 'Makes a change that can be rolled back for a while.',
  irreversible: 'Makes a permanent change.',
} as const

/** What a caller should know of a capability, as a comment: on one line where it fits. */
export function capabilityComment(capability: Capability): readonly string[] {
  const paragraphs = aboutCapability(capability)
  const line = paragraphs.map(ended).join(' ')
  return line.length <= ONE_LINE && !line.includes('\n') ? [line] : paragraphs
}

/** What it does; what it changes, needs and costs. */
export const aboutCapability = (capability: Capability): readonly string[] =>
  sentence(
    capability.description,
    `${EFFECTS[capability.side_effect.type]} ${scopeOf(capability)}${costOf(capability)}${approvalOf(capability)}`,
  )

/** Columns that a comment of a member has on one line. */
const ONE_LINE = 111

const scopeOf = ({ minimum_scope }: Capability): string =>
  minimum_scope.length === 0 ? 'Needs no scope.' : `Needs ${minimum_scope.join(', ')}.`

function costOf({ cost }: Capability): string {
  if (cost?.financial === undefined) return ''
  const { amount, upper_bound, currency } = cost.financial
  if (cost.certainty === 'fixed' && amount !== undefined) return ` Costs ${amount} ${currency}.`
  if (cost.certainty === 'dynamic' && upper_bound !== undefined) return ` Costs up to ${upper_bound} ${currency}.`
  return ` Costs an estimated amount in ${currency}.`
}

function approvalOf({ approval }: Capability): string {
  if (approval === undefined) return ''
  return approval.required === 'always' ? ' Needs an approval.' : ' May need an approval.'
}
