/** Base64url without padding (RFC 4648, section 5). */
export const encodeBase64url = (data: Uint8Array | string): string => Buffer.from(data).toString('base64url')

/**
 * The bytes, or undefined unless the text is the one and only spelling of them: no padding, no stray bits, no other
 * alphabet.
 */
export function decodeBase64url(text: string): Uint8Array | undefined {
  const bytes = Buffer.from(text, 'base64url')
  return bytes.toString('base64url') === text ? bytes : undefined
}
