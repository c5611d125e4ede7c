import { Argument, type Command } from 'commander'
import { SHELLS, type Shell } from './scripts.js'
import { printOut } from '../shared/output/print.js'

/** `svc completion`: what a shell offers after `svc`. */
export function registerCompletion(program: Command): void {
  program
    .command('completion')
    .summary('print shell completions')
    .description(
      'Print the script with which a shell completes commands, options, and the names of capabilities, rules and ' +
        'fields. With words, print what may stand in the place of the last one; this is what the script calls.',
    )
    .addArgument(new Argument('<shell>', 'the shell').choices(SHELLS))
    .argument('[words...]', 'the words typed after svc, after --')
    .addHelpText('after', EXAMPLES)
    .action(async (shell: Shell, words: readonly string[]) => {
      const { scriptOf, printed } = await import('./scripts.js')
      if (words.length === 0) return void printOut(scriptOf(shell))
      const { offersFor } = await import('./offers.js')
      printOut(printed(shell, await offersFor(program, words)))
    })
}

const EXAMPLES = `
Examples:
  svc completion bash >> ~/.bashrc
  svc completion zsh > ~/.zfunc/_svc     a folder of $fpath
  svc completion fish > ~/.config/fish/completions/svc.fish
  svc completion bash -- call bo         what may follow: capabilities that begin so

The shell must find svc: install it globally, or put node_modules/.bin into PATH.

Exit codes: 0 printed, 2 usage, 3 internal error.
`
