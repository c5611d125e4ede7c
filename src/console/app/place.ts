const CONSOLE = '/-/console'

/** Path of the page when it was loaded; there is no page where its parts are tested. */
const loadedAt = (globalThis as { readonly location?: Location }).location?.pathname ?? ''

/** Path of the service for browsers: what stands before the console's; empty at the root. */
export const BASE = loadedAt.slice(0, Math.max(0, loadedAt.indexOf(CONSOLE)))

/** Everything of the console is below it. */
export const ROOT = BASE + CONSOLE
