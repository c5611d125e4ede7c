import { createHash, randomBytes } from 'node:crypto'
import { commentLine, settingLine } from '../shared/formats/environment.js'
import type { Answers } from './answers.js'
import type { ScaffoldFile } from './template-files.js'

interface Credential {
  readonly id: string
  readonly variable: string
  readonly principal: string
  readonly scopes: readonly string[]
  readonly note?: string
}

/**
 * Credentials that may request tokens during development. An agent uses the token delegated to it; on its own it may
 * do nothing.
 */
const credentialsOf = (approverScope: string, scopes: readonly string[]): readonly Credential[] => [
  { id: 'developer', variable: 'SVC_DEVELOPER_KEY', principal: 'human:developer@localhost', scopes },
  {
    id: 'approver',
    variable: 'SVC_APPROVER_KEY',
    principal: 'human:approver@localhost',
    scopes: [approverScope],
    note: `, who approves where svc.yaml says: approvals: { approver_scope: ${approverScope} }`,
  },
  { id: 'agent', variable: 'SVC_AGENT_KEY', principal: 'agent:assistant', scopes: [] },
]

/**
 * Files created for each service: development credentials, or the settings of the identity provider. If a manifest
 * asks for no approval yet, its approver scope is named after the service.
 */
export const credentialFiles = (
  { signIn, name }: Answers,
  scopes: readonly string[],
  approverScope = `${name}.approver`,
): readonly ScaffoldFile[] => (signIn === 'oidc' ? [providerFile(name)] : apiKeyFiles(approverScope, scopes))

const providerFile = (name: string): ScaffoldFile => ({
  path: '.env',
  mode: 0o600,
  content: [
    commentLine('The issuer exactly as it writes itself, and this service as it knows it.'),
    settingLine('SVC_OIDC_ISSUER', ''),
    settingLine('SVC_OIDC_AUDIENCE', name),
    commentLine('The console as a client there, so that people can sign in to it.'),
    settingLine('SVC_CONSOLE_CLIENT_ID', ''),
    settingLine('SVC_CONSOLE_CLIENT_SECRET', ''),
  ].join(''),
})

const DEVELOPMENT = [
  commentLine('Credentials for development, made by svc init. Never commit this file.'),
  commentLine('A service knows them only under svc dev, while it listens on this machine, for this machine.'),
].join('')

/** Fresh API keys: `api-keys.json` holds their hashes, `.env` the keys in clear. */
function apiKeyFiles(approverScope: string, needed: readonly string[]): readonly ScaffoldFile[] {
  const made = credentialsOf(approverScope, needed).map((credential) => ({
    ...credential,
    key: `svc_${randomBytes(24).toString('base64url')}`,
  }))
  const entries = made.map(({ id, principal, scopes, key }) => ({
    id,
    principal,
    sha256: hashOf(key),
    scopes,
    development: true,
  }))
  const lines = made.map(
    ({ variable, key, principal, note = '' }) => commentLine(`${principal}${note}`) + settingLine(variable, key),
  )
  return [
    { path: 'api-keys.json', mode: 0o600, content: `${JSON.stringify(entries, undefined, 2)}\n` },
    { path: '.env', mode: 0o600, content: `${DEVELOPMENT}${lines.join('')}` },
  ]
}

const hashOf = (key: string): string => createHash('sha256').update(key).digest('hex')
