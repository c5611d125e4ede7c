/** Lifetimes of a session (decisions, section 13), in ms. */
const MINUTE = 60_000

export const LIFETIME_MS = 12 * 60 * MINUTE
export const IDLE_MS = 30 * MINUTE
/** A use is not written again within this time. */
export const TOUCH_MS = MINUTE
/** Time for which the provider's claims entitle a person to decide. */
export const ENTITLED_MS = 15 * MINUTE
/** A sign-in that is under way. */
export const SIGN_IN_MS = 10 * MINUTE
