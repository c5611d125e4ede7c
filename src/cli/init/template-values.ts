import type { Answers } from './answers.js'
import type { StorageName } from './choices.js'

/** Values of a template: texts to print, choices to test, lists to loop over. */
export interface TemplateValues {
  readonly [name: string]: string | boolean | readonly string[]
}

const DATABASES: { readonly [storage in StorageName]: (name: string) => string } = {
  sqlite: (name) => `data/${name}.db`,
  postgres: (name) => `postgresql://127.0.0.1/${name}`,
}

/** Default database of a service. */
export const defaultDatabaseOf = ({ storage, name }: Answers): string => DATABASES[storage](name)

/** Folder of a project with the packages that it brings along. */
export const VENDOR = 'vendor/'

/** Deployments of a service, and what they need. */
interface Deploying {
  readonly deployments?: readonly string[]
  /** True where packages are installed beside the one file: servers that it starts, code for one platform. */
  readonly packages?: boolean
}

/** The values of a service, by name. */
export const templateValues = (
  answers: Answers,
  svcKit: string,
  { deployments = [], packages = false }: Deploying = {},
): TemplateValues => ({
  name: answers.name,
  package: answers.name.replaceAll('.', '-'),
  title: titleOf(answers.name),
  svcKit,
  vendored: svcKit.startsWith(`file:${VENDOR}`),
  database: defaultDatabaseOf(answers),
  postgres: answers.storage === 'postgres',
  oidc: answers.signIn === 'oidc',
  tests: answers.tests,
  mcp: answers.mcp,
  deployments,
  packages,
})

const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._-]+/gu, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
