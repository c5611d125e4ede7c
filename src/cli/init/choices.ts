/** Words that a choice of `svc init` takes, the usual one first, each with what it means to who chooses. */
export const STORAGES = {
  sqlite: 'one process, one file, nothing to install',
  postgres: 'any number of replicas',
} as const

export const SIGN_INS = {
  'api-keys': 'keys that svc init makes',
  oidc: 'tokens of your identity provider (OpenID Connect)',
} as const

export type StorageName = keyof typeof STORAGES
export type SignIn = keyof typeof SIGN_INS
