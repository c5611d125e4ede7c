import type { LookupAddress } from 'node:dns'
import { isIP } from 'node:net'
import { oneExchange, type ExchangeRequest } from '../../net/one-exchange.js'
import { judgedLookup, refusedAddress } from '../../net/judged-lookup.js'
import type { OidcOptions } from './options.js'
import { reachOf, SYSTEM, type Network } from './reach.js'

/** Sends a request to a provider. Rejects where no answer comes; follows no redirect. */
export type ProviderFetch = (url: string, request: ExchangeRequest) => Promise<Response>

/** Each connection goes to an address that was judged when it was opened (threat O08). */
export function providerFetch(options: OidcOptions, network: Network = SYSTEM): ProviderFetch {
  const reach = reachOf(options, network)
  return async (address, request) => {
    const url = new URL(address)
    const judge = reach.judgeOf(url)
    const literal = addressIn(url)
    let found: readonly LookupAddress[] = literal
    if (literal.length > 0 && judge(literal).length === 0) throw refusedAddress()
    const lookup = judgedLookup(network.resolve, (addresses) => judge((found = addresses)))
    const response = await oneExchange(url, request, { lookup, ca: network.authorities })
    reach.answered(url, found)
    return response
  }
}

/** The host of a URL, where it is an address and no name: nobody resolves it. */
function addressIn({ hostname }: URL): readonly LookupAddress[] {
  const address = hostname.replaceAll(/^\[|\]$/gu, '')
  const family = isIP(address)
  return family === 0 ? [] : [{ address, family }]
}
