import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { ClarificationInput } from '../../../protocol/failures.js'
import { isSensitiveName } from '../../../protocol/questions.js'

const LONGEST_CHOICE = 100

/** A form that asks for what a call lacks; undefined where an input must not be asked for in one. */
export function clarificationForm(
  inputs: readonly ClarificationInput[],
  sensitive: readonly string[] = [],
): ElicitRequestFormParams | undefined {
  if (inputs.length === 0 || inputs.some(({ name }) => sensitive.includes(name) || isSensitiveName(name)))
    return undefined
  return {
    message: `The call needs ${inputs.map(({ name }) => name).join(', ')}.`,
    requestedSchema: {
      type: 'object',
      properties: Object.fromEntries(inputs.map((input) => [input.name, fieldOf(input)])),
      required: inputs.map(({ name }) => name),
    },
  }
}

function fieldOf({ description, allowed_values, candidates }: ClarificationInput) {
  const choices = (allowed_values ?? candidates ?? []).filter((each) => typeof each === 'string')
  const about = description === undefined ? {} : { description }
  if (choices.length === 0 || choices.length > LONGEST_CHOICE) return { type: 'string' as const, ...about }
  return { type: 'string' as const, enum: choices, ...about }
}
