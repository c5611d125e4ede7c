import type { TemplateValues } from '../../compiler/render-template.js'
import type { Answers } from './answers.js'

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

const DATABASES: { readonly [storage in StorageName]: (name: string) => string } = {
  sqlite: (name) => `data/${name}.db`,
  postgres: (name) => `postgresql://127.0.0.1/${name}`,
}

/** Where the service keeps its data unless it is told otherwise. */
export const databaseOf = ({ storage, name }: Answers): string => DATABASES[storage](name)

/** What templates may speak of: names, and a condition for each choice. */
export const templateValues = (answers: Answers, svcKit: string): TemplateValues => ({
  name: answers.name,
  package: answers.name.replaceAll('.', '-'),
  title: titleOf(answers.name),
  svcKit,
  database: databaseOf(answers),
  postgres: answers.storage === 'postgres',
  oidc: answers.signIn === 'oidc',
  tests: answers.tests,
})

const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._-]+/gu, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
