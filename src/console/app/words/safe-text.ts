/** Texts that somebody else wrote (threat N17): shown as they are, without what would steer the text around them. */

/**
 * Control characters, and what changes the direction or hides: U+00AD, U+061C, U+200B-200F, U+2028-202E, U+2060-206F,
 * U+FEFF, tags.
 */
export const STEERING = /[\p{Cc}\u00AD\u061C\u200B-\u200F\u2028-\u202E\u2060-\u206F\uFEFF\u{E0000}-\u{E007F}\p{Cs}]/gu

const escaped = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16).toUpperCase()}}`

/** The text with what cannot be seen made visible. */
export const safeText = (text: string): string => text.replaceAll(STEERING, escaped)

/** At most so many characters, cut between two of them. */
export function cut(text: string, most: number): string {
  if (text.length <= most) return text
  return `${text.slice(0, most - 1).replace(/[\uD800-\uDBFF]$/u, '')}…`
}

/** One line of somebody else's text. */
export const oneLine = (text: string, most = 200): string => safeText(cut(text, most))
