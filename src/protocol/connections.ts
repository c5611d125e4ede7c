/** Connections: accounts of people at upstream systems (decisions, section 19). */
import type { Principal } from './principals.js'

/** `renewing` while one replica asks for new tokens. */
export const CONNECTION_STATES = ['connected', 'renewing', 'ended'] as const
export type ConnectionState = (typeof CONNECTION_STATES)[number]

/** Reasons why a connection ended. */
export const CONNECTION_ENDS = [
  'disconnected',
  'blocked',
  'refused_upstream',
  'interrupted',
  'key_lost',
  'expired',
] as const
export type ConnectionEnd = (typeof CONNECTION_ENDS)[number]

/** A connection as its person and operators see it; no part of a token. Times in RFC 3339. */
export interface ConnectionView {
  readonly connection_id: string
  readonly person: Principal
  readonly upstream: string
  readonly account?: string
  readonly scopes: readonly string[]
  /** Scopes that the upstream system asked for beyond those given. */
  readonly wanted?: readonly string[]
  readonly state: ConnectionState
  readonly ended_because?: ConnectionEnd
  readonly connected_at: string
  readonly last_used_at?: string
  readonly last_used_by?: Principal
}

/** An upstream system of the service at which each person has an account of their own. */
export interface ConnectableUpstream {
  readonly upstream: string
  readonly title: string
  readonly issuer: string
  readonly capabilities: readonly string[]
  /** Page where a person connects, if a console is served. */
  readonly connection_url?: string
}

/** GET /-/connections. */
export interface ConnectionList {
  readonly connections: readonly ConnectionView[]
  readonly upstreams: readonly ConnectableUpstream[]
  readonly count: number
  readonly next_cursor?: string
}
