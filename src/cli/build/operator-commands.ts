/** Commands of operators that a built server carries: `node dist/server.mjs migrate up`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../shared/files/package-root.js'

const NAMES = ['doctor', 'keys', 'signer', 'apikeys', 'migrate', 'audit']

/** Code before that of the service: a command of an operator ends the process, and nothing of the service runs. */
export const RUNS_COMMANDS = `if (${JSON.stringify(NAMES)}.includes(process.argv[2])) {
  const { runOperator } = await import('./operate.mjs')
  process.exitCode = await runOperator(process.argv)
  process.once('beforeExit', () => process.exit())
  await new Promise(() => {})
}
`

/** The file that it loads, as the build of svc-kit made it. */
export const operatorFile = (): string => readFileSync(join(packageRoot(), 'dist/bundle/operate/operate.mjs'), 'utf8')
