import { autocompleteMultiselect, cancel, isCancel, text } from '@clack/prompts'
import { clashingNames, nameWithin, type CapabilityNames } from '../../compiler/openapi/names-of-operations.js'
import { methodAndPath, type ApiOperation } from '../../compiler/openapi/operations.js'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { printable } from '../shared/output/printable.js'
import { isCapabilityName } from './options.js'

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

/** Lets a person name each operation whose name another one has. */
export async function askForNames(
  operations: readonly ApiOperation[],
  given: CapabilityNames,
): Promise<CapabilityNames> {
  const names = new Map(given)
  for (;;) {
    const [operation] = clashingNames(operations, names).keys()
    if (operation === undefined) return names
    const taken = nameWithin(operation, names)
    const message = `Another operation is called ${taken}, too. What is ${printable(methodAndPath(operation))} called?`
    const validate = (name: string | undefined) =>
      isCapabilityName(name ?? '') ? undefined : 'A small letter, then at most 63 small letters, digits and _.'
    names.set(methodAndPath(operation), answered(await text({ message, placeholder: `${taken}_2`, validate })))
  }
}

/** An answer, or the end of the command. */
export function answered<Answer>(answer: Answer): Exclude<Answer, symbol> {
  if (!isCancel(answer)) return answer as Exclude<Answer, symbol>
  cancel('Nothing was written.')
  throw new CliError('Stopped.', EXIT.findings)
}
