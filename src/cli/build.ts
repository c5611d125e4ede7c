import type { Command } from 'commander'

/** `svc build`: generates the server, the client and the documents. */
export function registerBuild(program: Command): void {
  program
    .command('build')
    .summary('generate the server, the client and the documents')
    .description('Validate svc.yaml, generate code into generated/, bundle main.ts and write the documents into dist/.')
    .argument('[dir]', 'the folder of the service', '.')
    .option('--check', 'write nothing; fail when generated/ is not in step with the manifest', false)
    .option('--force', 'overwrite files that were changed by hand, after keeping a copy of each', false)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: { readonly check: boolean; readonly force: boolean }) => {
      const [{ build }, { resolve }] = await Promise.all([import('./build/run.js'), import('node:path')])
      process.exitCode = await build(resolve(folder), options)
    })
}

const EXAMPLES = `
Examples:
  svc build          generate and bundle the service of this folder
  svc build --check  in CI: fail when somebody forgot to build

Exit codes: 0 done, 1 findings, out of step or changed by hand, 2 usage or input, 3 internal error.
`
