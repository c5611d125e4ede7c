import { DISCLOSURE_LEVELS, MANIFEST_READERS, TRUST_LEVELS } from '../../../protocol/words.js'
import { judged, required, type Field, type ManifestShape, type Shape } from '../field.js'
import { any, count, flag, list, map, object, text, word, type Hours } from '../kinds.js'
import { CAPABILITY } from './capability.js'

const METADATA: ManifestShape = {
  title: 'manifest metadata',
  scalarMeans: 'version',
  fields: {
    version: judged({ judge: 'protocolVersion', kinds: ['SVC9171', 'SVC9172'] }, required(text('The protocol version that the manifest targets [9.1].', { format: 'protocolVersion', codes: { format: 'SVC1301' } }))),
    sha256: judged({ changed: 'SVC9182' }, text('Digest of the published manifest; the tools fill it in [2.3].', { format: 'sha256', codes: { format: 'SVC1010' } })),
    issued_at: judged({ changed: 'SVC9182' }, text('Time of publication; set when the manifest is published [2.3].', { format: 'timestamp', codes: { format: 'SVC1012' } })),
    expires_at: judged({ changed: 'SVC9182' }, text('Expiry of cached copies; set when the manifest is published [2.3].', { format: 'timestamp', codes: { format: 'SVC1012' } })),
  },
} // prettier-ignore

const IDENTITY: ManifestShape = {
  title: 'service identity',
  scalarMeans: 'id',
  fields: {
    id: judged(
      { any: 'SVC9173' },
      required(text('Unique service identifier [2.3].', { format: 'serviceId' }), 'SVC1008'),
    ),
    name: judged({ any: 'SVC9231' }, text('Name for documents and pages; not on the wire.')),
    description: judged({ any: 'SVC9231' }, text('Purpose of the service; not on the wire.', { mayBeBlank: true })),
    jwks_uri: judged(
      { changed: 'SVC9174' },
      text('Path of the signing keys; the tools fill it in [2.3].', {
        format: 'urlPath',
        codes: { format: 'SVC1009' },
      }),
    ),
    issuer_mode: judged(
      { changed: 'SVC9174' },
      word('Issuer of delegation tokens: only the service itself [2.3].', ['self']),
    ),
  },
}

const ANCHORING: ManifestShape = {
  title: 'anchoring',
  scalarMeans: 'cadence',
  fields: { cadence: judged({ longer: 'SVC9177', shorter: 'SVC9232', absent: 3_600_000 }, text('Interval of signed checkpoints: hourly, daily or an ISO 8601 duration [2.1].', { format: 'cadence', codes: { format: 'SVC1104' } }))},
} // prettier-ignore

const TRUST: ManifestShape = {
  title: 'trust',
  scalarMeans: 'level',
  fields: {
    level: judged({ ranks: TRUST_LEVELS, raised: 'SVC9176', lowered: 'SVC9175' }, required(word('declarative: unsigned; signed: the manifest is signed; anchored: checkpoints over the audit trail, too [2.1].', TRUST_LEVELS, { codes: { word: 'SVC1101' } }))),
    anchoring: judged({ judge: 'anchoring', kinds: [] }, object('Only for anchored trust [2.1].', ANCHORING)),
  },
} // prettier-ignore

const DISCLOSURE: ManifestShape = {
  title: 'metadata disclosure',
  codes: { unknown: 'SVC1111' },
  fields: {
    caller_class: judged({ judge: 'callerClasses', kinds: ['SVC9181', 'SVC9233'] }, map('Caller class -> level of detail; default holds for every other class [2.1].', word('A level.', DISCLOSURE_LEVELS), { examples: [{ internal: 'full', default: 'redacted' }] })),
    failure_detail: judged({ judge: 'failureDetail', kinds: ['SVC9181', 'SVC9233'] }, word('Detail of failures; policy uses the caller class [2.1].', [...DISCLOSURE_LEVELS, 'policy'])),
    manifest: judged({ any: 'SVC9264' }, word('Readers of the manifest: everybody, the default, or callers with a credential.', MANIFEST_READERS)),
  },
} // prettier-ignore

const LIMITS: ManifestShape = {
  title: 'limits',
  fields: {
    max_delegation_depth: judged(
      { higher: 'SVC9243', lower: 'SVC9244', absent: 3 },
      count('Maximum length of a delegation chain; a root token is 0 [8].', { atLeast: 0 }),
    ),
    default_ttl_hours: judged({ higher: 'SVC9258', lower: 'SVC9247', absent: 2 }, {
      kind: 'number',
      above: 0,
      about: 'Lifetime of a token whose request names none; default 2 [8].',
    } satisfies Hours),
    max_ttl_hours: judged({ higher: 'SVC9245', lower: 'SVC9246', absent: 24 }, {
      kind: 'number',
      above: 0,
      about: 'The longest lifetime of a token; default 24 [8].',
    } satisfies Hours),
    delegate_to_humans: judged(
      { on: 'SVC9248', off: 'SVC9249', absent: true },
      flag('True if a person may delegate their token to another person; the default [4.4].'),
    ),
  },
}

const APPROVALS: ManifestShape = {
  title: 'approvals',
  fields: {
    approver_scope: judged({ any: 'SVC9234' }, text('A scope that may approve everything, beside approver:<capability> [4.7].', { format: 'scope', examples: ['flights.approver'] })),
    request_ttl: judged({ longer: 'SVC9240', shorter: 'SVC9239', absent: 86_400_000 }, text('Lifetime of an approval request; default PT24H.', { format: 'duration' })),
    denial_holds: judged({ longer: 'SVC9242', shorter: 'SVC9241', absent: 600_000 }, text('Time for which the same call stays denied, without a new request; default PT10M.', { format: 'duration' })),
    allow_agents: judged({ on: 'SVC9237', off: 'SVC9238', absent: false }, flag('True if agents and services may approve; default false: people only [4.7].')),
    separation_of_duties: judged({ on: 'SVC9236', off: 'SVC9235', absent: true }, flag("Whether the requester's own root principal is refused as approver; default true.")),
  },
} // prettier-ignore

export const MANIFEST: ManifestShape = {
  title: 'manifest',
  about: 'Declaration of a service: its identity, its trust level and its capabilities [2.3].',
  fields: {
    manifest_metadata: judged({ fields: {} }, required(object('About this document [2.3].', METADATA))),
    service_identity: judged({ fields: {} }, required(object('Identity of the service [2.3].', IDENTITY))),
    trust: judged({ fields: {} }, required(object('Degree to which consumers can verify the service [2.1].', TRUST))),
    metadata_disclosure: judged({ fields: {} }, object('Disclosure of details by caller class [2.1].', DISCLOSURE)),
    limits: judged({ fields: {} }, object('Bounds of delegation; not on the wire [8].', LIMITS)),
    approvals: judged({ fields: {} }, object('Settings of approvals; not on the wire [4.7].', APPROVALS)),
    include: judged({ ignored: 'The capabilities of the files are compared.' }, list('Globs of further files, each with a capabilities map; not on the wire.', text('A glob, relative to this file.'), { examples: [['capabilities/*.yaml']] })),
    'x-schemas': judged({ ignored: 'Each field that refers to a schema is compared with the schema written in.' }, any('Schemas that inputs and output fields share: name -> JSON Schema, for `$ref: \'#/x-schemas/<name>\'`.', { mayBeNull: true, examples: [{ Money: { type: 'object' } }] })),
    capabilities: judged({ with: 'manifest', kinds: ['SVC9001', 'SVC9002', 'SVC9003'] }, required(map('Capability name -> declaration [2.3].', object('A capability.', CAPABILITY), { keys: 'capabilityName', min: 1, codes: { few: 'SVC1002', type: 'SVC1003', format: 'SVC1004' } }), 'SVC1001')),
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
