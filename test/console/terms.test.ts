/** For how long an approval holds: what is suggested, and what is asked of the service. */
import { expect, it } from 'vitest'
import { draftFor, termsOf } from '../../src/console/app/pages/approvals/terms.js'
import { asks } from './requests.js'

const requestOf = (allowed_grant_types: readonly string[], session_id: string | undefined, expires_in_seconds = 900) =>
  asks('hold', { ...(session_id && { session_id }), grant_policy: { allowed_grant_types, default_grant_type: allowed_grant_types[0], expires_in_seconds, max_uses: 3 } }) // prettier-ignore

it.each([
  [['one_time'], 's', false],
  [['one_time', 'session_bound'], 's', false],
  [['session_bound', 'one_time'], 's', false],
  [['session_bound'], 's', true],
  [['session_bound'], undefined, false],
  [['one_time', 'session_bound'], undefined, false],
])('where %j is allowed, in the session %s, an approval for the session is suggested: %s', (allowed, session, isSession) => {
  expect(draftFor(requestOf(allowed, session))).toMatchObject({ reason: '', isSession, uses: 3, minutes: 15 })
}) // prettier-ignore

it.each([
  [3600, 60, 3600],
  [930, 15, 900],
  [119, 1, 60],
  [60, 1, 60],
  [30, 1, 30],
])('a policy of %i s suggests %i min, and asks for %i s: never for more than it allows', (seconds, minutes, asked) => {
  const request = requestOf(['session_bound'], 's', seconds)
  const draft = draftFor(request)
  expect(draft.minutes).toBe(minutes)
  expect(termsOf(request, draft)).toEqual({ grant_type: 'session_bound', session_id: 's', max_uses: 3, expires_in_seconds: asked }) // prettier-ignore
})

it.each([
  [true, 's', 'session_bound'],
  [false, 's', 'one_time'],
  [true, undefined, 'one_time'],
])('chosen for a session: %s, in the session %s, it is asked for as %s', (isSession, session, grant_type) => {
  const draft = { reason: '', isSession, uses: 2, minutes: 5 }
  expect(termsOf(requestOf(['one_time', 'session_bound'], session), draft).grant_type).toBe(grant_type)
})
