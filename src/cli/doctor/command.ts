import { resolve } from 'node:path'
import type { Command } from 'commander'
import type { ExitCode } from '../shared/errors/cli-error.js'
import { manifestKidOption } from '../verify/origin-options.js'

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
    .option('--dist <folder>', 'check only that the files of a build are those that were signed')
    .addOption(manifestKidOption())
    .option('--production', 'check what a service needs before strangers call it, too, in its environment', false)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: DoctorOptions) => {
      process.exitCode = await run(folder, options)
    })
}

interface DoctorOptions {
  readonly production: boolean
  readonly dist?: string
  readonly manifestKid?: readonly string[]
}

async function run(folder: string, { production, dist, manifestKid = [] }: DoctorOptions): Promise<ExitCode> {
  const { examine, examineForProduction } = await import('./run.js')
  if (dist === undefined) return (production ? examineForProduction : examine)(resolve(folder))
  return examine(dist, (await import('./dist.js')).distExaminations(manifestKid))
}

const EXAMPLES = `
Examples:
  svc doctor          of this folder
  svc doctor ../shop  of another one
  svc doctor --production
  svc doctor --dist dist --manifest-kid KID  of a build, wherever it was copied to

Exit codes: 0 nothing is wrong, 1 something is, 2 usage, 3 internal error.
`
