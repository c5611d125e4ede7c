import { printable } from '../shared/output/printable.js'

/** Accounts of people that an imported service acts in. */
export interface ImportedAccounts {
  readonly id: string
  /** Authorization server. */
  readonly server: string
  readonly scopes: readonly string[]
  /** Scopes that it may ask for later. */
  readonly further?: readonly string[]
  /** Holds where the server may take the metadata document of the service, or register it. */
  readonly registersItself: boolean
  readonly capabilities: readonly string[]
}

/** Tells what was written about accounts of people, and what is left to do. */
export function accountsNote({
  id,
  server,
  scopes,
  further = [],
  registersItself,
  capabilities,
}: ImportedAccounts): string {
  const asked = scopes.length === 0 ? 'the scopes that it asks for' : `the scopes ${scopes.join(', ')}`
  const variable = `${id.toUpperCase()}_CONNECTION_CLIENT_ID`
  const client = registersItself
    ? `Without ${variable}, the service is a client by its metadata document, or registers itself there.`
    : `Register the service there, and set ${variable}.`
  return [
    `${id} asks for the consent of each person, at ${server}, with ${asked}. Written as the connection ${id}.`,
    ...(further.length === 0 ? [] : [`  It may ask for more later (furtherScopes): ${further.join(', ')}`]),
    `  In the account of each person: ${capabilities.join(', ')}`,
    `  ${client} Redirect URI: <address of the service>/-/console/connections/callback`,
    '  People connect in the console (/-/console/connections), or with: svc connections connect ' + id,
    '  A service that has no key for it yet: svc keys generate --role connections',
  ]
    .map((line) => `${printable(line)}\n`)
    .join('')
}
