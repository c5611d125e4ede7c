import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import type { Command } from 'commander'
import { CliError } from '../shared/errors/cli-error.js'
import { packageRoot } from '../shared/files/package-root.js'
import { printOut } from '../shared/output/print.js'

/** `svc agent-guide`: how a coding agent works on a service. */
export function registerAgentGuide(program: Command): void {
  program
    .command('agent-guide')
    .summary('print instructions for coding agents')
    .description(
      'Print what a coding agent should know to work on a service of svc-kit: the order of work, the commands, what ' +
        'it must leave alone, and where everything is explained offline.',
    )
    .option('--out <file>', 'write to this file, such as .claude/skills/svc-kit/SKILL.md')
    .addHelpText('after', EXAMPLES)
    .action(({ out }: { readonly out?: string }) => {
      const text = readFileSync(join(packageRoot(), 'templates', 'agent-guide.md'), 'utf8')
      if (out === undefined) return void printOut(text)
      write(out, text)
      printOut(`wrote ${out}\n`)
    })
}

/** Writes the file, unless its content was edited. */
function write(file: string, text: string): void {
  if (existsSync(file) && readFileSync(file, 'utf8') !== text)
    throw new CliError(`${file} is there and differs. Remove it, or write elsewhere.`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}

const EXAMPLES = `
Examples:
  svc agent-guide
  svc agent-guide --out .claude/skills/svc-kit/SKILL.md
  svc agent-guide >> AGENTS.md

Exit codes: 0 done, 2 usage, or the file is there and differs, 3 internal error.
`
