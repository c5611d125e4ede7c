/** The text of a document in UTF-8 or UTF-16, by its byte order mark or by the zeros beside its first character. */
export const decodedText = (bytes: Uint8Array): string => new TextDecoder(encodingOf(bytes)).decode(bytes)

function encodingOf([first, second]: Uint8Array): 'utf-8' | 'utf-16le' | 'utf-16be' {
  if ((first === 0xfe && second === 0xff) || (first === 0 && second !== 0)) return 'utf-16be'
  return (first === 0xff && second === 0xfe) || (first !== 0 && second === 0) ? 'utf-16le' : 'utf-8'
}
