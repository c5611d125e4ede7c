/**
 * Commands of operators in the one file of a service: `node dist/server.mjs doctor --production`. The build of svc-kit
 * bundles them into a file, and `svc build` lays it beside the server, which loads it when one of them is asked for.
 */
import { registerApiKeys } from './apikeys/command.js'
import { registerAudit } from './audit/command.js'
import { registerDoctor } from './doctor/command.js'
import { registerKeys } from './keys/command.js'
import { registerMigrate } from './migrate/command.js'
import { runCommand, type CommandLine } from './program.js'
import type { ExitCode } from './shared/errors/cli-error.js'
import { registerSigner } from './signer/command.js'

/** Runs a command of an operator and gives the exit code. */
export const runOperator = (argv: readonly string[]): Promise<ExitCode> => runCommand(OPERATOR, argv)

const OPERATOR: CommandLine = {
  description: 'Run a service: its database, its keys, its trail.',
  commands: [registerDoctor, registerKeys, registerSigner, registerApiKeys, registerMigrate, registerAudit],
  examples: `  node dist/server.mjs migrate status         show the schema of the database
  node dist/server.mjs doctor --production    examine a service before strangers call it
`,
}
