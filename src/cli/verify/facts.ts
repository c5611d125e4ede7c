import type { ArtefactKind } from './kinds.js'

/** Kind of fact about an artefact. */
export interface FactKind {
  readonly type: 'string' | 'integer'
  readonly description: string
  /** The member of the artefact that says it, where one does. */
  readonly member?: string
}

type FactKinds = { readonly [name: string]: FactKind }

const signed_by = { type: 'string', description: 'The id of the trusted key that signed it.' } as const

/** Kind of artefact -> fact -> what it is, in the order in which facts are shown. */
export const FACTS = {
  manifest: {
    service: { type: 'string', description: 'The id of the service.' },
    version: { type: 'string', description: 'The version of the interface.' },
    signed_by,
    issued: { type: 'string', description: 'Time of issue (RFC 3339).' },
    expires: { type: 'string', description: 'Expiry (RFC 3339).' },
    sha256: { type: 'string', description: 'The digest that it states of itself: 64 lower-case hex digits.' },
  },
  grant: {
    grant: { member: 'grant_id', type: 'string', description: 'The id of the grant.' },
    capability: { member: 'capability', type: 'string', description: 'The capability that it is for.' },
    approver: { member: 'approver', type: 'string', description: 'Approver.' },
    type: { member: 'grant_type', type: 'string', description: 'Kind of use: one_time or session_bound.' },
    parameters: { member: 'parameters_digest', type: 'string', description: 'The digest of the approved parameters.' },
    uses: { member: 'max_uses', type: 'integer', description: 'Number of allowed uses.' },
    issued: { member: 'issued_at', type: 'string', description: 'Time of issue (RFC 3339).' },
    expires: { member: 'expires_at', type: 'string', description: 'Expiry (RFC 3339); not judged.' },
    signed_by,
  },
  checkpoint: {
    checkpoint: { member: 'checkpoint_id', type: 'string', description: 'The id of the checkpoint.' },
    sequence: { member: 'sequence', type: 'integer', description: 'Its place among the checkpoints, from 1.' },
    entries: { member: 'entry_count', type: 'integer', description: 'Number of entries it covers.' },
    root: { member: 'merkle_root', type: 'string', description: 'The root of the Merkle tree over them.' },
    made: { member: 'created_at', type: 'string', description: 'Time of creation (RFC 3339).' },
    signed_by,
  },
  entry: {
    sequence: { member: 'sequence', type: 'integer', description: 'Its place in the trail, from 1.' },
    type: { member: 'entry_type', type: 'string', description: 'Type of the entry.' },
    invocation: { member: 'invocation_id', type: 'string', description: 'The id of the invocation.' },
    capability: { member: 'capability', type: 'string', description: 'The capability that was invoked.' },
    actor: { member: 'actor_key', type: 'string', description: 'Actor.' },
    class: { member: 'event_class', type: 'string', description: 'The class of the event.' },
    time: { member: 'timestamp', type: 'string', description: 'Time of the entry (RFC 3339).' },
    withheld: {
      type: 'string',
      description: 'Of a redacted entry: that it is included, and that nothing else is known.',
    },
    checkpoint: { type: 'string', description: 'The id of the checkpoint that covers it.' },
    made: { type: 'string', description: 'Time of that checkpoint (RFC 3339).' },
    signed_by,
  },
  export: {
    service: { type: 'string', description: 'The id of the service.' },
    exported: { type: 'string', description: 'Time of the export (RFC 3339).' },
    entries: { type: 'integer', description: 'Number of entries.' },
    erased: { type: 'integer', description: 'Of these, how many have a hash only.' },
    erasures: { type: 'integer', description: 'Number of entries that record erasures; absent if none.' },
    checkpoints: { type: 'integer', description: 'Number of checkpoints.' },
    last_root: { type: 'string', description: 'The root of the last checkpoint.' },
    last_made: { type: 'string', description: 'Time of the last checkpoint (RFC 3339).' },
    sealed_by: { type: 'string', description: 'The id of the trusted key that sealed it.' },
    first_bad: { type: 'integer', description: 'The sequence of the first bad entry; absent when none is known.' },
  },
} as const satisfies { readonly [kind in ArtefactKind]: FactKinds }

export type FactName = { [Kind in keyof typeof FACTS]: keyof (typeof FACTS)[Kind] }[keyof typeof FACTS]

/** Fact as data, with another text for people where they differ. */
export type Fact = readonly [name: FactName, value: string | number, forPeople?: string]

const holds = ({ type }: FactKind, value: unknown): value is string | number =>
  type === 'string' ? typeof value === 'string' : Number.isSafeInteger(value)

/** The facts that members of a record say, each of its type. */
export const factsIn = (
  record: { readonly [member: string]: unknown },
  kinds: { readonly [name in FactName]?: FactKind },
): readonly Fact[] =>
  (Object.entries(kinds) as readonly (readonly [FactName, FactKind])[]).flatMap(([name, kind]) => {
    const value = kind.member !== undefined && Object.hasOwn(record, kind.member) ? record[kind.member] : undefined
    return holds(kind, value) ? [[name, value] as const] : []
  })
