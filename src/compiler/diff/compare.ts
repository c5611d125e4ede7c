import type { Capability, Json, JsonObject, Manifest } from '../../protocol/manifest.js'
import { CAPABILITY } from '../shape/fields/capability.js'
import { MANIFEST } from '../shape/fields/manifest.js'
import { same, within, type Comparison, type Difference } from './difference.js'
import type { Effect } from './effects.js'
import { comparisonOf } from './fields.js'
import { judgesOf } from './judges.js'
import { changeKindOf, type Bump, type ChangeKind } from './kinds.js'
import { renamed } from './renames.js'
import { endpointChanges } from './service.js'
import { withOwnSchemas } from './value-schemas.js'
import { bumpFor, versionChanges } from './versions.js'

/** A manifest to compare, and whether it was served: then it tells nothing that only authors write. */
export interface ComparedManifest {
  readonly manifest: Manifest
  readonly isServed: boolean
}

/** A change, with what it means. */
export interface Change {
  readonly code: string
  readonly slug: string
  readonly effect: Effect
  /** True if governance becomes weaker, whether the change is breaking or not. */
  readonly weakens: boolean
  readonly bump: Bump | undefined
  readonly at: readonly string[]
  /** Difference, with the values in full. */
  readonly says: string
  /** A full sentence: what changed, and what that does to whom. */
  readonly message: string
}

/** Returns the differences of the new manifest, in the order of the document; pure. */
export function compareManifests(before: ComparedManifest, after: ComparedManifest): readonly Change[] {
  const isSource = !before.isServed && !after.isServed
  const [was, is] = [comparable(before, isSource), comparable(after, isSource)]
  const named = is['capabilities'] as unknown as Named
  const judges = judgesOf((name) => typeOf(named[name]) !== 'read')
  return [
    ...comparisonOf(MANIFEST, judges)(was, is),
    ...endpointChanges(before.manifest, after.manifest),
    ...capabilities(was['capabilities'] as unknown as Named, named, comparisonOf(CAPABILITY, judges)),
  ].map(changeOf)
}

/**
 * A manifest as it is written, extensions among the fields. Where one of the two was served, what only authors write
 * is left out of both.
 */
function comparable({ manifest }: ComparedManifest, isSource: boolean): JsonObject {
  const { capabilities, extensions, ...head } = manifest
  const all = Object.entries(capabilities).map(([name, each]) => {
    const { extensions: own, ...capability } = withOwnSchemas(each, manifest)
    return [name, { ...(isSource ? capability : asServed(capability)), ...own }] as const
  })
  const shown = isSource ? head : publicHead(manifest)
  return { ...shown, ...extensions, capabilities: Object.fromEntries(all) } as unknown as JsonObject
}

function publicHead({ manifest_metadata, service_identity, trust }: Manifest) {
  const { name: _, description: __, ...identity } = service_identity
  return { manifest_metadata, service_identity: identity, trust }
}

const asServed = (capability: Omit<Capability, 'extensions'>) => ({
  ...capability,
  output: { type: capability.output.type, fields: capability.output.fields.map(({ name }) => ({ name })) },
})

interface Named {
  readonly [name: string]: JsonObject
}

function capabilities(was: Named, is: Named, changes: Comparison): readonly Difference[] {
  const [before, after] = [new Map(Object.entries(was)), new Map(Object.entries(is))]
  const gone = new Map([...before].filter(([name]) => !after.has(name)))
  const come = new Map([...after].filter(([name]) => !before.has(name)))
  const names = renamed(gone, come)
  const oldNames = new Map([...names].map(([old, name]) => [name, old]))
  const at = (name: string) => ['capabilities', name]
  const compared = (old: JsonObject, now: JsonObject, name: string, first: readonly Difference[]) => {
    const differences = [...first, ...(same(old, now) ? [] : within(at(name), changes(old, now)))]
    const versions = versionChanges(
      String(old['contract_version']),
      String(now['contract_version']),
      bumpFor(differences),
    )
    return [...differences, ...within(at(name), versions)]
  }
  return [
    ...[...gone.keys()]
      .filter((name) => !names.has(name))
      .map((name) => ({ code: 'SVC9001', at: at(name), says: 'is gone' })),
    ...[...after].flatMap(([name, now]) => {
      const old = oldNames.get(name)
      if (old !== undefined)
        return compared(before.get(old)!, now, name, [{ code: 'SVC9003', at: at(name), says: `was called ${old}` }])
      const same = before.get(name)
      return same === undefined ? [addition(was, name, now)] : compared(same, now, name, [])
    }),
  ]
}

/**
 * A new capability. Under scopes that are in use, whoever holds these gains an action without being given anything:
 * what a token may do is more than it was, as where a capability loses a scope.
 */
function addition(was: Named, name: string, capability: JsonObject): Difference {
  const held = new Set(Object.values(was).flatMap(scopesOf))
  const asked = scopesOf(capability)
  const added = { code: 'SVC9002', at: ['capabilities', name] }
  if (asked.some((scope) => !held.has(scope))) return { ...added, says: 'is new' }
  const holders = asked.length === 0 ? 'every token' : `every token with ${asked.map(String).join(' and ')}`
  const instead = { effect: 'weakened', bump: undefined, weakens: true } as const
  return { ...added, says: `is new, and ${holders} may call it`, instead }
}

const scopesOf = (capability: JsonObject): readonly Json[] =>
  Array.isArray(capability['minimum_scope']) ? (capability['minimum_scope'] as readonly Json[]) : []

const typeOf = (capability: JsonObject | undefined): unknown =>
  (capability?.['side_effect'] as JsonObject | undefined)?.['type']

/** A difference with what it means. */
export function changeOf({ code, at, says, instead }: Difference): Change {
  const kind: ChangeKind = changeKindOf(code)
  const effect = instead?.effect ?? kind.effect
  return {
    code,
    slug: kind.slug,
    effect,
    weakens: instead?.weakens ?? (kind.weakens === true || effect === 'weakened'),
    bump: instead?.bump ?? kind.bump,
    at,
    says,
    message: `${nameOf(at)} ${clipped(says)}. ${kind.why}`,
  }
}

/** Descriptions may be long. */
const LONGEST = 240
const clipped = (text: string): string => (text.length > LONGEST ? `${text.slice(0, LONGEST)}…` : text)

/** A place as a person reads it: the capability, then what is in it. */
function nameOf([first, ...rest]: readonly string[]): string {
  if (first !== 'capabilities') return [first, ...rest].join('.')
  const [capability, ...within] = rest
  return within.length === 0 ? String(capability) : `${capability}: ${within.join('.')}`
}
