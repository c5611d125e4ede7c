import { sha256Hex } from '../../../crypto/json/digest.js'
import type { BusinessFailure } from '../../../protocol/business-failures.js'
import { FAILURES, RECOVERY_CLASS_OF, type FailureType } from '../../../protocol/failures.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { UNREADABLE } from '../../../protocol/unreadable.js'
import { HEADERS_OF_STATUS } from './headers.js'
import { FAILURE_ENVELOPE } from './protocol-schemas.js'

const isInterfaceFailure = (type: string): type is FailureType => Object.hasOwn(FAILURES, type)

/** The types that may come with each status, and the name of the response that says so. */
export interface RefusedResponse {
  readonly status: number
  readonly name: string
  readonly types: readonly string[]
}

/** The responses of some failures. The same types have the same name, wherever they come together. */
export function refusedResponses(
  types: readonly FailureType[],
  declared: readonly BusinessFailure[] = [],
): readonly RefusedResponse[] {
  const byStatus = new Map<number, Set<string>>()
  const may = (status: number, type: string): void =>
    void byStatus.set(status, (byStatus.get(status) ?? new Set()).add(type))
  for (const type of types) may(FAILURES[type].status, type)
  for (const { status, type } of declared) may(status, type)
  for (const [status, { type }] of Object.entries(UNREADABLE)) may(Number(status), type)
  return [...byStatus]
    .sort(([a], [b]) => a - b)
    .map(([status, named]) => ({ status, types: [...named].sort() }))
    .map(({ status, types }) => ({ status, name: nameOf(status, types), types }))
}

const nameOf = (status: number, types: readonly string[]): string =>
  types.length === 1 ? `Refused${status}_${types[0]}` : `Refused${status}_${sha256Hex(types.join(' ')).slice(0, 8)}`

/** Status -> reference to its response. */
export const referencesTo = (responses: readonly RefusedResponse[]): JsonObject =>
  Object.fromEntries(responses.map(({ status, name }) => [String(status), { $ref: `#/components/responses/${name}` }]))

/** Describes a response. */
export const responseOf = ({ status, types }: RefusedResponse): JsonObject => ({
  description: types.map((type) => `\`${type}\`: ${sentenceOf(type, status)}`).join(' '),
  ...(HEADERS_OF_STATUS[status] && { headers: HEADERS_OF_STATUS[status] }),
  content: {
    'application/json': {
      schema: {
        ...FAILURE_ENVELOPE,
        properties: {
          ...FAILURE_ENVELOPE.properties,
          failure: {
            allOf: [
              { $ref: '#/components/schemas/Failure' },
              { type: 'object', properties: { type: { enum: types } } },
            ],
          },
        },
      },
      example: { success: false, failure: failureExample(types[0] ?? 'internal_error') },
    },
  },
})

function sentenceOf(type: string, status: number): string {
  if (!isInterfaceFailure(type)) return 'a failure of the business.'
  const { sentence, status: usual } = FAILURES[type]
  return usual === status ? sentence : (DETAILS.get(status) ?? sentence)
}

const DETAILS: ReadonlyMap<number, string> = new Map(
  Object.entries(UNREADABLE).map(([status, { detail }]) => [Number(status), detail]),
)

function failureExample(type: string): JsonObject {
  const row = isInterfaceFailure(type) ? FAILURES[type] : undefined
  const action = row?.action ?? 'revalidate_state'
  return {
    type,
    detail: row?.sentence ?? 'The business refused.',
    retry: row?.retry ?? false,
    resolution: { action, recovery_class: RECOVERY_CLASS_OF[action] },
  }
}
