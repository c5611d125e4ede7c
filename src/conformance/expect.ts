import { isDeepStrictEqual } from 'node:util'
import { FAILURES, RECOVERY_CLASS_OF, type FailureType } from '../protocol/failures.js'
import type { Reply } from './target.js'

/** Finding of a case. Its message is shown in the table. */
export class Deviation extends Error {
  override readonly name = 'Deviation'
}

const shown = (value: unknown): string => (JSON.stringify(value) ?? 'nothing').slice(0, 200)

export function holds(condition: boolean, otherwise: string): asserts condition {
  if (!condition) throw new Deviation(otherwise)
}

export function equal(actual: unknown, expected: unknown, what: string): void {
  holds(isDeepStrictEqual(actual, expected), `${what} is ${shown(actual)}, expected ${shown(expected)}`)
}

export function matches(actual: unknown, pattern: RegExp, what: string): void {
  holds(typeof actual === 'string' && pattern.test(actual), `${what} is ${shown(actual)}, expected ${pattern}`)
}

export function succeeds(reply: Reply): void {
  holds(reply.status === 200, `the status is ${reply.status}, expected 200: ${reply.text.slice(0, 200)}`)
}

/** The reply is a failure of the type: status, retry, and guidance complete (section 7). */
export function fails(reply: Reply, type: FailureType): void {
  const failure = reply.body?.['failure']
  holds(failure !== undefined, `there is no failure body: ${reply.status} ${reply.text.slice(0, 200)}`)
  equal(failure['type'], type, 'failure.type')
  equal(reply.status, FAILURES[type].status, 'the status')
  equal(reply.body['success'], false, 'success')
  matches(failure['detail'], /\S/u, 'failure.detail')
  const action = failure['resolution']?.['action'] as unknown as keyof typeof RECOVERY_CLASS_OF
  // A call that continues by itself is worth repeating while a person decides.
  const mayWait = type === 'approval_required' && action === 'wait_and_retry'
  equal(failure['retry'], mayWait || FAILURES[type].retry, 'failure.retry')
  equal(failure['resolution']?.['recovery_class'], RECOVERY_CLASS_OF[action], `recovery_class of ${action}`)
}

export const TIMESTAMP = /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d+)?(?:Z|[+-]\d{2}:\d{2})$/u
export const DIGEST = /^sha256:[0-9a-f]{64}$/u
export const VERSION = /^\d+\.\d+\.\d+$/u
