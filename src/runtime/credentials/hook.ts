import type { Authenticate } from '../definition.js'
import { askedOfHook, type HookBounds } from './identity-hook.js'
import { identityIn } from './identity-in.js'
import type { Bootstrap } from './known.js'

/** The first of several that knows the credential; they are asked in order. */
export const firstOf =
  (all: readonly Bootstrap[]): Bootstrap =>
  async (bearer, client) => {
    for (const ask of all) {
      const identity = await ask(bearer, client)
      if (identity !== undefined) return identity
    }
    return undefined
  }

/** A hook as a bootstrap: awaited, bounded in time, its answer checked. Whatever is wrong with it counts as unknown. */
export const fromHook =
  (hook: Authenticate, bounds: HookBounds): Bootstrap =>
  async (bearer) =>
    identityIn(await askedOfHook('authenticate', () => hook(bearer), bounds))
