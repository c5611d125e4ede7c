import type { Preset } from '../check.js'
import type { Severity } from '../diagnostics.js'
import type { OFF } from '../shape/fields/config.js'
import type { View } from '../shape/view.js'

/** Settings by which a project is checked and built. */
export interface Config {
  readonly validate?: {
    readonly preset?: Preset
    readonly enable?: readonly string[]
    readonly severity?: { readonly [code: string]: Severity | typeof OFF }
    readonly ignore?: readonly string[]
  }
  readonly build?: { readonly generated?: string; readonly dist?: string }
}
export type ConfigView = View<Config>
