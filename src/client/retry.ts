import type { FailureResolution } from '../protocol/failures.js'
import { pause } from './pause.js'
import { TransportError } from './transport.js'

/** Number of retries and their limits. */
export interface RetryOptions {
  /** Repetitions after the first attempt; 2 when absent, 0 for none. */
  readonly retries?: number
}

/** One attempt: its outcome, and how long the service asked to wait (`Retry-After`). */
export interface Attempt<Outcome> {
  readonly outcome: Outcome
  readonly retryAfterMs?: number
}

interface Repeatable {
  readonly success: boolean
  readonly failure?: { readonly type: string; readonly retry: boolean; readonly resolution: FailureResolution }
}

const DEFAULT_RETRIES = 2
const FIRST_MS = 250
const LONGEST_MS = 10_000

/** No caller expects a call to sleep for longer: who is told to wait longer gets that answer. */
const PATIENCE_MS = 60_000

/**
 * Repeats an attempt while the service says that the very same call may succeed after a wait, and after a transport
 * error: what is given here has no second effect. Waits twice as long each time, with full jitter, and never less than the service asked
 * for.
 */
export async function withRetries<Outcome extends Repeatable>(
  attempt: () => Promise<Attempt<Outcome>>,
  { retries = DEFAULT_RETRIES, signal }: RetryOptions & { readonly signal: AbortSignal | undefined },
): Promise<Outcome> {
  for (let left = retries; ; left--) {
    const made = await attempt().catch((error: unknown) => {
      if (left > 0 && mayPass(error)) return { retryAfterMs: error.retryAfterMs }
      throw error
    })
    const { retryAfterMs = 0 } = made
    if ('outcome' in made && (left <= 0 || retryAfterMs > PATIENCE_MS || !isWorthRepeating(made.outcome)))
      return made.outcome
    await pause(Math.max(retryAfterMs, jittered(retries - left)), signal)
  }
}

/**
 * An answer that blames the request stays the same, whoever gave it, and so does a whole one that is none of the
 * interface; one that is busy, late, cut off or missing may not.
 */
const mayPass = (error: unknown): error is TransportError =>
  error instanceof TransportError &&
  (error.status === undefined ||
    (error.status < 300 && wasCutOff(error)) ||
    error.status > 499 ||
    [408, 425, 429].includes(error.status)) &&
  (error.retryAfterMs ?? 0) <= PATIENCE_MS

/** Checks whether the response was cut off. A response that was read to its end and is invalid has no `cause`. */
const wasCutOff = ({ cause }: TransportError): boolean => cause !== undefined && !(cause instanceof SyntaxError)

/** The service says that waiting helps. For a person, who takes long, waits only who asks for that (`resume`). */
const isWorthRepeating = ({ success, failure }: Repeatable): boolean =>
  !success &&
  failure?.retry === true &&
  failure.type !== 'approval_required' &&
  WAITS.includes(failure.resolution.recovery_class) &&
  failure.resolution.action !== 'provide_credentials'

const WAITS: readonly string[] = ['retry_now', 'wait_then_retry']

const jittered = (repetition: number): number => Math.random() * Math.min(LONGEST_MS, FIRST_MS * 2 ** repetition)
