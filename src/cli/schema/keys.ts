import { closed, countSchema, flagSchema, listOf, oneOfSchema, time, version } from '../../compiler/report/closed.js'
import type { JsonObject } from '../../protocol/manifest.js'
import { KEY_ROLES, KEY_STATES, SECRET_ROLES } from '../../protocol/words.js'

const number = (description: string): JsonObject => ({
  description: `${description} 32 bytes, base64url.`,
  type: 'string',
  pattern: '^[A-Za-z0-9_-]{43}$',
})

const kid = number('The key id: the RFC 7638 thumbprint.')
const publicMembers = {
  kty: { const: 'EC' },
  crv: { const: 'P-256' },
  x: number('The x coordinate.'),
  y: number('The y coordinate.'),
  kid,
  use: { const: 'sig' },
  alg: { const: 'ES256' },
} as const

const jwk = closed('The public key (RFC 7517).', publicMembers)
const role = oneOfSchema('Role of the key: what it signs.', KEY_ROLES)

const lastCheckpoint = (description: string): JsonObject =>
  closed(description, {
    sequence: countSchema('Its place among the checkpoints, from 1.'),
    entry_count: countSchema('Number of entries it covers.'),
    merkle_root: { description: 'Its root.', type: 'string', pattern: '^sha256:[0-9a-f]{64}$' },
  })

/** The shape of what `svc keys list --json` prints. */
export const KEYS = closed('The keys of a directory, by role, the newest first; never a private part.', {
  version,
  keys: listOf(
    'The keys.',
    closed(
      'A key.',
      {
        kid,
        role,
        state: oneOfSchema('next is published and does not sign yet, active signs, retired may verify.', KEY_STATES),
        has_private_key: flagSchema('True if the private part is in the directory.'),
        created_at: time('Time of creation.'),
        jwk,
      },
      {
        active_from: time('From when it signs; absent when that is not decided.'),
        retired_from: time('From when it signs no more.'),
        verify_until: time('Until when it verifies once it is retired; absent when without an end.'),
        until_checkpoint: lastCheckpoint('Of an audit key that has leaked: the last checkpoint that counts by it.'),
      },
    ),
  ),
  secrets: listOf(
    'The secret keys, which are published nowhere; their values are never printed.',
    closed(
      'A secret key.',
      {
        kid: { description: 'The key id.', type: 'string' },
        role: oneOfSchema('Role of the secret.', SECRET_ROLES),
        state: oneOfSchema('next is not used yet, active is used, retired may verify.', KEY_STATES),
        created_at: time('Time of creation.'),
      },
      {
        active_from: time('From when it is used; absent when that is not decided.'),
        retired_from: time('From when it is used no more.'),
      },
    ),
  ),
})

const storedMembers = {
  svc_active_from: time('From when it signs.'),
  svc_retired_from: time('From when it signs no more.'),
  svc_verify_until: time('Until when it verifies once it is retired.'),
  svc_until_checkpoint: lastCheckpoint('Of an audit key that has leaked: the last checkpoint that counts by it.'),
} as const

/** The shape of what `svc keys list --jwks` prints, for `svc sign --jwks`, and of `jwks.json`, which has no roles. */
export const JWKS = closed('Public keys (RFC 7517).', {
  keys: listOf(
    'The keys that verify.',
    closed('A public key.', publicMembers, {
      svc_role: role,
      svc_created_at: time('Time of creation.'),
      ...storedMembers,
    }),
  ),
})

/** The shape of what `svc keys generate --print` prints, and of the files of a key directory. */
export const SIGNING_KEY = closed(
  'A key as it is kept: with its private part, unless it is retired. It is a secret.',
  { ...publicMembers, svc_role: role, svc_created_at: time('Time of creation.') },
  {
    d: number('The private part. It is a secret.'),
    ...storedMembers,
  },
)
