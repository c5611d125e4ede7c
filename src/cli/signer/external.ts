import { spawn } from 'node:child_process'
import { sha256 } from '../../crypto/json/digest.js'
import { importPublicKey, verifyEs256 } from '../../crypto/keys/es256.js'
import type { Signer } from '../../crypto/keys/signer.js'
import type { StoredKey } from '../../crypto/keys/stored-key.js'

const WITHIN_MS = 5_000
const MOST_AT_ONCE = 16
const SIGNATURE_BYTES = 64

/**
 * Signers for keys in a module or a vault: a command that reads the SHA-256 digest of what is signed and writes r and s,
 * 64 bytes. It is told `SVC_KID` and `SVC_ROLE`. What it writes is verified before anybody has it.
 */
export function externalSigners(command: string): (key: StoredKey) => Signer {
  let running = 0
  return ({ publicJwk, role }) => {
    const verifying = importPublicKey(publicJwk)!
    const signed = async (data: Uint8Array): Promise<Uint8Array> => {
      if (running >= MOST_AT_ONCE) throw new Error(`${MOST_AT_ONCE} commands run already.`)
      running++
      const given = await run(command, { SVC_KID: publicJwk.kid, SVC_ROLE: role }, sha256(data)).finally(
        () => running--,
      )
      if (verifyEs256(data, verifying, given)) return given
      throw new Error(
        `The command gave ${given.length} bytes that are no signature (r and s, 64 bytes) by ${publicJwk.kid}.`,
      )
    }
    return { kid: publicJwk.kid, sign: signed }
  }
}

function run(command: string, env: NodeJS.ProcessEnv, digest: Uint8Array): Promise<Uint8Array> {
  return new Promise((resolve, reject) => {
    const child = spawn(command, {
      shell: true,
      env: { ...process.env, ...env },
      timeout: WITHIN_MS,
      killSignal: 'SIGKILL',
    })
    const written: Buffer[] = []
    let complaint = ''
    child.stdout.on('data', (chunk: Buffer) => {
      if (written.reduce((sum, { length }) => sum + length, 0) <= SIGNATURE_BYTES) written.push(chunk)
    })
    child.stderr.on('data', (chunk: Buffer) => (complaint = (complaint + chunk.toString()).slice(-300)))
    child.stdin.on('error', () => undefined)
    child.on('error', reject)
    child.once('close', (code, signal) => {
      if (code === 0) return resolve(Buffer.concat(written))
      reject(new Error(`The command ended with ${code ?? signal}: ${complaint.trim()}`))
    })
    child.stdin.end(digest)
  })
}
