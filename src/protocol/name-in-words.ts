/** A name as a label: `quote_id` is `Quote id`. */
export function nameInWords(name: string): string {
  const words = name.replaceAll(/[._-]+/gu, ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}
