import type { JsonObject } from '../../protocol/manifest.js'
import type { Money } from '../../protocol/money.js'
import type { Principal } from '../../protocol/principals.js'

/** A binding issued by a handler (`ctx.bindings.issue`), the only source of a price (section 2.4). */
export interface StoredBinding {
  readonly binding_id: string
  readonly type: string
  /** The capability whose handler issued it. */
  readonly capability: string
  readonly root_principal: Principal
  readonly price?: Money
  readonly data?: JsonObject
  /** ms since the epoch. */
  readonly issued_at: number
  /** ms since the epoch; the row may be swept a week later. A binding without it is kept for ever. */
  readonly expires_at?: number
  /** Authenticates the binding (`runtime/rows`). */
  readonly mac?: string
}

export interface BindingStore {
  insert(binding: StoredBinding): Promise<void>
  get(id: string): Promise<StoredBinding | undefined>
}
