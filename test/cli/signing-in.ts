/** A person at the identity provider of `identity-provider.js`: a browser without a screen. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'

/** Starts the provider; its issuer, and how to end it. */
export async function startProvider(accessTokenSeconds = 600) {
  const { NODE_OPTIONS: _, ...env } = process.env
  const file = join(import.meta.dirname, 'identity-provider.js')
  const child = spawn(process.execPath, [file, String(accessTokenSeconds)], { stdio: ['pipe', 'pipe', 'inherit'], env })
  const [line] = (await once(child.stdout, 'data')) as [Buffer]
  return { issuer: line.toString().trim(), close: () => void child.kill() }
}

const MOST_STEPS = 12

/** Follows an address as an account, through every page and form, until nothing more is asked; the last page. */
export async function signIn(address: string, account: string): Promise<string> {
  const jar = new Map<string, string>()
  let next: { readonly url: string; readonly form?: URLSearchParams } = { url: address }
  for (let step = 0; step < MOST_STEPS; step++) {
    const picked = /\/pick\/[\w-]+$/u.test(next.url) ? `${next.url}/${account}` : next.url
    const response = await fetch(picked, {
      redirect: 'manual',
      headers: { cookie: [...jar].map(([name, value]) => `${name}=${value}`).join('; ') },
      ...(next.form !== undefined && { method: 'POST', body: next.form }),
    })
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/u.exec(line) ?? []
      jar.set(name, value)
    }
    const text = await response.text()
    const location = response.headers.get('location')
    const form = formIn(text)
    if (location !== null) next = { url: new URL(location, picked).href }
    else if (form !== undefined) next = { url: new URL(form.action, picked).href, form: form.fields }
    else return text
  }
  throw new Error('The provider asks and asks.')
}

/** The form of a page, filled in as it stands: a code to confirm. */
function formIn(text: string) {
  const [, action] = /<form[^>]* action="([^"]+)"/u.exec(text) ?? []
  if (action === undefined) return undefined
  const inputs = [...text.matchAll(/<input[^>]* name="([^"]+)"[^>]* value="([^"]*)"/gu)]
  const fields = new URLSearchParams(inputs.map(([, name = '', value = '']) => [name, value]))
  if (text.includes('name="confirm"')) fields.set('confirm', 'yes')
  return { action, fields }
}
