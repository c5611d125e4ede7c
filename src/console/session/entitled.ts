import { isAccount } from '../../protocol/credential.js'
import { refuse } from '../../runtime/errors/refusal.js'
import type { Person } from './person.js'
import { ENTITLED_MS } from './limits.js'

/** Holds while what the provider said of a person is young enough to decide by; a key is read anew all the time. */
export const isFresh = ({ session: { credential, age } }: Person): boolean =>
  !isAccount(credential) || (age >= 0 && age <= ENTITLED_MS)

/** A decision rests on what a person may now, not on what they might this morning (threat N15). */
export function assertFresh(person: Person): void {
  if (!isFresh(person))
    refuse(
      'authentication_required',
      'A decision needs a sign-in of the last 15 minutes. Sign in again; your text stays.',
    )
}
