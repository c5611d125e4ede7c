import { once } from 'node:events'
import type { RequestListener, Server } from 'node:http'
import { jsonLog } from '../../runtime/telemetry/log.js'
import { CliError, EXIT, type ExitCode } from '../shared/errors/cli-error.js'
import { readSecretFiles } from '../../runtime/keys/key-directory.js'
import { directoryOf } from '../keys/directory.js'
import { explained } from '../shared/errors/explained.js'
import { allowance } from './allowance.js'
import { answer, type SignerState } from './answer.js'
import { callersNamed, callersWithSecret } from './callers.js'
import { externalSigners } from './external.js'
import { heldKeys } from './held-keys.js'
import { listenForTls, listenOnSocket, type TlsFiles } from './listen.js'

export interface SignerRunOptions extends TlsFiles {
  readonly keys?: string
  readonly socket?: string
  readonly mode: string
  readonly listen?: string
  readonly rate: string
  readonly command?: string
}

/** Signs until a signal ends it. */
export async function runSigner(options: SignerRunOptions): Promise<ExitCode> {
  const { keys, rate, command, socket, client = [] } = options
  if (!/^[1-9]\d{0,5}$/u.test(rate)) throw new CliError(`--rate ${rate} must be a number from 1 to 999999.`)
  const log = jsonLog({ level: process.env['LOG_LEVEL'] })
  const directory = directoryOf(keys === undefined ? {} : { dir: keys })
  const elsewhere = command === undefined ? undefined : externalSigners(command)
  const state: SignerState = {
    keys: await explained(heldKeys(directory, elsewhere, log)),
    secrets: () => readSecretFiles(directory),
    take: allowance(Number(rate)),
    callers: socket === undefined ? callersNamed(client) : callersWithSecret(process.env['SVC_SIGNER_SECRET']),
    log,
  }
  const server = await opened(options, (request, response) => void answer(state, request, response))
  log.info('The signer is listening.', { address: addressOf(server), keys: (await state.keys()).length })
  await Promise.race(['SIGTERM', 'SIGINT'].map((signal) => once(process, signal)))
  server.close()
  server.closeAllConnections()
  return EXIT.ok
}

function opened({ socket, mode, listen, ...files }: SignerRunOptions, listener: RequestListener): Promise<Server> {
  if (socket !== undefined) return listenOnSocket(listener, socket, Number.parseInt(mode, 8))
  if (listen !== undefined) return listenForTls(listener, listen, files)
  throw new CliError('Set a listen address: --socket <path>, or --listen <host:port> for mutual TLS.')
}

function addressOf(server: Server): string {
  const address = server.address()
  if (typeof address === 'string') return `unix:${address}`
  return `https://${address?.address ?? ''}:${address?.port ?? 0}`
}
