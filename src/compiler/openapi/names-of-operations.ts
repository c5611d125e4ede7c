import { typeNameOf } from '../names.js'
import { capabilityNameOf, methodAndPath, type ApiOperation } from './operations.js'

/** Names that a person has given: method and path -> capability. */
export type CapabilityNames = ReadonlyMap<string, string>

/** The name of an operation as a capability: as a person has named it, else by its id. */
export const nameWithin = (operation: ApiOperation, names: CapabilityNames): string =>
  names.get(methodAndPath(operation)) ?? capabilityNameOf(operation)

/** Operations whose name an earlier one has, each with a sentence that says how to rename it. */
export function clashingNames(
  operations: readonly ApiOperation[],
  names: CapabilityNames,
): ReadonlyMap<ApiOperation, string> {
  const first = new Map<string, ApiOperation>()
  const clashes = new Map<ApiOperation, string>()
  for (const operation of operations) {
    const name = nameWithin(operation, names)
    const other = first.get(typeNameOf(name))
    if (other === undefined) first.set(typeNameOf(name), operation)
    else clashes.set(operation, clash(name, other, operation))
  }
  return clashes
}

const clash = (name: string, other: ApiOperation, operation: ApiOperation): string =>
  `${methodAndPath(other)} and ${methodAndPath(operation)} would both be the capability ${name}. Give one another ` +
  `name: --rename ${JSON.stringify(`${methodAndPath(operation)}=${name.slice(0, 60)}_2`)}.`
