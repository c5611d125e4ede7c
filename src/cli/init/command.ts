import type { Command } from 'commander'
import type { InitOptions } from './answers.js'

/** `svc init`: scaffolds a service. */
export function registerInit(program: Command): void {
  program
    .command('init')
    .summary('create a service from a template')
    .description(
      'Create a service that runs: manifest, handlers, start-up, tests, a CI workflow, development keys and ' +
        'credentials.',
    )
    .argument('[dir]', 'the folder to create; without a terminal, this folder')
    .option('-y, --yes', 'do not ask; use defaults for everything else', false)
    .option('--name <name>', 'the id of the service (default: the name of the folder)')
    .option('--template <template>', 'minimal, travel, or a folder of your own')
    .option('--storage <storage>', 'where the service stores its data: sqlite (default) or postgres')
    .option('--sign-in <how>', 'how callers sign in: api-keys (default) or oidc')
    .option('--mcp', 'add the surface for MCP clients: Claude Code, Cursor, the Inspector')
    .option(
      '--deploy <with>',
      'add what it runs in: docker, kubernetes, systemd, monitoring; also to a service that exists',
    )
    .option('--no-tests', 'leave out the tests and their runner')
    .option(
      '--svc-kit <spec>',
      'the version of svc-kit that the service depends on (default: as this one was installed)',
    )
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string | undefined, options: InitOptions) => {
      const [{ init }, { resolve }] = await Promise.all([import('./run.js'), import('node:path')])
      process.exitCode = await init(folder === undefined ? undefined : resolve(folder), options)
    })
}

const EXAMPLES = `
Examples:
  svc init                               ask for the name, and make a folder of that name
  svc init shop                          ask for name, template, storage, sign-in and tests
  svc init shop --yes                    ask nothing
  svc init trips --yes --template travel
  svc init shop --yes --mcp
  svc init shop --yes --storage postgres --sign-in oidc
  svc init shop --yes --storage postgres --deploy docker,kubernetes,monitoring
  svc init --deploy systemd              add to the service in this folder
  svc init shop --yes --template ./ours  a folder with svc.yaml.tmpl, main.ts.tmpl and src/

Exit codes: 0 done, 2 usage or a file that is there already, 3 internal error.
`
