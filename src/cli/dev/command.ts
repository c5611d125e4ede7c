import type { Command } from 'commander'

/** `svc dev`: builds at each change and serves the last good build. */
export function registerDev(program: Command): void {
  program
    .command('dev')
    .summary('serve, and rebuild on every change')
    .description(
      'Validate, build and start the service, again at each change. After an error the last good build keeps ' +
        'serving. In .svc-dev/ it keeps a token for an agent and a key for each role: they are valid under svc dev only.',
    )
    .argument('[dir]', 'the folder of the service', '.')
    .addHelpText(
      'after',
      '\nExamples:\n  svc dev            serve this folder on 127.0.0.1:4100\n  PORT=4200 svc dev  on another ' +
        'port\n\nKeys, at a terminal: s call as the agent (the calls of samples.yaml), a approve, t audit trail, c console, ' +
        'i identities, r restart, q quit.\n' +
        'Exit codes: 0 stopped, 2 usage, 3 internal error.\n',
    )
    .action(async (folder: string) => {
      const [{ dev }, { resolve }] = await Promise.all([import('./run.js'), import('node:path')])
      await dev(resolve(folder))
    })
}
