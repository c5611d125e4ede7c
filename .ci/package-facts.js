/** A rolldown plugin for the file of operators, which runs where this package is not: it states what others read of it. */
import { readFileSync } from 'node:fs'

export const packageFacts = () => ({
  name: 'package-facts',
  load(id) {
    if (!id.endsWith('/dist/cli/shared/files/package-root.js')) return null
    const { version, engines } = JSON.parse(readFileSync('package.json', 'utf8'))
    return [
      "import { statSync } from 'node:fs'",
      "export const packageRoot = () => { throw new Error('This needs the package svc-kit. Run it as: npx svc') }",
      'export const RUNS_FROM_PACKAGE = false',
      `export const packageVersion = () => ${JSON.stringify(version)}`,
      `export const packageEngines = () => ${JSON.stringify(engines.node)}`,
      'export const packageTime = () => statSync(import.meta.filename).mtimeMs',
    ].join('\n')
  },
})
