import { applyFixes } from '../../compiler/fix/apply-fixes.js'
import { secretsIn } from '../../compiler/report/mask.js'
import { lineDiff } from '../../compiler/report/line-diff.js'
import { conceal } from '../../compiler/explain/secrets.js'
import { CliError } from '../shared/errors/cli-error.js'
import { rewriteFile } from '../shared/files/replace-file.js'
import { lintsOf, type ValidateOptions } from './options.js'
import { readManifest } from './read-manifest.js'

/** Standard output belongs to the report where a program reads it. */
const channelOf = ({ format }: ValidateOptions): NodeJS.WriteStream =>
  format === 'text' ? process.stdout : process.stderr

/** Fixes each manifest and its fragments in place, or shows what would change. */
export async function fixFiles(files: readonly string[], options: ValidateOptions): Promise<void> {
  if (files.includes('-')) throw new CliError('Standard input cannot be fixed in place; name a file.')
  for (const file of files) {
    const { sources, includeProblems } = await readManifest(file)
    const secrets = options.fixDryRun ? secretsIn(sources) : []
    const fixed = applyFixes(sources, {
      includeProblems,
      withGuesses: options.unsafeFixes === true,
      ...lintsOf(options),
    })
    for (const [index, { file: name, text }] of fixed.entries()) {
      const before = sources[index]!.text
      if (text === before) continue
      if (options.fixDryRun) channelOf(options).write(lineDiff(name, conceal(before, secrets), conceal(text, secrets)))
      else await rewriteFile(name, text)
    }
  }
}
