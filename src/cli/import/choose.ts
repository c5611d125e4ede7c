import { nearest } from '../../compiler/nearest.js'
import { capabilityNameOf, methodAndPath, type ApiOperation } from '../../compiler/openapi/operations.js'
import { CliError } from '../shared/errors/cli-error.js'
import type { OpenApiOptions } from './options.js'

/** The operations with one of the tags; all without a tag. */
export function operationsWithTags(
  operations: readonly ApiOperation[],
  tags: readonly string[],
): readonly ApiOperation[] {
  for (const tag of tags) refuseUnknownTag(operations, tag)
  return tags.length === 0 ? operations : operations.filter((each) => each.tags.some((tag) => tags.includes(tag)))
}

/** What a person has chosen, by options or in answer to a prompt; nothing by itself. */
export async function chosenOperations(
  operations: readonly ApiOperation[],
  { operation, tag }: Pick<OpenApiOptions, 'operation' | 'tag'>,
): Promise<readonly ApiOperation[]> {
  const named = operation.map((name) => operationNamed(operations, name))
  const tagged = tag.length === 0 ? [] : operationsWithTags(operations, tag)
  const chosen = operations.filter((each) => named.includes(each) || tagged.includes(each))
  if (chosen.length > 0) return chosen
  if (process.stdin.isTTY === true && process.stdout.isTTY === true && !process.env['CI'])
    return (await import('./ask.js')).askForOperations(operations)
  throw new CliError('Nothing is imported unless it is chosen: --operation <id>, --tag <tag>, or look with --list.')
}

function operationNamed(operations: readonly ApiOperation[], name: string): ApiOperation {
  const exact = operations.find((each) => methodAndPath(each) === name)
  if (exact !== undefined) return exact
  const withId = operations.filter((each) => each.id === name)
  const found = withId.length > 0 ? withId : operations.filter((each) => capabilityNameOf(each) === name)
  if (found.length === 1) return found[0]!
  if (found.length > 1) throw new CliError(severalNamed(name, found))
  const near = nearest(name, operations.map(({ id }) => id)) // prettier-ignore
  throw new CliError(
    `There is no operation ${JSON.stringify(name)}.${near === undefined ? '' : ` Did you mean ${near}?`} See them ` +
      'with --list.',
  )
}

function severalNamed(name: string, found: readonly ApiOperation[]): string {
  const ways = found.slice(0, 5).map((each) => `--operation ${JSON.stringify(methodAndPath(each))}`)
  return `${found.length} operations are named ${JSON.stringify(name)}. Choose one by its method and path: ${ways.join(' or ')}.`
}

function refuseUnknownTag(operations: readonly ApiOperation[], tag: string): void {
  const tags = [...new Set(operations.flatMap((each) => each.tags))]
  if (tags.includes(tag)) return
  throw new CliError(`No operation has the tag ${JSON.stringify(tag)}; there are ${tags.slice(0, 40).join(', ')}.`)
}
