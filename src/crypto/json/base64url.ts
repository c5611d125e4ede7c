/** Base64url without padding (RFC 4648, section 5). */
export const encodeBase64url = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url')

/**
 * The bytes, or undefined unless the text is the one and only spelling of them: no padding, no stray bits, no other
 * alphabet.
 */
export function decodeBase64url(text: string): Uint8Array | undefined {
  return bytesOf(text, 'base64url')
}

/** The bytes of base64, or undefined unless the text is the one and only spelling of them: padded, no line ends. */
export const decodeBase64 = (text: string): Uint8Array | undefined => bytesOf(text, 'base64')

function bytesOf(text: string, alphabet: 'base64' | 'base64url'): Uint8Array | undefined {
  const bytes = Buffer.from(text, alphabet)
  return bytes.toString(alphabet) === text ? bytes : undefined
}
