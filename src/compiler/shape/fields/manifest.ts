import { DISCLOSURE_LEVELS, TRUST_LEVELS } from '../../../protocol/words.js'
import { required, type Field, type Shape } from '../field.js'
import { any, count, flag, list, map, object, text, word, type Hours } from '../kinds.js'
import { CAPABILITY } from './capability.js'

const METADATA: Shape = {
  title: 'manifest metadata',
  scalarMeans: 'version',
  fields: {
    version: required(text('The protocol version that the manifest targets [9.1].', { format: 'protocolVersion', codes: { format: 'SVC1301' } })),
    sha256: text('Digest of the published manifest; the tools fill it in [2.3].', { format: 'sha256', codes: { format: 'SVC1010' } }),
    issued_at: text('When it was published; the tools fill it in [2.3].', { format: 'timestamp', codes: { format: 'SVC1012' } }),
    expires_at: text('Until when consumers may cache it; the tools fill it in [2.3].', { format: 'timestamp', codes: { format: 'SVC1012' } }),
  },
} // prettier-ignore

const IDENTITY: Shape = {
  title: 'service identity',
  scalarMeans: 'id',
  fields: {
    id: required(text('Unique service identifier [2.3].', { format: 'serviceId' }), 'SVC1008'),
    name: text('Name for documents and pages; not on the wire.'),
    description: text('What the service is for; not on the wire.', { mayBeBlank: true }),
    jwks_uri: text('Path of the signing keys; the tools fill it in [2.3].', {
      format: 'urlPath',
      codes: { format: 'SVC1009' },
    }),
    issuer_mode: word('Who issues delegation tokens: only the service itself [2.3].', ['self']),
  },
}

const ANCHORING: Shape = {
  title: 'anchoring',
  scalarMeans: 'cadence',
  fields: { cadence: text('How often checkpoints are signed: hourly, daily or an ISO 8601 duration [2.1].', { format: 'cadence', codes: { format: 'SVC1104' } }) },
} // prettier-ignore

const TRUST: Shape = {
  title: 'trust',
  scalarMeans: 'level',
  fields: {
    level: required(word('declarative: unsigned; signed: the manifest is signed; anchored: checkpoints over the audit trail, too [2.1].', TRUST_LEVELS, { codes: { word: 'SVC1101' } })),
    anchoring: object('Only for anchored trust [2.1].', ANCHORING),
  },
} // prettier-ignore

const DISCLOSURE: Shape = {
  title: 'metadata disclosure',
  codes: { unknown: 'SVC1111' },
  fields: {
    caller_class: map('Caller class -> level of detail; default holds for every other class [2.1].', word('A level.', DISCLOSURE_LEVELS), { examples: [{ internal: 'full', default: 'redacted' }] }),
    failure_detail: word('How much failures tell; policy looks the caller class up [2.1].', [...DISCLOSURE_LEVELS, 'policy']),
  },
} // prettier-ignore

const LIMITS: Shape = {
  title: 'limits',
  fields: {
    max_delegation_depth: count('How long a delegation chain may be; a root token is 0 [8].', { atLeast: 0 }),
    default_ttl_hours: {
      kind: 'number',
      above: 0,
      about: 'Lifetime of a token whose request names none; default 2 [8].',
    } satisfies Hours,
    max_ttl_hours: {
      kind: 'number',
      above: 0,
      about: 'The longest lifetime of a token; default 24 [8].',
    } satisfies Hours,
    delegate_to_humans: flag(
      'Whether a person may name another person as subject below a token of their own; default true [4.4].',
    ),
  },
}

const APPROVALS: Shape = {
  title: 'approvals',
  fields: {
    approver_scope: text('A scope that may approve everything, beside approver:<capability> [4.7].', { format: 'scope', examples: ['flights.approver'] }),
    request_ttl: text('How long a request waits for its approver; default PT24H.', { format: 'duration' }),
    denial_holds: text('How long a denial answers the same call, without a new request; default PT10M.', { format: 'duration' }),
    allow_agents: flag('Whether agents and services may approve; default false: people only [4.7].'),
    separation_of_duties: flag("Whether the requester's own root principal is refused as approver; default true."),
  },
} // prettier-ignore

export const MANIFEST: Shape = {
  title: 'manifest',
  about: 'What a service declares: who it is, how it is trusted, and which capabilities it governs [2.3].',
  fields: {
    manifest_metadata: required(object('About this document [2.3].', METADATA)),
    service_identity: required(object('Who the service is [2.3].', IDENTITY)),
    trust: required(object('How far consumers can verify the service [2.1].', TRUST)),
    metadata_disclosure: object('What is disclosed to which callers [2.1].', DISCLOSURE),
    limits: object('Bounds of delegation; not on the wire [8].', LIMITS),
    approvals: object('How approvals are decided; not on the wire [4.7].', APPROVALS),
    include: list('Globs of further files, each with a capabilities map; not on the wire.', text('A glob, relative to this file.'), { examples: [['capabilities/*.yaml']] }),
    'x-schemas': any('Schemas that inputs and output fields share: name -> JSON Schema, for `$ref: \'#/x-schemas/<name>\'`.', { mayBeNull: true, examples: [{ Money: { type: 'object' } }] }),
    capabilities: required(map('Capability name -> declaration [2.3].', object('A capability.', CAPABILITY), { keys: 'capabilityName', min: 1, codes: { few: 'SVC1002', type: 'SVC1003', format: 'SVC1004' } }), 'SVC1001'),
  },
} // prettier-ignore

/** A manifest that includes files: its capabilities may all be in these. */
export const DIVIDED_MANIFEST: Shape = {
  ...MANIFEST,
  fields: {
    ...MANIFEST.fields,
    capabilities: { ...MANIFEST.fields['capabilities']!, required: false, min: 0 } as Field,
  },
}

/** A file that `include:` names: capabilities, and nothing else. */
export const FRAGMENT: Shape = {
  title: 'fragment',
  about: 'A file that a manifest includes: a map of capabilities, and schemas that inputs and output fields share.',
  fields: { capabilities: MANIFEST.fields['capabilities']!, 'x-schemas': MANIFEST.fields['x-schemas']! },
}
