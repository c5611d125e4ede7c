/** ms since the epoch, by the clock of this browser. */
export const now = (): number => Date.now()
