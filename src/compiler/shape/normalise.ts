import type {
  ApprovalRequirement,
  Capability,
  Composition,
  FailurePolicy,
  Input,
  InputMeaning,
  Json,
  JsonObject,
  Manifest,
  OutputField,
} from '../../protocol/manifest.js'
import type { CapabilityView, InputView, ManifestView } from './view.js'
import { valueAt, type MapNode, type YamlNode } from '../parse/tree.js'
import { NODE } from './view.js'

/** The manifest of a valid view: defaults filled in, shorthands spelt out, positions left behind. */
export function normalise(view: ManifestView): Manifest {
  const { manifest_metadata, service_identity, trust, metadata_disclosure, limits, approvals, capabilities = {} } = view
  const named: { [name: string]: Capability } = {}
  for (const [name, each] of Object.entries(capabilities)) named[name] = capabilityOf(each as CapabilityView)
  return {
    manifest_metadata: plain(manifest_metadata) as unknown as Manifest['manifest_metadata'],
    service_identity: plain(service_identity) as unknown as Manifest['service_identity'],
    trust: plain(trust) as unknown as Manifest['trust'],
    ...(metadata_disclosure === undefined
      ? {}
      : { metadata_disclosure: plain(metadata_disclosure) as unknown as JsonObject }),
    limits: { max_delegation_depth: 3, default_ttl_hours: 2, max_ttl_hours: 24, ...(plain(limits) as object) },
    approvals: {
      request_ttl: 'PT24H',
      denial_holds: 'PT10M',
      allow_agents: false,
      separation_of_duties: true,
      ...(plain(approvals) as object),
    },
    capabilities: named,
    ...extensionsOf(view[NODE]),
  }
}

function capabilityOf(view: CapabilityView): Capability {
  const declared = withoutExtensions(membersOf(view)) as unknown as Capability
  const { output, approval, composition, requires_principal } = declared
  return {
    ...declared,
    inputs: (view.inputs ?? []).map((input) => inputOf(input)),
    output: { ...output, fields: output.fields.map(outputField) },
    kind: declared.kind ?? 'atomic',
    response_modes: declared.response_modes ?? ['unary'],
    ...(requires_principal === undefined ? {} : { requires_principal: [requires_principal].flat() }),
    ...(approval === undefined ? {} : { approval: approval as ApprovalRequirement }),
    ...(composition === undefined ? {} : { composition: compositionOf(composition) }),
    ...extensionsOf(view[NODE]),
  }
}

function inputOf(view: InputView): Input {
  const { input_meanings, ...declared } = plain(view) as unknown as Input
  return {
    ...declared,
    required: declared.required ?? true,
    ...(input_meanings === undefined ? {} : { input_meanings: meanings(input_meanings, declared.type) }),
  }
}

const meanings = (written: unknown, type: string): readonly InputMeaning[] =>
  Array.isArray(written)
    ? (written as readonly InputMeaning[])
    : Object.entries(written as JsonObject).map(([key, label]) => ({ value: valueOf(key, type), label: String(label) }))

/** A key is text; where the input is not, it stands for the value that it spells. */
function valueOf(key: string, type: string): Json {
  if (type === 'boolean') return key === 'true' ? true : key === 'false' ? false : key
  if (type !== 'integer' && type !== 'number') return key
  const number = Number(key)
  return String(number) === key ? number : key
}

function outputField(field: unknown): OutputField {
  if (typeof field === 'string') return { name: field, type: 'any' }
  const { type = 'any', ...declared } = field as Omit<OutputField, 'type'> & {
    readonly type?: string | readonly string[]
  }
  if (typeof type === 'string') return { type, ...declared }
  return { type: type.find((word) => word !== 'null')!, nullable: true, ...declared }
}

function compositionOf(written: Composition): Composition {
  const policy: unknown = written.failure_policy
  const word = typeof policy === 'string' ? policy : undefined
  const failure_policy = {
    child_clarification: word ?? 'propagate',
    child_denial: word ?? 'propagate',
    child_approval_required: word ?? 'propagate',
    child_error: word ?? 'fail_parent',
    ...(word === undefined ? (policy as object) : {}),
  } as FailurePolicy
  return { ...written, failure_policy }
}

/** A view as plain JSON: no symbols, no prototypes, nothing shared with the tree. */
function plain(value: unknown): Json {
  if (Array.isArray(value)) return value.map(plain)
  if (typeof value !== 'object' || value === null) return value as Json
  const { [NODE]: node } = value as { readonly [NODE]?: MapNode }
  return { ...membersOf(value), ...(node === undefined ? {} : extensionsIn(node)) }
}

/** The members of an object that a table knows; its `x-…` keys are not in a view. */
function membersOf(value: object): JsonObject {
  const copy: { [key: string]: Json } = {}
  for (const key of Object.keys(value)) copy[key] = plain((value as JsonObject)[key])
  return copy
}

/** A capability keeps its extensions apart. */
const withoutExtensions = (members: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(members).filter(([name]) => !name.startsWith('x-')))

function extensionsOf(map: MapNode): { readonly extensions?: JsonObject } {
  const extensions = extensionsIn(map)
  return Object.keys(extensions).length === 0 ? {} : { extensions }
}

function extensionsIn(map: MapNode): JsonObject {
  const names = map.keys.map((key) => key.value as string).filter((name) => name.startsWith('x-'))
  return Object.fromEntries(names.map((name) => [name, jsonOf(valueAt(map, name)!)]))
}

/** A node as JSON. */
export function jsonOf(node: YamlNode): Json {
  if (node.kind === 'scalar') return node.value
  if (node.kind === 'list') return node.items.map(jsonOf)
  return Object.fromEntries(node.keys.map((key, index) => [key.value as string, jsonOf(node.values[index]!)]))
}
