/** Identities for a service under `svc dev`: one for each role, in a folder that git ignores. */
import { tierScopes } from '../../protocol/approver-scopes.js'
import { createHash, randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../protocol/manifest.js'
import type { Role } from '../../protocol/roles.js'
import type { ApiKey } from '../../runtime/credentials/api-keys.js'
import { keysOf } from '../apikeys/file.js'
import { DEV_FOLDER, makeDevFolder } from '../shared/files/dev-folder.js'
import { replaceFile } from '../shared/files/replace-file.js'
import { serviceSetting } from '../shared/files/service-setting.js'

const API_KEYS = `${DEV_FOLDER}/api-keys.json`

export interface DevIdentity {
  readonly name: string
  readonly principal: ApiKey['principal']
  readonly scopes: (capabilities: Manifest['capabilities']) => readonly string[]
  readonly roles?: readonly Role[]
  /** Command to use it with. */
  readonly command: string
}

/** One for each role; the agent works with what the developer delegates to it. */
const IDENTITIES: readonly DevIdentity[] = [
  {
    name: 'developer',
    principal: 'human:developer@localhost',
    scopes: everyScopeOf,
    command: 'svc token issue --scope …',
  },
  { name: 'approver', principal: 'human:approver@localhost', scopes: approverScopes, command: 'svc approvals list' },
  { name: 'auditor', principal: 'human:auditor@localhost', scopes: () => [], roles: ['auditor'], command: 'svc audit tail' }, // prettier-ignore
  { name: 'operator', principal: 'human:operator@localhost', scopes: () => [], roles: ['operator'], command: 'svc operate tokens' }, // prettier-ignore
]

/** As many approvers as a capability asks for, and one for each other role. */
export function identitiesFor(capabilities: Manifest['capabilities']): readonly DevIdentity[] {
  const most = Math.max(1, ...Object.values(capabilities).map(({ approval }) => approval?.approvers ?? 1))
  return IDENTITIES.flatMap((identity) =>
    identity.name === 'approver' ? Array.from({ length: most }, (_, n) => numbered(identity, n + 1)) : [identity],
  )
}

const numbered = (identity: DevIdentity, n: number): DevIdentity =>
  n === 1 ? identity : { ...identity, name: `${identity.name}${n}`, principal: `human:${identity.name}${n}@localhost` }

/** Every scope that a capability asks for. */
export function everyScopeOf(capabilities: Manifest['capabilities']): readonly string[] {
  return [...new Set(Object.values(capabilities).flatMap(({ minimum_scope }) => minimum_scope))]
}

function approverScopes(capabilities: Manifest['capabilities']): readonly string[] {
  return [...Object.keys(capabilities).map((name) => `approver:${name}`), ...tierScopes(capabilities)]
}

export const keyFileOf = (name: string): string => `${DEV_FOLDER}/${name}.key`

/** The key of an identity. */
export const devKeyOf = (root: string, name: string): string => readFileSync(join(root, keyFileOf(name)), 'utf8').trim()

/**
 * Makes the identities for the capabilities as they are now, beside the keys that the service has, and gives the
 * environment in which it reads them. Undefined for a service without a file of API keys: its people sign in elsewhere.
 */
export async function makeIdentities(
  root: string,
  capabilities: Manifest['capabilities'],
): Promise<{ readonly SVC_API_KEYS: string } | undefined> {
  const own = join(root, ownFileOf(root))
  if (!existsSync(own)) return undefined
  makeDevFolder(root)
  await replaceFile(join(root, DEV_FOLDER, '.gitignore'), '*\n')
  const made = await Promise.all(identitiesFor(capabilities).map((identity) => entryFor(root, identity, capabilities)))
  const ids = new Set(made.map(({ id }) => id))
  const keys = [...(await keysOf(own)).filter(({ id }) => !ids.has(id)), ...made]
  await replaceFile(join(root, API_KEYS), `${JSON.stringify(keys, undefined, 2)}\n`, 0o600)
  return { SVC_API_KEYS: API_KEYS }
}

const ownFileOf = (root: string): string => serviceSetting(root, 'SVC_API_KEYS') ?? 'api-keys.json'

async function entryFor(
  root: string,
  { name, principal, scopes, roles }: DevIdentity,
  capabilities: Manifest['capabilities'],
): Promise<ApiKey> {
  const file = join(root, keyFileOf(name))
  if (!existsSync(file)) await replaceFile(file, `svc_${randomBytes(24).toString('base64url')}\n`, 0o600)
  const sha256 = createHash('sha256').update(devKeyOf(root, name)).digest('hex')
  return {
    id: `dev-${name}`,
    principal,
    sha256,
    scopes: scopes(capabilities),
    ...(roles && { roles }),
    development: true,
  }
}
