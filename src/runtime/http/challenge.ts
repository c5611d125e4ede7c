import { FAILURES, type FailureRow, type FailureType } from '../../protocol/failures.js'

/**
 * Header that tells a refused client how to come, and what is wrong with the credential that it sent: `error` by the
 * type of the failure (RFC 6750, section 3; RFC 9110, section 15.5.2). None if no other credential would help.
 */
export function challengeOf(
  { status, type }: { readonly status: number; readonly type: string },
  authorization: string | null,
  parameters: readonly string[] = [],
): readonly string[] {
  const row: FailureRow | undefined = Object.hasOwn(FAILURES, type) ? FAILURES[type as FailureType] : undefined
  if (status !== 401 && row?.challenge === undefined) return []
  const error = row?.challenge !== undefined && isBearer(authorization) ? [`error="${row.challenge}"`] : []
  return ['www-authenticate', ['Bearer', [...parameters, ...error].join(', ')].join(' ').trim()]
}

/** Tells a credential of ours from nothing and from another scheme, which get no error (RFC 6750, section 3.1). */
const isBearer = (authorization: string | null): boolean => /^Bearer\b/iu.test(authorization ?? '')
