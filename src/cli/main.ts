import { Command, CommanderError } from 'commander'
import { EXIT, type ExitCode } from './shared/errors/cli-error.js'
import { COMMANDS } from './commands.js'
import { mindOutput } from './shared/output/output-errors.js'
import { packageVersion } from './shared/files/package-root.js'
import { printError } from './shared/output/print.js'
import { reportError } from './shared/output/report-error.js'

/** Runs the command line and gives the exit code: 0 done, 1 findings, 2 usage, configuration or input, 3 internal. */
export async function run(argv: readonly string[]): Promise<ExitCode> {
  process.exitCode = EXIT.ok
  mindOutput()
  try {
    await program().parseAsync([...argv])
    return process.exitCode as ExitCode
  } catch (error) {
    return explain(error)
  }
}

function program(): Command {
  const svc = new Command('svc')
    .description('Let AI agents call your business actions, within limits you declare.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .showHelpAfterError('Run the command with --help to see its options and examples.')
    .showSuggestionAfterError()
    .configureOutput({
      writeErr: printError,
      outputError: (text, write) => write(text.replace('error: unknown option', 'error: SVC0003 unknown-option:')),
    })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText('after', EXAMPLES)
  for (const register of COMMANDS) register(svc)
  svc.helpCommand(true)
  for (const command of [svc, ...everyCommand(svc)]) command.exitOverride()
  return svc
}

const everyCommand = (parent: Command): readonly Command[] =>
  parent.commands.flatMap((command) => [command, ...everyCommand(command)])

const explain = (error: unknown): ExitCode =>
  error instanceof CommanderError ? (error.exitCode === 0 ? EXIT.ok : EXIT.usage) : reportError(error)

const EXAMPLES = `
Examples:
  svc init shop --yes      create a service
  svc validate             find mistakes in svc.yaml
  svc build                generate server, client and documents
  svc sign                 sign the manifest for publication

Exit codes: 0 done, 1 findings, 2 usage, configuration or input, 3 internal error, 4 approval needed.
`
