import { readFile } from 'node:fs/promises'
import { Agent as HttpAgent, request as requestOverSocket, type RequestOptions } from 'node:http'
import { Agent as TlsAgent, request as requestOverTls } from 'node:https'
import { parsedAddress } from '../../../protocol/address.js'
import { KeyTrouble } from '../key-directory.js'

/** Proof of this service to a signer: over TLS, PEM files, which also prove the signer to it; on a socket, a secret. */
export interface SignerOptions {
  /** The certificate of this service. */
  readonly certificate?: string | undefined
  /** Its private key; a key of the connection, none that signs anything of the service. */
  readonly key?: string | undefined
  /** Authority of the signer's certificate. */
  readonly authority?: string | undefined
  /** Secret of a signer on a socket, needed beside the user: any process of this user may connect to it. */
  readonly secret?: string | undefined
}

/** Connection to a signer. */
export interface SignerRoute {
  readonly send: typeof requestOverSocket
  readonly options: RequestOptions
}

const CONNECTIONS = { keepAlive: true, maxSockets: 16, timeout: 30_000 } as const

/** `unix:/run/svc/signer.sock` or `https://signer.internal:4150`. Rejects with `KeyTrouble`. */
export async function routeTo(address: string, options: SignerOptions): Promise<SignerRoute> {
  if (address.startsWith('unix:/'))
    return {
      send: requestOverSocket,
      options: {
        socketPath: address.slice('unix:'.length),
        host: 'signer',
        agent: new HttpAgent(CONNECTIONS),
        headers: options.secret ? { authorization: `Bearer ${options.secret}` } : {},
      },
    }
  const url = parsedAddress(address)
  if (url?.protocol !== 'https:' || url.pathname !== '/' || url.search !== '' || url.username !== '')
    throw new KeyTrouble(
      `The signer ${JSON.stringify(address)} must be a socket or an https address, as unix:/run/svc/signer.sock or ` +
        'https://signer.internal:4150.',
    )
  const agent = new TlsAgent({ ...CONNECTIONS, ...(await mutualTls(options)), minVersion: 'TLSv1.3' })
  return { send: requestOverTls, options: { host: url.hostname, port: url.port || 443, agent } }
}

async function mutualTls({ certificate, key, authority }: SignerOptions) {
  if (!certificate || !key || !authority)
    throw new KeyTrouble(
      'A signer over https needs three files: the certificate of this service, its key, and the authority of the ' +
        'signer (SVC_SIGNER_CERT, SVC_SIGNER_KEY, SVC_SIGNER_CA).',
    )
  const [cert, own, ca] = await Promise.all([certificate, key, authority].map(readPem))
  return { cert, key: own, ca }
}

const readPem = (file: string): Promise<Buffer> =>
  readFile(file).catch((error: unknown) => {
    throw new KeyTrouble(`The file ${file} for the signer cannot be read: ${String(error)}`)
  })
