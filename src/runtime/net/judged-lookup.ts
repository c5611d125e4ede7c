/** Resolves a name when a connection is opened, and connects to what was judged, whatever the name means later. */
import { lookup, type LookupAddress } from 'node:dns'
import type { LookupFunction } from 'node:net'

export type Resolve = (
  name: string,
  done: (error: NodeJS.ErrnoException | null, addresses?: readonly LookupAddress[]) => void,
) => void

/** Gives, of the addresses of a name, those that may be connected to. */
export type Judge = (addresses: readonly LookupAddress[]) => readonly LookupAddress[]

export const PRIVATE = 'the address is private'

export const judgedLookup =
  (resolve: Resolve, judge: Judge): LookupFunction =>
  (name, { all }, done) =>
    resolve(name, (error, addresses = []) => {
      const allowed = error === null ? judge(addresses) : []
      const [first] = allowed
      if (error !== null) done(error, '')
      else if (first === undefined) done(refusedAddress(), '')
      else if (all === true) done(null, [...allowed])
      else done(null, first.address, first.family)
    })

export const refusedAddress = (): NodeJS.ErrnoException => Object.assign(new Error(PRIVATE), { code: 'SVC_PRIVATE' })

export const systemResolve: Resolve = (name, done) => lookup(name, { all: true }, done)
