/** How long a session lasts (decisions, section 13). All in ms. */
const MINUTE = 60_000

export const LIFETIME_MS = 12 * 60 * MINUTE
export const IDLE_MS = 30 * MINUTE
/** A use is not written again within this time. */
export const TOUCH_MS = MINUTE
/** What the provider said of a person counts for a decision for so long. */
export const ENTITLED_MS = 15 * MINUTE
/** A sign-in that is under way. */
export const SIGN_IN_MS = 10 * MINUTE
