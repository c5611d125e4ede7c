import type { Service } from '../runtime/service.js'
import type { Assets } from './assets.js'
import type { ConsoleProvider } from './provider.js'

/** Context of every page and endpoint of the console. */
export interface Setting {
  readonly service: Service
  /**
   * The one origin that the console is at: the publicUrl, else the address of the listener. Never made from a header.
   */
  readonly origin: () => string
  /** The path that stands before all paths of the service for browsers; empty at the root. */
  readonly base: string
  /** True if the public address of the service was configured. */
  readonly isPublic: boolean
  /** True if the process listens on a loopback address alone. */
  readonly listensOnLoopback: boolean
  readonly development: boolean
  readonly provider: ConsoleProvider | undefined
  readonly assets: Assets
}

/** Everything of the console is below this path of the service. */
export const CONSOLE_ROOT = '/-/console'

/** Returns the path of the console for browsers, where the service may have a path of its own. */
export const consolePathOf = ({ base }: Pick<Setting, 'base'>): string => base + CONSOLE_ROOT
