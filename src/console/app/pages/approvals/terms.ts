import type { ApprovalRequest } from '../../../../protocol/approval.js'
import { markup } from '../../markup.js'
import { money } from '../../words/money.js'
import { span } from '../../words/time.js'
import type { Terms } from './decide.js'
import type { Draft } from './draft.js'

/** Returns why a request cannot be approved for a session; undefined if it can. */
function whyNoSession({ grant_policy, session_id, capability, step }: ApprovalRequest): string | undefined {
  if (!grant_policy.allowed_grant_types.includes('session_bound'))
    return `The policy of ${step?.capability ?? capability} allows one call per approval.`
  return session_id === undefined ? 'The agent named no session that an approval could hold for.' : undefined
}

const isOnceAllowed = ({ grant_policy }: ApprovalRequest): boolean =>
  grant_policy.allowed_grant_types.includes('one_time')

/** Returns the defaults of a request's policy. */
export const draftFor = (request: ApprovalRequest): Draft => ({
  reason: '',
  isSession: whyNoSession(request) === undefined && !isOnceAllowed(request),
  uses: request.grant_policy.max_uses,
  minutes: Math.max(1, Math.floor(request.grant_policy.expires_in_seconds / 60)),
})

/** The grant that a draft stands for; a minute is the least that can be typed, and a policy may allow less. */
export const termsOf = ({ session_id, grant_policy }: ApprovalRequest, { isSession, uses, minutes }: Draft): Terms =>
  isSession && session_id !== undefined
    ? {
        grant_type: 'session_bound',
        session_id,
        max_uses: uses,
        expires_in_seconds: Math.min(minutes * 60, grant_policy.expires_in_seconds),
      }
    : { grant_type: 'one_time' }

export const termsWords = ({ isSession, uses, minutes }: Draft): string =>
  isSession ? `For this session, ${uses} calls within ${minutes} min` : 'Once, by you'

interface ChoiceProps {
  readonly request: ApprovalRequest
  readonly draft: Draft
  readonly onChange: (draft: Draft) => void
}

/** Once, or for the session with uses and time within the policy. */
export function TermsChoice({ request, draft, onChange }: ChoiceProps) {
  const { grant_policy: policy, checked_cost: cost } = request
  const noSession = whyNoSession(request)
  const most = cost && { currency: cost.currency, amount: cost.amount * draft.uses }
  const minutes = Math.max(1, Math.floor(policy.expires_in_seconds / 60))
  return markup`
    <fieldset>
      <legend>For how long</legend>
      <label class="choice">
        <input
          type="radio"
          name="terms"
          checked=${!draft.isSession}
          disabled=${!isOnceAllowed(request)}
          onChange=${() => onChange({ ...draft, isSession: false })}
        />
        <b>Once</b><span>This call, within ${span(policy.expires_in_seconds * 1000)}</span>
      </label>
      <div class="choice">
        <input
          id="for-session"
          type="radio"
          name="terms"
          checked=${draft.isSession}
          disabled=${noSession !== undefined}
          onChange=${() => onChange({ ...draft, isSession: true })}
        />
        <label for="for-session"><b>For this session</b></label>
        ${
          draft.isSession
            ? markup`
                <div class="fields">
                  <span class="lead-in">The same values again, at most</span>
                  ${whole('calls', draft.uses, policy.max_uses, (uses) => onChange({ ...draft, uses }))}
                  ${whole('min', draft.minutes, minutes, (value) => onChange({ ...draft, minutes: value }))}
                </div>
                <span>
                  ${most && cost && markup`${draft.uses} × ${money(cost)} = <b class="strong">${money(most)} at most</b>. `}
                  The policy allows ${policy.max_uses} calls in ${minutes} min.
                </span>
              `
            : markup`<span>${noSession ?? 'The same values again, as often as you say'}</span>`
        }
      </div>
    </fieldset>
  `
}

const whole = (word: string, value: number, most: number, onChange: (value: number) => void) => markup`
  <label>
    <input
      type="number"
      min="1"
      max=${most}
      value=${value}
      onInput=${({ target }: InputEvent) => {
        const typed = Math.trunc(Number((target as HTMLInputElement).value))
        if (typed >= 1) onChange(Math.min(typed, most))
      }}
    />
    <span>${word}</span>
  </label>
`
