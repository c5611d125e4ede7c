/** Checks whether a manifest may include other files. False is certain; true needs a parser. */
export const mayInclude = (text: string): boolean => (text.includes('include') || text.includes('\\')) && hasKey(text)

/**
 * The key as it may be written: plain or quoted, with escapes, or as an alias; before its colon, white space, line ends
 * and comments may stand. Descriptions with the word seldom match; then the manifest is parsed to know.
 */
const hasKey = (text: string): boolean =>
  /(?:include["']?|"[a-z]*\\[^"]*"|(?<![^\s,[\]{}])\*[^\s,[\]{}]+)\s*[:#]/u.test(text)
