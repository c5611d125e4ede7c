import type { Implementation } from '../definition.js'
import type { RuntimeOptions, ServiceOptions } from '../service.js'

// prettier-ignore
export const RUNTIME_OPTIONS = {
  storage: true, keys: true, apiKeys: true, development: true, authenticate: true, oidc: true, clock: true, uptime: true, log: true, limits: true,
  publishedManifest: true, hosts: true, origins: true, ids: true, checkpointMemory: true, stateDir: true, reloadKeys: true, metrics: true, notify: true, tracing: true,
} as const satisfies { readonly [option in keyof Required<RuntimeOptions>]: true }

// prettier-ignore
export const IMPLEMENTATION_MEMBERS = {
  handlers: true, previews: true, resolvers: true, actorPolicy: true, resolveBinding: true,
} as const satisfies { readonly [member in keyof Required<Implementation>]: true }

/**
 * Names options that nobody would read: a hook under a misspelt name would never be called. The generated
 * `createService` hands its own options (handlers and the hooks that the manifest has use for) on as members of the
 * implementation.
 */
export function unknownOptions({ definition: _, implementation, ...runtime }: ServiceOptions): readonly string[] {
  const known = [
    ...Object.keys(implementation).filter((name) => Object.hasOwn(IMPLEMENTATION_MEMBERS, name)),
    ...Object.keys(RUNTIME_OPTIONS),
  ]
  return [
    ...strangersIn(runtime, RUNTIME_OPTIONS).map((name) => unknown('option', name, known)),
    ...strangersIn(implementation, IMPLEMENTATION_MEMBERS).map((name) =>
      unknown('member of the implementation', name, Object.keys(IMPLEMENTATION_MEMBERS)),
    ),
  ]
}

const strangersIn = (given: object, known: object): readonly string[] =>
  Object.entries(given).flatMap(([name, value]) => (value === undefined || Object.hasOwn(known, name) ? [] : [name]))

const unknown = (what: string, name: string, known: readonly string[]): string =>
  `Unknown ${what} ${JSON.stringify(name)} of createService. Known here: ${known.join(', ')}.`
