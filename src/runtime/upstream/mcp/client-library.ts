import type * as Library from '@modelcontextprotocol/client'
import { Unreachable } from './channel.js'

export type ClientLibrary = typeof Library

/** The library that reaches servers at an address: an optional peer, loaded by the first of them. */
export async function clientLibrary(): Promise<ClientLibrary> {
  try {
    return await import('@modelcontextprotocol/client')
  } catch {
    throw new Unreachable(
      'A server at an address needs a package. Run: npm install --save-exact @modelcontextprotocol/client@2.4.0',
      false,
    )
  }
}
