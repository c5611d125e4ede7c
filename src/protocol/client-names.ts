/** Names of capabilities in generated clients: the build and the console's samples use the same. */

/** Words that may not be the name of a constant or an import in a module, or that mean something else there. */
const TAKEN: ReadonlySet<string> = new Set(
  (
    'abstract any arguments as async await boolean break case catch class const constructor continue debugger ' +
    'declare default delete do else enum eval export ' +
    'extends false finally for from function get if implements import in infer instanceof interface is keyof let ' +
    'module namespace never new null number object of ' +
    'package private protected public readonly require return set static string super switch symbol then this ' +
    'throw true try type typeof undefined unique unknown var ' +
    'void while with yield globalThis prototype toString valueOf hasOwnProperty toJSON'
  ).split(' '),
)

const words = (name: string): readonly string[] => name.split(/[._]/u)
const capitalised = (word: string): string => word.slice(0, 1).toUpperCase() + word.slice(1)

/** `pay.charge_card` -> `PayChargeCard`. */
export const typeNameOf = (capability: string): string => words(capability).map(capitalised).join('')

/** `pay.charge_card` -> `payChargeCard`; a word that TypeScript has taken gets a `$`, which no other name can have. */
export function identifierOf(capability: string): string {
  const joined = typeNameOf(capability)
  const name = joined.slice(0, 1).toLowerCase() + joined.slice(1)
  return TAKEN.has(name) ? `${name}$` : name
}

/** Methods of the client itself; a capability of the same name gets a `$`. */
const OF_THE_CLIENT: ReadonlySet<string> = new Set([
  'approvals',
  'audit',
  'baseUrl',
  'checkpoints',
  'delegate',
  'discovery',
  'graph',
  'invoke',
  'manifest',
  'permissions',
  'resume',
  'revoke',
  'streaming',
  'tokens',
])

/** The name of the client's method. */
export const methodNameOf = (identifier: string): string =>
  OF_THE_CLIENT.has(identifier) ? `${identifier}$` : identifier

/** Of the package for TypeScript: `travel` has `travel-client`. */
export const clientPackageOf = (serviceId: string): string => `${serviceId.slice(0, 200)}-client`
