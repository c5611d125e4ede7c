export const SECRET_CHARACTERS = { fewest: 32, different: 8 } as const

/**
 * Holds for a text that may have been made at random: visible ASCII, as a header carries it, long, and of many
 * characters. What protects something by being secret is judged by this, whoever it is shared with.
 */
export const isSecret = (text: string): boolean =>
  text.length >= SECRET_CHARACTERS.fewest &&
  /^[\x20-\x7e]*$/u.test(text) &&
  text.trim() === text &&
  new Set(text.replaceAll(' ', '')).size >= SECRET_CHARACTERS.different
