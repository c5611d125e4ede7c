import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Manifest } from '../../protocol/manifest.js'
import { buildSettings } from '../config/build-settings.js'
import { say } from '../shared/output/say.js'
import { watchAndBuild } from '../build/watch.js'
import { openBrowser } from '../login/browser.js'
import { keepAgentToken } from './agent-token.js'
import { actingKeys } from './acting-keys.js'
import { ACTING_KEYS, firstScreen, HOT_KEYS } from './first-screen.js'
import { listenToKeys, readsHotKeys } from './hot-keys.js'
import { identitiesFor, makeIdentities } from './identities.js'
import { runAt, type RunAs } from './run-as.js'
import { devServer } from './server.js'

/** Builds at each change and serves the last good build. */
export async function dev(root: string): Promise<never> {
  const session = devSession(root)
  const { restart, stop } = devServer(root, session)
  const quit = (): void => void end().finally(() => process.exit(0))
  const forget = readsHotKeys()
    ? listenToKeys(session.keys({ restart: () => restart(true), quit }), quit, say)
    : undefined
  const end = async (): Promise<void> => {
    forget?.()
    await stop()
  }
  for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, quit)
  return await watchAndBuild(root, restart).finally(end)
}

/** Returns what surrounds the server: identities, address and keys. */
function devSession(root: string) {
  let [url, hasIdentities, screen] = [undefined as string | undefined, false, '']
  let forgetToken: (() => void) | undefined
  const acting = actingKeys(root, say)
  const atUrl = (act: (url: string) => void | Promise<void>) => () => (url === undefined ? undefined : act(url))
  const asSomebody = (act: (run: RunAs) => void | Promise<void>) =>
    atUrl((at) => (hasIdentities ? act(runAt(root, at, say)) : say('There are no identities: use the console.')))
  const help = (): void => say(`${ACTING_KEYS}, ${HOT_KEYS}`)
  return {
    environment: async () => {
      const identities = await makeIdentities(root, (await builtManifest(root))?.capabilities ?? {})
      hasIdentities = identities !== undefined
      return { SVC_CALL_LINES: '1', SVC_DEVELOPMENT: 'true', ...identities }
    },
    listening: async (at: string) => {
      url = at
      forgetToken?.()
      const capabilities = (await builtManifest(root))?.capabilities ?? {}
      const hasAgent = hasIdentities && Object.keys(capabilities).length > 0
      if (hasAgent) forgetToken = await keepAgentToken(root, at, capabilities)
      const hasConsole = await answersAt(`${at}/-/console/`)
      const identities = identitiesFor(capabilities)
      screen = firstScreen({ url: at, hasConsole, hasIdentities, identities, hasAgent, hasHotKeys: readsHotKeys() })
      say(screen)
    },
    keys: ({ restart, quit }: { readonly restart: () => Promise<void>; readonly quit: () => void }) => ({
      c: atUrl((at) => openBrowser(`${at}/-/console/`)),
      s: asSomebody(async (run) => acting.call(run, (await builtManifest(root))?.capabilities ?? {})),
      a: asSomebody(acting.show),
      y: asSomebody(acting.approve),
      n: asSomebody(acting.deny),
      t: asSomebody(acting.trail),
      i: () => say(screen),
      r: restart,
      q: quit,
      h: help,
      '?': help,
    }),
  }
}

async function builtManifest(root: string): Promise<Manifest | undefined> {
  const file = join(root, (await buildSettings(root)).folders.dist, 'manifest.json')
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Manifest) : undefined
}

const ANSWER_WITHIN_MS = 5000

const answersAt = (address: string): Promise<boolean> =>
  fetch(address, { redirect: 'manual', signal: AbortSignal.timeout(ANSWER_WITHIN_MS) }).then(
    ({ status }) => status < 400,
    () => false,
  )
