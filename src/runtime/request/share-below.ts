/**
 * Returns what a token and all below it may take, `depth` tokens below one that may take `most`: half of what the token
 * above it may, and at least `least`, so that it leaves some to that one, which can end it (threat N30).
 */
export const shareBelow = (most: number, depth: number, least: number): number => Math.max(least, most / 2 ** depth)
