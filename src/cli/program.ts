import { Command, CommanderError } from 'commander'
import { EXIT, type ExitCode } from './shared/errors/cli-error.js'
import { mindOutput } from './shared/output/output-errors.js'
import { packageVersion } from './shared/files/package-root.js'
import { printError } from './shared/output/print.js'
import { reportError } from './shared/output/report-error.js'

/** Adds one command to the program. */
export type Register = (program: Command) => void

/** Commands of a program, and the texts around them. */
export interface CommandLine {
  readonly description: string
  readonly commands: readonly Register[]
  readonly examples: string
}

/** Runs a command and gives the exit code: 0 done, 1 findings, 2 usage, configuration or input, 3 internal. */
export async function runCommand(line: CommandLine, argv: readonly string[]): Promise<ExitCode> {
  process.exitCode = EXIT.ok
  mindOutput()
  try {
    await program(line).parseAsync([...argv])
    return process.exitCode as ExitCode
  } catch (error) {
    return explain(error)
  }
}

function program({ description, commands, examples }: CommandLine): Command {
  const svc = new Command('svc')
    .description(description)
    .version(packageVersion(), '-V, --version', 'print the version')
    .showHelpAfterError('Run the command with --help to see its options and examples.')
    .showSuggestionAfterError()
    .configureOutput({
      writeErr: printError,
      outputError: (text, write) => write(text.replace('error: unknown option', 'error: SVC0003 unknown-option:')),
    })
    .configureHelp({ sortSubcommands: false, showGlobalOptions: false })
    .addHelpText('after', `\nExamples:\n${examples}\nExit codes: ${EXIT_CODES}\n`)
  for (const register of commands) register(svc)
  svc.helpCommand(true)
  for (const command of [svc, ...everyCommand(svc)]) command.exitOverride()
  return svc
}

const EXIT_CODES = '0 done, 1 findings, 2 usage, configuration or input, 3 internal error, 4 approval needed.'

const everyCommand = (parent: Command): readonly Command[] =>
  parent.commands.flatMap((command) => [command, ...everyCommand(command)])

const explain = (error: unknown): ExitCode =>
  error instanceof CommanderError ? (error.exitCode === 0 ? EXIT.ok : EXIT.usage) : reportError(error)
