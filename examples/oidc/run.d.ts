import type { Example } from '../start.js'

/** The running example with its identity provider. */
export interface SignedInExample extends Example {
  /** An access token for `ana` (an editor), `ben` (a reader) or `guest` (in no group). */
  signIn(name: 'ana' | 'ben' | 'guest'): Promise<string>
}

export function run(env?: { readonly [variable: string]: string }): Promise<SignedInExample>
