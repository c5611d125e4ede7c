import { isRecord } from '../../crypto/json/kinds.js'
import type { Json, JsonObject } from '../../protocol/manifest.js'
import { differing, type Difference } from './difference.js'

/** Path of a file in which `svc import mcp` wrote what a person accepted of a server -> what it pins. */
export interface PinnedFiles {
  readonly [path: string]: JsonObject
}

/** Codes of changes of these files (threat N34). */
export const PINNED = {
  added: 'SVC9271',
  removed: 'SVC9272',
  changed: 'SVC9273',
  widened: 'SVC9274',
  narrowed: 'SVC9275',
  toolAdded: 'SVC9276',
  toolRemoved: 'SVC9277',
} as const

type Judge = (before: Json | undefined, after: Json | undefined) => string | undefined

const isOther: Judge = () => PINNED.changed
const isSaid: Judge = () => undefined
const textsOf = (value: Json | undefined): readonly Json[] => (Array.isArray(value) ? value : [])

/** Judges a list of what a server may reach or do. */
const reaches: Judge = (before, after) =>
  textsOf(after).some((each) => !textsOf(before).includes(each)) ? PINNED.widened : PINNED.narrowed

/** Judges words by how much they let through, least first. */
const ranked =
  (ranks: readonly string[], absent: string): Judge =>
  (before, after) =>
    ranks.indexOf(String(after ?? absent)) > ranks.indexOf(String(before ?? absent)) ? PINNED.widened : PINNED.narrowed

const network: Judge = (before, after) =>
  Array.isArray(before) && Array.isArray(after)
    ? reaches(before, after)
    : ranked(['none', 'hosts', 'open'], 'none')(networkWord(before), networkWord(after))

const networkWord = (value: Json | undefined): Json | undefined => (Array.isArray(value) ? 'hosts' : value)

/** Judges of the members of `server`; a change of any other member means another server. */
export const SERVER_FIELDS: { readonly [field: string]: Judge } = {
  package: isOther,
  version: isOther,
  integrity: isOther,
  files: isOther,
  file: isOther,
  args: isOther,
  image: isOther,
  url: isOther,
  credential: isOther,
  connection: isOther,
  user: isOther,
  env: reaches,
  paths: reaches,
  allow: reaches,
  confinement: ranked(['container', 'namespaces', 'none'], 'namespaces'),
  network,
  reason: isSaid,
}

/** Compares what was accepted of the servers behind: what runs, what it reaches, and which tools may be called. */
export const pinnedChanges = (before: PinnedFiles, after: PinnedFiles): readonly Difference[] =>
  [...new Set([...Object.keys(before), ...Object.keys(after)])].toSorted().flatMap((path) => {
    const [was, is] = [before[path], after[path]]
    if (was === undefined) return [{ code: PINNED.added, at: [path], says: 'is new' }]
    return is === undefined ? [{ code: PINNED.removed, at: [path], says: 'is gone' }] : within(path, was, is)
  })

function within(path: string, before: JsonObject, after: JsonObject): readonly Difference[] {
  return [
    ...differing([path, 'name'], before['name'], after['name'], isOther),
    ...members([path, 'server'], before['server'], after['server'], (name) =>
      Object.hasOwn(SERVER_FIELDS, name) ? SERVER_FIELDS[name]! : isOther,
    ),
    ...members([path, 'tools'], before['tools'], after['tools'], () => tool),
  ]
}

const tool: Judge = (_, after) => (after === undefined ? PINNED.toolRemoved : PINNED.toolAdded)

function members(
  at: readonly string[],
  before: Json | undefined,
  after: Json | undefined,
  judgeOf: (name: string) => Judge,
): readonly Difference[] {
  const [was, is] = [before, after].map((value) => (isRecord(value) ? value : {})) as [JsonObject, JsonObject]
  const names = [...new Set([...Object.keys(was), ...Object.keys(is)])]
  return names.flatMap((name) => differing([...at, name], was[name], is[name], judgeOf(name)))
}
