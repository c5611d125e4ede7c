/**
 * The address in a text; undefined if there is none, or if the text holds blanks or control characters, which a URL
 * parser drops or rewrites silently. Use the parsed form from there on: one text is judged and used (threat N27).
 */
export const parsedAddress = (text: string): URL | undefined =>
  /[\s\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/u.test(text) || !URL.canParse(text) ? undefined : new URL(text)
