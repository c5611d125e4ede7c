import { RESERVED_KEYS } from '../../protocol/identifiers.js'
import type { Json } from '../../protocol/manifest.js'
import { FAULTS } from './faults.js'
import { pointerSteps, pointerBelow } from './library.js'
import { isJsonObject, memberOf, noteFault, resolved, textAt, type Description, type ApiPlace } from './references.js'

/** Methods that have a member of their own in a path item; `query` is of OpenAPI 3.2. */
export const METHODS = ['get', 'head', 'options', 'query', 'post', 'put', 'patch', 'delete'] as const

/** One operation of a description. */
export interface ApiOperation {
  readonly id: string
  /** In lower case; any token of HTTP, as OpenAPI 3.2 has `additionalOperations`. */
  readonly method: string
  readonly path: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly at: ApiPlace
  /** Place of the parameters that all operations of the path share. */
  readonly pathItem: ApiPlace
}

export type ApiDialect = 'swagger' | 'openapi'

/** Detects the version of a description; undefined, and a finding, for anything else. */
export function dialectOf(description: Description): ApiDialect | undefined {
  const root: ApiPlace = { document: description.root, pointer: '', value: description.root.value }
  if (textAt(root.value, 'swagger') === '2.0') return 'swagger'
  const version = textAt(root.value, 'openapi')
  if (version !== undefined && /^3\.[012](?:\.|$)/u.test(version)) return 'openapi'
  const found = version ?? textAt(root.value, 'swagger')
  return noteFault(
    description,
    found === undefined ? root : { ...root, pointer: version === undefined ? '/swagger' : '/openapi' },
    FAULTS.version.says(
      found === undefined
        ? 'This is no description of an API: it needs `openapi: 3.0.x`, `3.1.x` or `3.2.x`, or `swagger: "2.0"`.'
        : `The version ${JSON.stringify(found)} is not read; OpenAPI 3.0, 3.1 and 3.2 and Swagger 2.0 are.`,
    ),
  )
}

/** All operations, in the order of the document. */
export function apiOperationsOf(description: Description): readonly ApiOperation[] {
  const { root } = description
  const paths = isJsonObject(root.value) ? root.value['paths'] : undefined
  if (!isJsonObject(paths))
    return noteFault(description, { document: root, pointer: '', value: root.value }, FAULTS.noPaths.says()) ?? []
  return Object.entries(paths).flatMap(([path, value]) => operationsAt(description, path, value))
}

function operationsAt(description: Description, path: string, value: Json): readonly ApiOperation[] {
  if (path.startsWith('x-')) return []
  const place = { document: description.root, pointer: pointerBelow('/paths', path), value }
  const pathItem = resolved(description, place)
  if (pathItem === undefined) return []
  const item = pathItem.value
  if (!isJsonObject(item)) return noteFault(description, pathItem, FAULTS.noObject.says(`The path ${path}`)) ?? []
  const known = METHODS.flatMap((method) => operationOf(description, pathItem, path, method))
  const more = memberOf(description, pathItem, 'additionalOperations')
  const others = isJsonObject(more?.value) ? Object.keys(more.value) : []
  return [...known, ...others.flatMap((method) => operationOf(description, pathItem, path, method, more!))]
}

/** Methods that `fetch` refuses. */
const NEVER_SENT = /^(?:trace|connect|track)$/iu

function operationOf(
  description: Description,
  pathItem: ApiPlace,
  path: string,
  method: string,
  holder = pathItem,
): readonly ApiOperation[] {
  const at = memberOf(description, holder, method)
  if (at === undefined) return []
  const operation = at.value
  if (!isJsonObject(operation)) return noteFault(description, at, FAULTS.noObject.says(`${method} ${path}`)) ?? []
  if (!/^[\w!#$%&'*+.^`|~-]{1,40}$/u.test(method) || NEVER_SENT.test(method))
    return noteFault(description, at, FAULTS.method.says(JSON.stringify(method))) ?? []
  const tags = Array.isArray(operation['tags']) ? operation['tags'].filter((tag) => typeof tag === 'string') : []
  const id = textAt(operation, 'operationId') ?? `${method} ${path}`
  return [{ id, method, path, tags, summary: textAt(operation, 'summary') ?? '', at, pathItem }]
}

/** Returns the path that is sent: real documents tell operations apart by a fragment, which no server reads. */
export const pathSent = ({ path }: Pick<ApiOperation, 'path'>): string => path.replace(/[?#].*$/u, '')

/** Returns the query that a path has in some documents, although OpenAPI has parameters for it. */
export const querySent = ({ path }: Pick<ApiOperation, 'path'>): string => /^[^?#]*\?([^#]*)/u.exec(path)?.[1] ?? ''

/** `POST /orders`: what no two operations share, as they may share an `operationId` by mistake. */
export const methodAndPath = ({ method, path }: Pick<ApiOperation, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${path}`

/** `issues/create-comment` -> `issues_create_comment`. */
export function capabilityNameOf({ id, method, path }: Pick<ApiOperation, 'id' | 'method' | 'path'>): string {
  const named = snakeCase(id)
  const name = named === '' ? snakeCase(`${method} ${path}`) : named
  const isName = /^[a-z]/u.test(name) && !RESERVED_KEYS.has(name)
  return (isName ? name : `op_${name}`).slice(0, 100)
}

export const snakeCase = (text: string): string =>
  text
    .normalize('NFKD')
    .replaceAll(/([a-z0-9])([A-Z])/gu, '$1_$2')
    .replaceAll(/([A-Z]+)([A-Z][a-z])/gu, '$1_$2')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/gu, '_')
    .replaceAll(/^_+|_+$/gu, '')

/** The last step of a pointer. */
export const lastStep = (pointer: string): string => pointerSteps(pointer).at(-1) ?? ''
