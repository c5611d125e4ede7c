import type { Command } from 'commander'
import { CliError, EXIT } from '../shared/errors/cli-error.js'
import { printOut } from '../shared/output/print.js'

/** `svc fmt`: one order and one layout for manifests. */
export function registerFmt(program: Command): void {
  program
    .command('fmt')
    .summary('format a manifest')
    .description('Order the fields of manifests as the interface document does, in one layout. Comments are kept.')
    .argument('[files...]', 'files, folders or globs; svc.yaml if none is given')
    .option('--check', 'write nothing; exit 1 if a file would change')
    .addHelpText('after', EXAMPLES)
    .action(async (patterns: readonly string[], options: { readonly check?: boolean }) => {
      process.exitCode = (await formatFiles(patterns, options.check === true)) ? EXIT.ok : EXIT.findings
    })
}

/** True if every file is, or now is, as it should be. */
async function formatFiles(patterns: readonly string[], onlyCheck: boolean): Promise<boolean> {
  if (patterns.includes('-')) throw new CliError('Standard input cannot be formatted in place; name a file.')
  const { safe } = await import('../../compiler/report/code-frame.js')
  const { formatManifest } = await import('../../compiler/fix/format.js')
  const { manifestFiles } = await import('../validate/manifest-files.js')
  const { readManifest } = await import('../validate/read-manifest.js')
  const { rewriteFile } = await import('../shared/files/replace-file.js')
  let isClean = true
  for (const file of await manifestFiles(patterns)) {
    const { sources, schemaFiles } = await readManifest(file)
    for (const { file: name, text } of sources) {
      if (schemaFiles?.has(name)) continue
      const formatted = formatManifest(text)
      if (formatted === undefined)
        throw new CliError(`\`${name}\` cannot be formatted until its errors are fixed; run \`svc validate ${name}\`.`)
      if (formatted === text) continue
      if (onlyCheck) isClean = false
      else await rewriteFile(name, formatted)
      printOut(`${onlyCheck ? 'would format' : 'formatted'} ${safe(name)}\n`)
    }
  }
  return isClean
}

const EXAMPLES = `
Examples:
  svc fmt                          format svc.yaml in this folder
  svc fmt 'services/**/svc.yaml'   format several manifests
  svc fmt --check                  in CI: fail if a manifest is not formatted

Exit codes: 0 formatted, 1 a file would change, 2 usage or input, 3 internal error.
`
