import type { Service } from '../runtime/service.js'
import type { Assets } from './assets.js'
import type { ConsoleProvider } from './provider.js'

/** What every page and endpoint of the console stands in. */
export interface Setting {
  readonly service: Service
  /**
   * The one origin that the console is at: the publicUrl, else the address of the listener. Never made from a header.
   */
  readonly origin: () => string
  /** Whether somebody has said where people reach the service. */
  readonly isPublic: boolean
  /** Whether the process listens on a loopback address alone. */
  readonly listensOnLoopback: boolean
  readonly development: boolean
  readonly provider: ConsoleProvider | undefined
  readonly assets: Assets
}

/** Everything of the console is below this path, and its cookie counts nowhere else. */
export const CONSOLE_ROOT = '/-/console'
