/** A service that has all that the interface document speaks of, as its author writes it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { check } from '../../../src/compiler/check.js'
import { sha256Hex } from '../../../src/crypto/json/digest.js'
import type { Manifest } from '../../../src/protocol/manifest.js'
import type { ApiKey, HandlerContext } from '../../../src/runtime/index.js'
import { serve, type Running } from '../../../src/runtime/node.js'
import type { Storage } from '../../../src/runtime/storage/contract.js'
import { startFixture } from '../../runtime/fixture/service.js'

export const AUTHORED = readFileSync(join(import.meta.dirname, 'svc.yaml'), 'utf8')

/** Codes of the errors of a manifest, and the manifest where there are none. */
export function checked(text: string): { readonly errors: readonly string[]; readonly manifest: Manifest | undefined } {
  const { diagnostics, manifest } = check([{ file: 'svc.yaml', text }])
  return { errors: diagnostics.filter(({ severity }) => severity === 'error').map(({ code }) => code), manifest }
}

const key = (id: string, rest: Omit<ApiKey, 'id' | 'sha256'>): ApiKey => ({
  id,
  sha256: sha256Hex(`${id}-key`),
  ...rest,
})

const KEYS: readonly ApiKey[] = [
  key('ana', { principal: 'human:ana', scopes: ['letter.read', 'letter.book'], caller_classes: ['partner'] }),
  key('bob', { principal: 'human:bob', scopes: ['approver:book', 'letter.read'] }),
  key('bot', { principal: 'agent:bot', scopes: ['letter.read'] }),
  key('eve', { principal: 'human:eve', scopes: ['letter.read'] }),
]

export async function startLetter(storage?: Storage): Promise<Running> {
  const { manifest } = checked(AUTHORED)
  const { capabilities, ...rest } = manifest!
  const { service } = await startFixture({
    ...(storage && { storage }),
    capabilities,
    manifest: rest,
    apiKeys: KEYS,
    clock: Date.now,
    limits: { clockToleranceSeconds: 0, auditQueriesPerMinute: 30 },
    implementation: {
      resolvers: { things: ({ value }) => (value === 'known' ? { value: 'thing-1' } : { ambiguous: ['a', 'b'] }) },
      actorPolicy: ({ input }) => `policy of ${input}`,
    },
    handlers: {
      quote: async (_: object, { bindings }: HandlerContext) => ({
        quote: await bindings.issue({ type: 'quote', price: { currency: 'EUR', amount: 80 } }),
      }),
      resolve: (seen: object) => ({ seen }),
      book: () => ({ booked: 'b-1' }),
      hasty: () => ({ booked: 'b-2' }),
      reserve: () => ({ room: 'r-1' }),
      buy: () => ({ bought: true }),
      watch: () => ({ room: 'r-1' }),
      ...Object.fromEntries(
        ['cancel', 'guess', 'gift', 'close', 'bound'].map((name) => [name, () => ({ cancelled: true })]),
      ),
    },
  })
  return serve(service, { port: 0 })
}
