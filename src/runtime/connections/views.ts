/** Connections as people and operators see them. */
import type { ConnectableUpstream, ConnectionView } from '../../protocol/connections.js'
import { upstreamTermsOf } from '../../protocol/upstream-terms.js'
import { present } from '../json/present.js'
import { timestamp } from '../json/timestamp.js'
import type { Service } from '../service.js'
import type { KeptConnection } from '../storage/contract.js'
import { connectionsOf, endOf, personalSettings } from './required.js'

/** Shows a connection; one whose key is gone has ended, as far as anybody can use it. */
export function viewOfConnection(service: Service, kept: KeptConnection): ConnectionView {
  const { connection_id, person, upstream, account, scopes, state, wanted, last_used_by } = kept
  const ended_because = endOf(service, kept)
  return present({
    connection_id,
    person,
    upstream,
    account,
    scopes,
    wanted: wanted.length === 0 ? undefined : wanted,
    state: ended_because === undefined ? state : 'ended',
    ended_because,
    connected_at: timestamp(kept.connected_at),
    last_used_at: kept.last_used_at === undefined ? undefined : timestamp(kept.last_used_at),
    last_used_by,
  })
}

/** Lists the upstream systems at which each person has an account of their own. */
export const connectableUpstreams = ({ capabilities, pages }: Service): readonly ConnectableUpstream[] =>
  connectionsOf([...capabilities.values()]).flatMap((upstream) => {
    const settings = personalSettings(upstream)
    if (settings === undefined) return []
    return present({
      upstream,
      title: settings.title ?? upstream,
      issuer: settings.issuer ?? settings.authorizationUrl ?? '',
      capabilities: [...capabilities].flatMap(([name, each]) =>
        upstreamTermsOf(each)?.connection === upstream ? [name] : [],
      ),
      connection_url: pages.connection?.(upstream),
    })
  })
