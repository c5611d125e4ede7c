/** Prints the first screen of `svc dev`: the service's address and the identities to use. */
import { AGENT_TOKEN } from './agent-token.js'
import { keyFileOf, type DevIdentity } from './identities.js'

/** Address that commands call when none is named. */
export const DEFAULT_URL = 'http://127.0.0.1:4100'

export interface Ready {
  readonly url: string
  readonly hasConsole: boolean
  readonly hasIdentities: boolean
  readonly identities: readonly Pick<DevIdentity, 'name' | 'command'>[]
  readonly hasAgent: boolean
  readonly hasHotKeys: boolean
}

export function firstScreen({ url, hasConsole, hasIdentities, identities, hasAgent, hasHotKeys }: Ready): string {
  const at = url === DEFAULT_URL ? '' : `SVC_URL=${url} `
  const agent = hasAgent ? [row('agent', `${at}SVC_TOKEN_FILE=${AGENT_TOKEN} npx svc call …`)] : []
  const people = identities.map(({ name, command }) =>
    row(name, `${at}SVC_TOKEN_FILE=${keyFileOf(name)} npx ${command}`),
  )
  return [
    '',
    row('API', url),
    ...(hasConsole
      ? [row('Console', `${url}/-/console/${hasIdentities ? '  sign in with a key of .svc-dev/' : ''}`)]
      : []),
    ...(hasIdentities
      ? [...agent, ...people]
      : ['  There is no file of API keys: sign in with svc login, or at the console.']),
    ...(hasHotKeys && hasAgent ? [row('Keys', ACTING_KEYS), row('', HOT_KEYS)] : []),
    ...(hasHotKeys && !hasAgent ? [row('Keys', HOT_KEYS)] : []),
    '',
  ].join('\n')
}

/** The keys that act as the identities. */
export const ACTING_KEYS = 's call as the agent, a approve, t audit trail'
/** The other keys. */
export const HOT_KEYS = 'c console, i identities, r restart, q quit'

const row = (name: string, text: string): string => `  ${name.padEnd(10)}${text}`
