import { resolve } from 'node:path'
import type { Command } from 'commander'

/** `svc doctor`: what stands in the way of a service on this machine. */
export function registerDoctor(program: Command): void {
  program
    .command('doctor')
    .summary('check this machine and this project')
    .description(
      'Check Node, the packages, the manifest, what was generated from it, keys, credentials and the clock; say how ' +
        'to fix what is wrong. Changes nothing, and asks nobody.',
    )
    .argument('[dir]', 'the folder of the service', '.')
    .option('--production', 'check what a service needs before strangers call it, too, in its environment', false)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, { production }: { readonly production: boolean }) => {
      const { examine, examineForProduction } = await import('./doctor/run.js')
      process.exitCode = await (production ? examineForProduction : examine)(resolve(folder))
    })
}

const EXAMPLES = `
Examples:
  svc doctor          of this folder
  svc doctor ../shop  of another one
  svc doctor --production

Exit codes: 0 nothing is wrong, 1 something is, 2 usage, 3 internal error.
`
