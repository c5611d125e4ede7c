import { BUSINESS_FAILURE_STATUS, FAILURES, RECOVERY_CLASS_OF, type FailureType } from '../../../protocol/failures.js'
import type { JsonObject } from '../../../protocol/manifest.js'
import { FAILURE_ENVELOPE } from './protocol-schemas.js'

const isInterfaceFailure = (type: string): type is FailureType => Object.hasOwn(FAILURES, type)
const statusOf = (type: string): number => (isInterfaceFailure(type) ? FAILURES[type].status : BUSINESS_FAILURE_STATUS)

/** Collects responses of failures, each set of types once, and names them in the order of their first use. */
export function refusedResponses() {
  const names = new Map<string, string>()
  const components: { [name: string]: JsonObject } = {}

  /** Status -> reference to the response that names the types which may come with it. */
  const responsesFor = (types: readonly string[]): JsonObject => {
    const byStatus = new Map<number, string[]>()
    for (const type of [...new Set(types)].sort())
      byStatus.set(statusOf(type), [...(byStatus.get(statusOf(type)) ?? []), type])
    const sorted = [...byStatus].sort(([a], [b]) => a - b)
    return Object.fromEntries(sorted.map(([status, named]) => [String(status), referenceTo(status, named)]))
  }

  const referenceTo = (status: number, types: readonly string[]): JsonObject => {
    const key = `${status} ${types.join(' ')}`
    const known = names.get(key)
    const name = known ?? nextName(status)
    if (known === undefined) {
      names.set(key, name)
      components[name] = responseOf(types)
    }
    return { $ref: `#/components/responses/${name}` }
  }

  const nextName = (status: number): string => {
    const used = [...names.values()].filter((name) => name.startsWith(`Refused${status}`)).length
    return used === 0 ? `Refused${status}` : `Refused${status}_${used + 1}`
  }

  return { responsesFor, components }
}

const responseOf = (types: readonly string[]): JsonObject => ({
  description: types
    .map((type) =>
      isInterfaceFailure(type) ? `\`${type}\`: ${FAILURES[type].sentence}` : `\`${type}\`: a failure of the business.`,
    )
    .join(' '),
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
