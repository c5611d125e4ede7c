import { COMMANDS } from './commands.js'
import { runCommand, type CommandLine } from './program.js'
import type { ExitCode } from './shared/errors/cli-error.js'

/** Runs the command line and gives the exit code: 0 done, 1 findings, 2 usage, configuration or input, 3 internal. */
export const run = (argv: readonly string[]): Promise<ExitCode> => runCommand(SVC, argv)

const SVC: CommandLine = {
  description: 'Let AI agents call your business actions, within limits you declare.',
  commands: COMMANDS,
  examples: `  svc init shop --yes      create a service
  svc validate             find mistakes in svc.yaml
  svc build                generate server, client and documents
  svc sign                 sign the manifest for publication
`,
}
