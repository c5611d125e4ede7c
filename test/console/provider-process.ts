import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts an identity provider of this folder; its issuer, and how to end it. */
export async function startProvider(
  file = 'identity-provider.js',
): Promise<{ readonly issuer: string; readonly close: () => void }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, file)], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: { ...process.env, NODE_OPTIONS: '' },
  })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { issuer: line.toString().trim(), close: () => void child.kill() }
}
