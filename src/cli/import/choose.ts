import { nearest } from '../../compiler/nearest.js'
import type { CapabilityNames } from '../../compiler/openapi/names-of-operations.js'
import { capabilityNameOf, methodAndPath, type ApiOperation } from '../../compiler/openapi/operations.js'
import { CliError } from '../shared/errors/cli-error.js'
import { isCapabilityName, type OpenApiOptions } from './options.js'

/** The operations with one of the tags; all without a tag. */
export function operationsWithTags(
  operations: readonly ApiOperation[],
  tags: readonly string[],
): readonly ApiOperation[] {
  for (const tag of tags) refuseUnknownTag(operations, tag)
  return tags.length === 0 ? operations : operations.filter((each) => each.tags.some((tag) => tags.includes(tag)))
}

/** The operations that become capabilities, and the names that a person gave to some. */
export interface ChosenOperations {
  readonly chosen: readonly ApiOperation[]
  readonly names: CapabilityNames
}

type Choosing = Pick<OpenApiOptions, 'operation' | 'tag' | 'all' | 'rename'>

/** Returns the operations that a person chose, by options or in answer to a prompt; refuses if there are none. */
export async function chosenOperations(
  operations: readonly ApiOperation[],
  { operation, tag, all, rename }: Choosing,
): Promise<ChosenOperations> {
  const names = new Map(rename.map((each) => renaming(operations, each)))
  const named = new Set(operation.map((name) => operationNamed(operations, name)))
  const grouped = new Set(all || tag.length > 0 ? operationsWithTags(operations, tag) : [])
  const chosen = operations.filter((each) => named.has(each) || grouped.has(each))
  if (chosen.length > 0) return { chosen, names }
  if (process.stdin.isTTY !== true || process.stdout.isTTY !== true || process.env['CI'])
    throw new CliError(
      'Nothing is imported unless it is chosen: --operation <id>, --tag <tag>, --all, or look with --list.',
    )
  const { askForOperations, askForNames } = await import('./ask.js')
  const answer = await askForOperations(operations)
  return { chosen: answer, names: await askForNames(answer, names) }
}

/** Returns true for an operation that was chosen with others, so that it may be left out. */
export const isOfGroup = (operation: ApiOperation, { all, tag, operation: named }: Choosing): boolean =>
  (all || operation.tags.some((each) => tag.includes(each))) &&
  !named.some((name) => [methodAndPath(operation), operation.id, capabilityNameOf(operation)].includes(name))

/** `POST /orders=order_goods`: an operation, and its name as a capability. */
function renaming(operations: readonly ApiOperation[], text: string): readonly [string, string] {
  const [, old = '', name = ''] = /^(.+)=([^=]*)$/u.exec(text) ?? []
  if (!isCapabilityName(name))
    throw new CliError(
      `--rename ${JSON.stringify(text)} must be <operation>=<name>, where the name is a small letter, then at most 63 ` +
        'small letters, digits and _, such as --rename listOrders=list_orders.',
    )
  return [methodAndPath(operationNamed(operations, old)), name]
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
