import { get, useCsrf } from './ask.js'

/** Who is here, and where: what every page begins with. */
export interface Me {
  readonly service: string
  readonly host: string
  /** ms, by the clock of the service. */
  readonly now: number
  /** Host of the identity provider, where there is one. */
  readonly provider?: string
  readonly takes_keys: boolean
  readonly person?: {
    readonly principal: string
    readonly csrf: string
    readonly by: 'provider' | 'key'
    readonly ends_in: number
    /** Capabilities that this person may decide about. */
    readonly may_approve: readonly string[]
  }
}

export async function readMe(): Promise<Me | undefined> {
  const me = await get<Me>('/me')
  if (!me.ok) return undefined
  useCsrf(me.value.person?.csrf ?? '')
  return me.value
}
