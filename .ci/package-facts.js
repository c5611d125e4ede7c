/** A rolldown plugin for the file of operators, which runs where this package is not: it holds what others read of it. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'

const facts = () => {
  const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
  return [
    "import { statSync } from 'node:fs'",
    "export const packageRoot = () => { throw new Error('This needs the package svc-kit. Run it as: npx svc') }",
    'export const RUNS_FROM_PACKAGE = false',
    `export const packageVersion = () => ${JSON.stringify(version)}`,
    `export const packageEngines = () => ${JSON.stringify(engines.node)}`,
    'export const packageTime = () => statSync(import.meta.filename).mtimeMs',
  ].join('\n')
}

const judge = () =>
  `import * as judge from ${JSON.stringify(resolve('dist/compiler/judge/compiled.js'))}\nexport const schemaJudge = () => judge`

const INSTEAD = {
  '/dist/cli/shared/files/package-root.js': facts,
  '/dist/cli/validate/schema-judge.js': judge,
}

export const packageFacts = () => ({
  name: 'package-facts',
  load: (id) => Object.entries(INSTEAD).find(([path]) => id.endsWith(path))?.[1]() ?? null,
})
