/** Starts the identity provider and the example that trusts it: `node examples/oidc/run.js`. Ends with Ctrl-C. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { start } from '../start.js'

const AUDIENCE = 'https://documents.example.org/'

/** The running example, and who signs people in. */
export async function run(env = {}) {
  const { NODE_OPTIONS: _, ...outside } = process.env
  const provider = spawn(process.execPath, [join(import.meta.dirname, 'identity-provider.js')], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: outside,
  })
  const [said] = await once(provider.stdout.setEncoding('utf8'), 'data')
  const issuer = said.trim()
  const example = await start('oidc', { OIDC_ISSUER: issuer, OIDC_AUDIENCE: AUDIENCE, ...env })
  const stop = async () => {
    provider.stdin.end()
    await example.stop()
  }
  return { ...example, signIn: (name) => signIn(issuer, name), stop }
}

/** An access token of the identity provider's for this service. */
async function signIn(issuer, name) {
  const response = await fetch(`${issuer}/token`, {
    method: 'POST',
    headers: { Authorization: `Basic ${Buffer.from(`${name}:secret`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials', resource: AUDIENCE, scope: 'use' }),
  })
  return (await response.json()).access_token
}

if (process.argv[1] === import.meta.filename) {
  const { url, signIn, stop } = await run({ PORT: process.env.PORT ?? '4100' })
  console.log(`oidc listens on ${url}`)
  for (const name of ['ana', 'ben']) console.log(`${name}=${await signIn(name)}`)
  process.once('SIGINT', () => void stop().then(() => process.exit(0)))
}
