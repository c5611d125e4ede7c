import type { ConnectableUpstream, ConnectionView } from '../../../../protocol/connections.js'

/** An upstream system, and the account there, if one was ever connected. */
export interface AccountAt {
  readonly upstream: ConnectableUpstream
  readonly connection: ConnectionView | undefined
}

/** Holds for an account that agents cannot use, or not for all that they ask for. */
export const needsAttention = ({ connection }: AccountAt): boolean =>
  connection !== undefined &&
  (connection.wanted !== undefined || (connection.state === 'ended' && connection.ended_because !== 'disconnected'))
