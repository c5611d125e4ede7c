/** Commands of operators that a built server carries: `node dist/server.mjs migrate up`. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../shared/files/package-root.js'

/**
 * Code before that of the service: a first argument that is a word names a command of an operator, which ends the
 * process. Nothing of the service runs then, not for a misspelt word either: options are the service's.
 */
export const RUNS_COMMANDS = `if (/^[a-z]/u.test(process.argv[2] ?? '')) {
  const { runOperator } = await import('./operate.mjs')
  process.exitCode = await runOperator(process.argv)
  process.once('beforeExit', () => process.exit())
  await new Promise(() => {})
}
`

/** The file that it loads, as the build of svc-kit made it. */
export const operatorFile = (): string => readFileSync(join(packageRoot(), 'dist/bundle/operate/operate.mjs'), 'utf8')
