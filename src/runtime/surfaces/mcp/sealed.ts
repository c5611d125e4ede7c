import { createRequestStateCodec, type RequestStateCodec } from '@modelcontextprotocol/server'
import { decodeBase64url } from '../../../crypto/json/base64url.js'

/** Values as the SDK seals them, each in one spelling: the SDK reads stray bits at the end of a seal, too. */
export function sealedUnder<Value>(key: Uint8Array, ttlSeconds: number): RequestStateCodec<Value> {
  const { mint, verify } = createRequestStateCodec<Value>({ key, ttlSeconds })
  const isOneSpelling = ([, ...parts]: readonly string[]): boolean =>
    parts.every((part) => decodeBase64url(part) !== undefined)
  return {
    mint,
    verify: async (state, context) => {
      if (!isOneSpelling(state.split('.'))) throw new Error('malformed')
      return verify(state, context)
    },
  }
}
