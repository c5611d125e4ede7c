import type { Json } from '../../protocol/manifest.js'
import { pointerSteps, pointerBelow } from './library.js'
import { isJsonObject, noteFault, resolved, textAt, type Description, type ApiPlace } from './references.js'

export const METHODS = ['get', 'head', 'options', 'post', 'put', 'patch', 'delete'] as const
export type Method = (typeof METHODS)[number]

/** One operation of a description. */
export interface ApiOperation {
  readonly id: string
  readonly method: Method
  readonly path: string
  readonly tags: readonly string[]
  readonly summary: string
  readonly at: ApiPlace
  /** Where the parameters of all operations of the path stand. */
  readonly pathItem: ApiPlace
}

export type ApiDialect = 'swagger' | 'openapi'

/** Which version a description is of; undefined, and a finding, for anything else. */
export function dialectOf(description: Description): ApiDialect | undefined {
  const root: ApiPlace = { document: description.root, pointer: '', value: description.root.value }
  if (textAt(root.value, 'swagger') === '2.0') return 'swagger'
  const version = textAt(root.value, 'openapi')
  if (version !== undefined && /^3\.[01](?:\.|$)/u.test(version)) return 'openapi'
  const found = version ?? textAt(root.value, 'swagger')
  return noteFault(
    description,
    found === undefined ? root : { ...root, pointer: version === undefined ? '/swagger' : '/openapi' },
    found === undefined
      ? 'This is no description of an API: it needs `openapi: 3.0.x`, `openapi: 3.1.x` or `swagger: "2.0"`.'
      : `The version ${JSON.stringify(found)} is not read; OpenAPI 3.0 and 3.1 and Swagger 2.0 are.`,
  )
}

/** All operations, in the order of the document. */
export function apiOperationsOf(description: Description): readonly ApiOperation[] {
  const { root } = description
  const paths = isJsonObject(root.value) ? root.value['paths'] : undefined
  if (!isJsonObject(paths))
    return noteFault(description, { document: root, pointer: '', value: root.value }, 'There is no `paths`.') ?? []
  return Object.entries(paths).flatMap(([path, value]) => operationsAt(description, path, value))
}

function operationsAt(description: Description, path: string, value: Json): readonly ApiOperation[] {
  if (path.startsWith('x-')) return []
  const place = { document: description.root, pointer: pointerBelow('/paths', path), value }
  const pathItem = resolved(description, place)
  if (pathItem === undefined) return []
  const item = pathItem.value
  if (!isJsonObject(item)) return noteFault(description, pathItem, `The path ${path} must be an object.`) ?? []
  return METHODS.flatMap((method): readonly ApiOperation[] => {
    const operation = item[method]
    if (operation === undefined) return []
    const at = { ...pathItem, pointer: pointerBelow(pathItem.pointer, method), value: operation }
    if (!isJsonObject(operation)) return noteFault(description, at, `${method} ${path} must be an object.`) ?? []
    const tags = Array.isArray(operation['tags']) ? operation['tags'].filter((tag) => typeof tag === 'string') : []
    const id = textAt(operation, 'operationId') ?? `${method} ${path}`
    return [{ id, method, path, tags, summary: textAt(operation, 'summary') ?? '', at, pathItem }]
  })
}

/** `POST /orders`: what no two operations share, as they may share an `operationId` by mistake. */
export const methodAndPath = ({ method, path }: Pick<ApiOperation, 'method' | 'path'>): string =>
  `${method.toUpperCase()} ${path}`

/** `issues/create-comment` -> `issues_create_comment`. */
export function capabilityNameOf({ id, method, path }: Pick<ApiOperation, 'id' | 'method' | 'path'>): string {
  const named = snakeCase(id)
  const name = named === '' ? snakeCase(`${method} ${path}`) : named
  return /^[a-z]/u.test(name) ? name.slice(0, 100) : `op_${name}`.slice(0, 100)
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
