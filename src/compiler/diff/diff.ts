import type { Place, Source } from '../diagnostics.js'
import { conceal, secretsOf } from '../explain/secrets.js'
import type { YamlNode } from '../parse/tree.js'
import type { Manifest } from '../../protocol/manifest.js'
import { changeOf, compareManifests, type Change } from './compare.js'
import { locator } from './locate.js'
import { pinnedChanges, type PinnedFiles } from './pinned.js'

/** One of two manifests: its files as they were read, and what they say. */
export interface Side {
  readonly sources: readonly Source[]
  readonly roots: readonly (YamlNode | undefined)[]
  readonly manifest: Manifest
  /** Accepted tools of imported servers; undefined if there is only a manifest. */
  readonly pinned: PinnedFiles | undefined
}

/** A change, with where it is now, or the nearest thing that is there, and where it was. */
export interface PlacedChange extends Change, Place {
  readonly old?: Place
}

/** Returns the differences of a new manifest, with places. No message contains a secret. */
export function diffManifests(before: Side, after: Side): readonly PlacedChange[] {
  const changes = compareManifests(
    { manifest: before.manifest, isServed: isFetched(before) || isPublished(before) },
    { manifest: after.manifest, isServed: isFetched(after) },
  )
  const pinned = pinnedPlaces(before, after)
  if (changes.length === 0) return pinned
  const [was, is] = [before, after].map(({ sources, roots }) => locator(sources, roots)) as [Locate, Locate]
  const secrets = [before, after].flatMap(({ sources, roots }) =>
    secretsOf(
      sources.map(({ text }) => text),
      roots,
    ),
  )
  const placed = changes.map((change) => {
    const old = was(change.at)
    const { message } = change
    return {
      ...change,
      message: conceal(message, secrets),
      ...is(change.at).place,
      ...(old.isThere && { old: old.place }),
    }
  })
  return [...placed, ...pinned]
}

const BEGIN = { line: 1, column: 1, offset: 0 }

/** Changes of what was accepted of servers, each in its file, where both sides have such files to compare. */
const pinnedPlaces = (before: Side, after: Side): readonly PlacedChange[] =>
  before.pinned === undefined || after.pinned === undefined
    ? []
    : pinnedChanges(before.pinned, after.pinned).map((difference) => ({
        ...changeOf(difference),
        file: difference.at[0]!,
        range: { start: BEGIN, end: BEGIN },
      }))

type Locate = ReturnType<typeof locator>

/**
 * Checks whether a manifest was published, and so has its own digest (section 2.3). A source may claim one too, so
 * its file counts as well.
 */
const isPublished = ({ manifest, sources }: Side): boolean =>
  manifest.manifest_metadata.sha256 !== undefined && sources[0]?.file.endsWith('.json') === true

const isFetched = ({ manifest, sources }: Side): boolean =>
  manifest.manifest_metadata.sha256 !== undefined && /^https?:\/\//iu.test(sources[0]?.file ?? '')
