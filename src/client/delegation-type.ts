import type { DELEGATION_TYPE as Word } from '../protocol/token.js'

/** The `typ` of a delegation JWT; the compiler holds it to the protocol's word. */
export const DELEGATION_TYPE: typeof Word = 'svc-delegation+jwt'
