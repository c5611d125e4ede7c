import type { BlockTexts } from './field-text.js'

/** Descriptions of the fields of the service. */
export const MANIFEST_TEXTS: BlockTexts = {
  manifest: {
    manifest_metadata: 'Published with the manifest. A client refuses a version that is newer than it knows.',
    service_identity: 'Names the service in discovery, in tokens (`iss`) and in every audit entry.',
    trust: 'Decides what a service signs; discovery and the manifest say it.',
    metadata_disclosure:
      'Decides how much a failure says to which class of callers. Which class reads what is not published.',
    limits: 'Each token is issued within these bounds; a request beyond them is refused. Not published.',
    approvals: 'Decides who may approve and for how long. Not published.',
    include: 'Nothing: `svc validate` and `svc build` read the files as if their capabilities stood here.',
    'x-schemas': 'Checked where an input or an output field refers to them; published with the manifest.',
    capabilities:
      'Each is an address, `POST /svc/invoke/<name>`, a method of the client and a tool of a model. Whatever is ' +
      'not declared here cannot be called.',
  },
  'manifest metadata': {
    version:
      'The service says in discovery that it speaks this version; features that are newer are findings of `svc ' +
      'validate`.',
    sha256: 'Replaced when the manifest is published. Clients compare it with what they have read.',
    issued_at: 'Replaced when the manifest is published.',
    expires_at: 'Replaced when the manifest is published; a client reads the manifest again after it.',
  },
  'service identity': {
    id: 'It is the issuer and the audience of tokens: a token of another service is refused.',
    name: 'The title of OpenAPI and of the reference.',
    description: 'The first paragraph of OpenAPI and of the reference.',
    jwks_uri: 'The keys are at `/.well-known/jwks.json`, whatever is written here.',
    issuer_mode: { atRunTime: 'Nothing else can be chosen.', words: { self: 'The service issues its own tokens.' } },
  },
  trust: {
    level: {
      atRunTime: 'Decides what a consumer can verify; a service does not start without the keys that the level needs.',
      words: {
        declarative: 'Nothing is signed: a consumer believes the address.',
        signed:
          'The manifest is served with a signature (`/svc/manifest`, header `x-svc-signature`), which clients ' +
          'check before anything else.',
        anchored:
          'Besides, checkpoints over the audit trail are signed: nobody can change an entry later without being ' +
          'noticed.',
      },
    },
    anchoring: 'Only read where the level is `anchored`.',
  },
  anchoring: {
    cadence: 'A checkpoint is signed each time this has passed and entries have come; see `svc audit verify`.',
  },
  'metadata disclosure': {
    caller_class: {
      atRunTime:
        'The class in the caller’s token decides; a class that is not listed has the level of `default`, and ' +
        'without one `redacted`.',
      default: 'without `metadata_disclosure`, and where it says `manifest` alone, everything is `full`',
      words: {
        full: 'The whole failure, with its detail and what resolves it.',
        reduced: 'The failure with its detail cut to 200 characters, and without who could grant more.',
        redacted: 'The type, its fixed sentence and the action; nothing about the state of the service.',
      },
    },
    failure_detail: {
      atRunTime: 'Detail of failures, in the same words.',
      default: '`policy`',
      words: {
        full: 'To everybody.',
        reduced: 'Less, to everybody.',
        redacted: 'Least, to everybody.',
        policy: 'By the class of the caller, as `caller_class` says.',
      },
    },
    manifest: {
      atRunTime:
        'Decides who reads `/svc/manifest`, `/tools.json`, `/openapi.json` and the graph. Discovery and the keys stay public.',
      default: '`public`',
      words: {
        public: 'Everybody.',
        bearer: 'Whoever shows a credential or a token that the service accepts; others get 401.',
      },
    },
  },
  limits: {
    max_delegation_depth: {
      atRunTime: 'A token below one that is this deep is refused with `delegation_depth_exceeded`.',
      default: '3',
    },
    default_ttl_hours: {
      atRunTime: 'Lifetime of a token requested without `ttl_hours`; never longer than that of its parent.',
      default: '2',
    },
    max_ttl_hours: { atRunTime: 'A request for a longer life is refused.', default: '24' },
    delegate_to_humans: {
      atRunTime: 'If false, a person’s token can be delegated only to agents and services.',
      default: '`true`',
    },
  },
  approvals: {
    approver_scope: {
      atRunTime: 'A token with this scope may decide on every request, beside tokens with `approver:<capability>`.',
      default: 'none: only `approver:<capability>`',
    },
    request_ttl: {
      atRunTime:
        'A request that nobody has decided by then is `expired`; the call has to be made again. A request ' +
        'ends earlier where a binding that the call rests on grows too old: what is approved later could not ' +
        'run.',
      default: '`PT24H`',
    },
    denial_holds: {
      atRunTime: 'The same call of the same root principal is refused for so long, and opens no new request.',
      default: '`PT10M`',
    },
    allow_agents: {
      atRunTime: 'If false, only a principal of class human may approve or deny.',
      default: '`false`',
    },
    separation_of_duties: {
      atRunTime: 'If true, no one in the requester’s chain may approve, nor its root principal.',
      default: '`true`',
    },
  },
}
