import { isMap } from '../../protocol/business-failures.js'
import { FAILURES } from '../../protocol/failures.js'
import type { Capability, Json } from '../../protocol/manifest.js'

const FAILURE_NAME = /^[a-z][a-z0-9]*(?:_[a-z0-9]+)*$/u
const LONGEST_NAME = 64
const MEMBERS = ['status', 'description']

/** Why the failures that a capability declares cannot be used: a clause for each. */
export function wrongFailuresOf({ extensions }: Capability): readonly string[] {
  const declared = extensions?.['x-failures'] ?? {}
  if (!isMap(declared)) return ['what stands is no mapping; write each failure as `name: description` below it']
  return Object.entries(declared).flatMap(([type, given]) => {
    const wrong = wrongName(type) ?? wrongMembers(given)
    return wrong === undefined ? [] : [`${JSON.stringify(type)} ${wrong}`]
  })
}

function wrongName(name: string): string | undefined {
  if (!FAILURE_NAME.test(name) || name.length > LONGEST_NAME)
    return `must be lower-case words joined by _, ${LONGEST_NAME} characters at most`
  return Object.hasOwn(FAILURES, name) ? 'is a failure of the service interface itself' : undefined
}

function wrongMembers(given: Json): string | undefined {
  if (!isMap(given)) return given === null || typeof given === 'string' ? undefined : NO_TEXT
  const { status, description } = given
  const stray = Object.keys(given).find((name) => !MEMBERS.includes(name))
  if (stray !== undefined) return `has a member ${JSON.stringify(stray)}; known are ${MEMBERS.join(' and ')}`
  if (status !== undefined && !isClientError(status)) return 'has a status that is no whole number from 400 to 499'
  return description === undefined || typeof description === 'string' ? undefined : NO_TEXT
}

const NO_TEXT = 'is described by no text; say in quotes when it happens'

const isClientError = (status: Json): boolean =>
  typeof status === 'number' && Number.isInteger(status) && status >= 400 && status <= 499
