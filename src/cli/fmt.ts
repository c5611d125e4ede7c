import type { Command } from 'commander'
import { CliError, EXIT } from './cli-error.js'

/** `svc fmt`: one order and one layout for manifests. */
export function registerFmt(program: Command): void {
  program
    .command('fmt')
    .summary('order and lay out manifests')
    .description('Put the fields of manifests in the order of the interface document, in one layout. Comments stay.')
    .argument('[files...]', 'files, folders or globs; svc.yaml if none is given')
    .option('--check', 'change nothing; exit 1 if a file would change')
    .action(async (patterns: readonly string[], options: { readonly check?: boolean }) => {
      process.exitCode = (await formatFiles(patterns, options.check === true)) ? EXIT.ok : EXIT.findings
    })
}

/** True if every file is, or now is, as it should be. */
async function formatFiles(patterns: readonly string[], onlyCheck: boolean): Promise<boolean> {
  if (patterns.includes('-')) throw new CliError('Standard input cannot be formatted in place; name a file.')
  const { safe } = await import('../compiler/report/code-frame.js')
  const { formatManifest } = await import('../compiler/fix/format.js')
  const { manifestFiles } = await import('./validate/manifest-files.js')
  const { readManifest } = await import('./validate/read-manifest.js')
  const { rewriteFile } = await import('./replace-file.js')
  let isClean = true
  for (const file of await manifestFiles(patterns))
    for (const { file: name, text } of (await readManifest(file)).sources) {
      const formatted = formatManifest(text)
      if (formatted === undefined)
        throw new CliError(
          `\`${name}\` cannot be formatted before its errors are mended; run \`svc validate ${name}\`.`,
        )
      if (formatted === text) continue
      if (onlyCheck) isClean = false
      else await rewriteFile(name, formatted)
      process.stdout.write(`${onlyCheck ? 'would format' : 'formatted'} ${safe(name)}\n`)
    }
  return isClean
}
