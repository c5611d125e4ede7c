import type { Command } from 'commander'

/** `svc lsp`: the language server. */
export function registerLsp(program: Command): void {
  program
    .command('lsp')
    .summary('run the language server')
    .description(
      'Run the language server on standard input and output: findings with their fixes, an outline, hover, ' +
        'completion, definitions, renaming, hints. docs/guides/editor.md sets editors up.',
    )
    .option('--stdio', 'use standard input and output; the only transport')
    .addHelpText('after', EXAMPLES)
    .action(async () => {
      const { serveEditor } = await import('./server.js')
      const saidGoodbye = await serveEditor(process.stdin, process.stdout)
      process.stdin.destroy()
      process.exitCode = saidGoodbye ? 0 : 1
    })
}

const EXAMPLES = `
Examples:
  svc lsp --stdio                  the command that an editor starts

Exit codes: 0 the editor ended the session, 1 the connection broke, 3 internal error.
`
