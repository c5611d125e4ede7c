/** The shapes of names and ids on the wire. Each pattern is linear-time and anchored. */

/** A capability name: lower-case words joined by `_`, in parts joined by `.`; 1-128 characters. */
export const CAPABILITY_NAME = /^(?=.{1,128}$)[a-z][a-z0-9]*(?:_[a-z0-9]+)*(?:\.[a-z][a-z0-9]*(?:_[a-z0-9]+)*)*$/u
/** A scope string; 1-128 characters, compared exactly. */
export const SCOPE = /^[a-z0-9][a-z0-9._:-]{0,127}$/u
/** A service id; 1-128 characters. */
export const SERVICE_ID = /^(?=.{1,128}$)[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?$/u
/** A name that becomes a property: inputs, output fields, composition steps. */
export const FIELD_NAME = /^[a-zA-Z_][a-zA-Z0-9_]{0,127}$/u
/** An identifier of a catalog or resolver; never a location or a secret. */
export const REFERENCE = /^[a-zA-Z][a-zA-Z0-9_]*(?:[.:/-][a-zA-Z0-9_]+)*$/u
/** An invocation id (section 2.13). */
export const INVOCATION_ID = /^inv-[0-9a-f]{12}$/u
/** A digest on the wire. */
export const SHA256_DIGEST = /^sha256:[0-9a-f]{64}$/u

/** Prefixes of generated ids; the rest is at least 120 random bits. */
export const ID_PREFIX = {
  token: 'tok_',
  approvalRequest: 'apr_',
  grant: 'grt_',
  checkpoint: 'ckp_',
  binding: 'bnd_',
  block: 'blk_',
  connection: 'con_',
} as const
export type IdKind = keyof typeof ID_PREFIX

const ID_REST = /^[\w-]{1,124}$/u

/** Checks whether a text has the form of a generated id: its prefix, then letters, digits, `_` and `-`. */
export const isIdOf = (kind: IdKind, text: string): boolean =>
  text.startsWith(ID_PREFIX[kind]) && ID_REST.test(text.slice(ID_PREFIX[kind].length))

/** Names that no map of ours accepts as keys, because they are properties of every object. */
export const RESERVED_KEYS: ReadonlySet<string> = new Set(['__proto__', 'constructor', 'prototype'])

/** The scope of an approver for one capability, and for no other (section 4.7). */
export const approverScope = (capability: string): string => `approver:${capability}`
