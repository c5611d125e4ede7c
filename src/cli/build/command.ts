import { resolve } from 'node:path'
import { Option, type Command } from 'commander'
import { EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { printOut } from '../shared/output/print.js'

/** `svc build`: generates the server, the client and the documents. */
export function registerBuild(program: Command): void {
  program
    .command('build')
    .summary('generate server, client and documents')
    .description('Validate svc.yaml, generate code into generated/, bundle main.ts and write the documents into dist/.')
    .argument('[dir]', 'the folder of the service', '.')
    .option('--check', 'write nothing; fail if generated/ is out of date', false)
    .option('--no-bundle', 'skip bundling: write code and documents only')
    .option('--no-types', 'do not check the types of your code')
    .addOption(
      new Option('--json', 'print the changed files as JSON; with --check, those that would change').conflicts('watch'),
    )
    .addOption(
      new Option('--before-start', 'write nothing; fail without dist/server.mjs, warn if it is out of date').conflicts([
        'check',
        'force',
        'json',
        'watch',
      ]),
    )
    .option('--watch', 'build again whenever a file changes', false)
    .option('--force', 'overwrite files that were edited by hand; keep a copy of each', false)
    .addHelpText('after', EXAMPLES)
    .action(async (folder: string, options: Options) => {
      process.exitCode = await run(resolve(folder), options)
    })
}

interface Options {
  readonly check: boolean
  readonly watch: boolean
  readonly bundle: boolean
  readonly types: boolean
  readonly json?: boolean
  readonly force: boolean
  readonly beforeStart?: boolean
}

async function run(root: string, options: Options): Promise<ExitCode> {
  const { check, watch: watches, bundle, types, force, json = false } = options
  if (options.beforeStart === true) return (await import('./before-start.js')).beforeStart(root)
  if (watches) return (await import('./watch.js')).watchAndBuild(root, async () => undefined)
  if (!check && !force && (await isDone(root, json))) return EXIT.ok
  return (await import('./run.js')).build(root, { check, force, bundle, types, json })
}

/** Most builds find that the last one is up to date; they load no compiler. */
async function isDone(root: string, json: boolean): Promise<boolean> {
  const { isDone: isUpToDate } = await import('./unchanged.js')
  if (!(await isUpToDate(root))) return false
  if (json) printOut((await import('./as-json.js')).buildAsJson(false, []))
  return true
}

const EXAMPLES = `
Examples:
  svc build          generate and bundle the service of this folder
  svc build --watch  build at each change
  svc build --check  in CI: fail if generated/ is out of date; a note where dist/ is

Exit codes: 0 done, 1 findings, out of date or edited by hand, 2 usage or input, 3 internal error.
`
