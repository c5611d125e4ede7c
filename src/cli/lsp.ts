import type { Command } from 'commander'

/** `svc lsp`: the language server. */
export function registerLsp(program: Command): void {
  program
    .command('lsp')
    .summary('run the language server')
    .description(
      'Speak the Language Server Protocol over standard input and output: diagnostics, hover, completion, definitions, rename, quick fixes.',
    )
    .option('--stdio', 'use standard input and output (the only way there is)')
    .action(async () => {
      const { serveEditor } = await import('./lsp/server.js')
      const saidGoodbye = await serveEditor(process.stdin, process.stdout)
      process.stdin.destroy()
      process.exitCode = saidGoodbye ? 0 : 1
    })
}
