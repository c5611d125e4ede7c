/**
 * The console: pages for approvers, auditors and operators, at `/-/console/` of the service itself (`svc-kit/console`).
 *
 * @example
 * import { webConsole } from 'svc-kit/console'
 * await serve(service, { publicUrl, surfaces: [webConsole({ clientId: 'svc-console' })] })
 */
import { StartUpError } from '../runtime/errors/start-up-error.js'
import type { Surface } from '../runtime/surfaces/surface.js'
import { CONNECTED_PATH } from './api/connections.js'
import { answerConsole, isConsolePath } from './answer.js'
import { readAssets } from './assets.js'
import type { ConsoleOptions } from './options.js'
import { consolePathOf } from './setting.js'
import { consoleProvider } from './provider.js'

export type { ConsoleOptions } from './options.js'
export type { Surface } from '../runtime/surfaces/surface.js'

/** The console, for `serve(service, { surfaces: [webConsole()] })`. */
export const webConsole = (options: ConsoleOptions = {}): Surface => ({
  answers: isConsolePath,
  open: async (service, { publicUrl, base, address, listensOnLoopback }) => {
    const provider = consoleProvider(service, options)
    if (provider !== undefined && publicUrl === undefined && !listensOnLoopback)
      throw new StartUpError(
        'The console needs the publicUrl that people reach it by: they come back there from the provider.',
      )
    if (publicUrl === undefined && address() === undefined)
      throw new StartUpError('The console needs the publicUrl that people reach it by: mount(service, { publicUrl }).')
    const origin = (): string => service.site.origin ?? address() ?? ''
    service.pages.approval = (id) => `${origin()}${consolePathOf({ base })}/approvals/${id}`
    const page = (): string => `${origin()}${consolePathOf({ base })}`
    service.pages.connection = (upstream) => `${page()}/connections?connect=${encodeURIComponent(upstream)}`
    service.pages.connected = () => page() + CONNECTED_PATH
    return answerConsole({
      service,
      origin,
      base,
      isPublic: publicUrl !== undefined,
      listensOnLoopback,
      development: options.development === true,
      provider,
      assets: await readAssets(base),
    })
  },
})
