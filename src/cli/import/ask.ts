import { autocompleteMultiselect, cancel, isCancel } from '@clack/prompts'
import type { ApiOperation } from '../../compiler/openapi/operations.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'

/** Lets a person choose among the operations; typing narrows them. */
export async function askForOperations(operations: readonly ApiOperation[]): Promise<readonly ApiOperation[]> {
  const options = operations.map((each, value) => ({
    value,
    label: printable(each.id),
    hint: printable(`${each.method.toUpperCase()} ${each.path}`),
  }))
  const message = 'Which operations become capabilities? Type to search, Tab to choose.'
  const chosen = answered(await autocompleteMultiselect({ message, options, required: true, maxItems: 12 }))
  return chosen.map((index) => operations[index]!)
}

/** An answer, or the end of the command. */
export function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (!isCancel(answer)) return answer as Exclude<Answer, symbol>
  cancel('Nothing was written.')
  throw new CliError('Stopped.', EXIT.findings)
}
