import { generateRing } from '../../crypto/keys/key-ring.js'
import { tierScopes } from '../../protocol/approver-scopes.js'
import { approverScope } from '../../protocol/identifiers.js'
import { durationMs } from '../../protocol/durations.js'
import { identifierOf } from '../../compiler/names.js'
import type { Capability, Input, Json, JsonObject, Manifest, OutputField } from '../../protocol/manifest.js'
import { fieldMayBeNull } from '../../protocol/presence.js'
import { isPrincipal } from '../../protocol/principals.js'
import { narrowed, schemaOf, schemasOf } from '../../protocol/value-schema.js'
import {
  createService,
  fetchHandler,
  inputValue,
  outputFields,
  structured,
  type ExternalBinding,
  type Handler,
  type ServiceDefinition,
  type Validate,
} from '../../runtime/index.js'
import { openSqlite } from '../../runtime/storage/sqlite/index.js'
import type { TestCase } from './case.js'
import { checkOfSchema } from './check-of-schema.js'

/** State of the service while a case runs. */
export interface World {
  now: number
  case: TestCase | undefined
  /** Capabilities whose handlers were reached. */
  readonly reached: Set<string>
  /** Capabilities without a given outcome: their values mean nothing. */
  readonly stubbed: Set<string>
}

/** The service's own handlers, by identifier. */
export interface OwnHandlers {
  readonly [identifier: string]: Handler
}

export interface TestedService {
  readonly world: World
  /** Sends a request with a credential of a principal, or a token. */
  readonly post: (path: string, bearer: string, body: object) => Promise<JsonObject>
  readonly close: () => Promise<void>
}

/**
 * A real service in memory over a manifest: handlers give what a case says, or run, or only note that they were
 * reached.
 */
export async function serviceOver(manifest: Manifest, start: number, own: OwnHandlers = {}): Promise<TestedService> {
  const world: World = { now: start, case: undefined, reached: new Set(), stubbed: new Set() }
  const storage = await openSqlite({ file: ':memory:', clock: () => world.now })
  const service = await createService({
    definition: definitionOf(manifest, world),
    implementation: {
      handlers: handlersOf(manifest, world, own),
      resolvers: resolversOf(manifest, world),
      actorPolicy: ({ input }) => world.case?.actor[input],
      resolveBinding: ({ capability, type, id }) => bindingOf(manifest, world, capability, type, id),
    },
    storage,
    keys: generateRing(),
    authenticate: (bearer) => {
      const principal = Buffer.from(bearer, 'base64url').toString()
      return isPrincipal(principal) ? { principal, ...entitled(manifest, world) } : undefined
    },
    clock: () => world.now,
    log: { debug: quiet, info: quiet, warn: quiet, error: quiet },
  })
  const answer = fetchHandler(service)
  return {
    world,
    post: async (path, bearer, body) => {
      const headers = { authorization: `Bearer ${bearer}`, 'content-type': 'application/json' }
      const request = new Request(`http://service.test${path}`, { method: 'POST', headers, body: JSON.stringify(body) })
      return (await (await answer(request)).json()) as JsonObject
    },
    close: async () => {
      await service.close()
      await storage.close()
    },
  }
}

/** The credential of a principal: its name, as a header can carry it. */
export const credentialOf = (principal: string): string => Buffer.from(principal).toString('base64url')

const quiet = (): void => undefined

/** A build makes code of schemas; a case is judged by the same rules without it. */
function validatorOf(input: Input, manifest: Manifest): Validate {
  const ofType = inputValue(input.type, input.allowed_values)
  const schema = schemaOf(input)
  if (schema === undefined) return ofType
  return structured(ofType, checkOfSchema(narrowed(schema, input.type), schemasOf(manifest)))
}

const definitionOf = (manifest: Manifest, world: World): ServiceDefinition => ({
  manifest,
  validators: Object.fromEntries(
    Object.entries(manifest.capabilities).map(([name, { inputs, output, kind }]) => [
      name,
      {
        input: Object.fromEntries(inputs.map((each) => [each.name, validatorOf(each, manifest)])),
        output: outputValidator(output.fields, kind, manifest, world),
      },
    ]),
  ),
})

/** Validates a handler's output against the manifest; skips placeholders. */
function outputValidator(
  fields: readonly OutputField[],
  kind: Capability['kind'],
  manifest: Manifest,
  { stubbed }: World,
): Validate {
  const loose = outputFields(Object.fromEntries(fields.map((field) => [field.name, 'any'])))
  const types = fields.map(
    (field) => [field.name, fieldMayBeNull(field, kind) ? ([field.type, 'null'] as const) : field.type] as const,
  )
  const checks = fields.flatMap((field) => {
    const schema = schemaOf(field)
    if (schema === undefined) return []
    return [[field.name, checkOfSchema(narrowed(schema, field.type), schemasOf(manifest))] as const]
  })
  const strict = outputFields(Object.fromEntries(types), Object.fromEntries(checks))
  return (value) => (stubbed.size > 0 ? loose : strict)(value)
}

interface FailingContext {
  readonly fail: (type: string, detail: string) => never
}

/**
 * Returns the handlers: an outcome given by the case, else the service's own code, else placeholder values for each
 * output field.
 */
const handlersOf = (manifest: Manifest, world: World, own: OwnHandlers): { readonly [capability: string]: Handler } =>
  Object.fromEntries(
    Object.entries(manifest.capabilities).map(([name, { output }]): [string, Handler] => [
      name,
      (input: never, context: never) => {
        world.reached.add(name)
        const given = world.case?.given[name]
        const failure = given?.['failure']
        if (typeof failure === 'string') return (context as FailingContext).fail(failure, 'The case says so.')
        if (given !== undefined) return given
        const handler = own[identifierOf(name)]
        if (handler !== undefined) return handler(input, context)
        world.stubbed.add(name)
        return Object.fromEntries(output.fields.map((field) => [field.name, 'a value']))
      },
    ]),
  )

/** A value resolves to what the case says, or to itself. */
const resolversOf = (manifest: Manifest, world: World) => {
  const inputs = Object.values(manifest.capabilities).flatMap((capability) => capability.inputs)
  const references = inputs.flatMap(({ resolution, catalog_ref }) => resolution?.resolver_ref ?? catalog_ref ?? [])
  const resolve = ({ input, value }: { readonly input: string; readonly value: Json }) => ({
    value: world.case?.resolved[input] ?? value,
  })
  return Object.fromEntries(references.map((reference) => [reference, resolve]))
}

/** The id that a caller passes for a binding of a case. */
export const bindingIdOf = (field: string): string => `bnd_of_${field}`

function bindingOf(
  manifest: Manifest,
  world: World,
  capability: string,
  type: string,
  id: string,
): ExternalBinding | undefined {
  const declared = manifest.capabilities[capability]?.requires_binding ?? []
  const field = declared.find((each) => bindingIdOf(each.field) === id && each.type === type)?.field
  const given = field === undefined ? undefined : world.case?.bindings[field]
  if (given === undefined) return undefined
  const { price, data } = given
  const issued_at = world.now - (durationMs(given.age ?? 'PT0S') ?? 0)
  return { binding_id: id, type: given.type ?? type, issued_at, ...(price && { price }), ...(data && { data }) }
}

/**
 * Grants each principal of a case everything the case asks for: entitlements belong to credentials, not to the
 * manifest.
 */
function entitled({ capabilities, approvals }: Manifest, { case: now }: World) {
  const needed = Object.entries(capabilities).flatMap(([name, each]) => [approverScope(name), ...each.minimum_scope])
  const own = approvals.approver_scope === undefined ? [] : [approvals.approver_scope]
  const { scope = [], caller_class } = now?.token ?? {}
  return {
    scopes: [...needed, ...own, ...tierScopes(capabilities), ...scope],
    caller_classes: caller_class === undefined ? [] : [caller_class],
  }
}
