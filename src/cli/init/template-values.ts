import type { TemplateValues } from '../../compiler/render-template.js'
import type { Answers } from './answers.js'
import type { StorageName } from './choices.js'

const DATABASES: { readonly [storage in StorageName]: (name: string) => string } = {
  sqlite: (name) => `data/${name}.db`,
  postgres: (name) => `postgresql://127.0.0.1/${name}`,
}

/** Where the service keeps its data by default. */
export const defaultDatabaseOf = ({ storage, name }: Answers): string => DATABASES[storage](name)

/** What templates may speak of: names, and a condition for each choice. */
export const templateValues = (answers: Answers, svcKit: string): TemplateValues => ({
  name: answers.name,
  package: answers.name.replaceAll('.', '-'),
  title: titleOf(answers.name),
  svcKit,
  database: defaultDatabaseOf(answers),
  postgres: answers.storage === 'postgres',
  oidc: answers.signIn === 'oidc',
  tests: answers.tests,
  mcp: answers.mcp,
})

const titleOf = (name: string): string => {
  const words = name.replaceAll(/[._-]+/gu, ' ')
  return words.slice(0, 1).toUpperCase() + words.slice(1)
}
