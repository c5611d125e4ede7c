import type { Command } from 'commander'
import type { InitOptions } from './init/answers.js'

/** `svc init`: scaffolds a service. */
export function registerInit(program: Command): void {
  program
    .command('init')
    .summary('scaffold a service')
    .description(
      'Make a service that works: manifest, handlers, start-up, tests, a CI workflow, development keys and credentials.',
    )
    .argument('[dir]', 'the folder to make it in; asked for as the name, or this one where nobody can be asked')
    .option('-y, --yes', 'ask nothing; take defaults for what is not given', false)
    .option('--name <name>', 'the id of the service; the folder’s name by default')
    .option('--template <template>', 'minimal, travel, or a folder of your own')
    .option('--storage <storage>', 'where the service keeps its data: sqlite (default) or postgres')
    .option('--sign-in <how>', 'who proves who calls: api-keys (default) or oidc')
    .option('--no-tests', 'without tests and their runner')
    .option('--svc-kit <spec>', 'how the service depends on svc-kit; as this one was installed by default')
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string | undefined, options: InitOptions) => {
      const [{ init }, { resolve }] = await Promise.all([import('./init/run.js'), import('node:path')])
      process.exitCode = await init(folder === undefined ? undefined : resolve(folder), options)
    })
}

const EXAMPLES = `
Examples:
  svc init                               ask for the name, and make a folder of that name
  svc init shop                          ask for name, template, storage, sign-in and tests
  svc init shop --yes                    ask nothing
  svc init trips --yes --template travel
  svc init shop --yes --storage postgres --sign-in oidc
  svc init shop --yes --template ./ours  a folder with svc.yaml.tmpl, main.ts.tmpl and src/

Exit codes: 0 done, 2 usage or a file that is there already, 3 internal error.
`
