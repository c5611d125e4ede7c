import type { Place, Source } from '../diagnostics.js'
import { conceal, secretsOf } from '../explain/secrets.js'
import type { YamlNode } from '../parse/tree.js'
import type { Manifest } from '../../protocol/manifest.js'
import { compareManifests, type Change } from './compare.js'
import { locator } from './locate.js'

/** One of two manifests: its files as they were read, and what they say. */
export interface Side {
  readonly sources: readonly Source[]
  readonly roots: readonly (YamlNode | undefined)[]
  readonly manifest: Manifest
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
  if (changes.length === 0) return []
  const [was, is] = [before, after].map(({ sources, roots }) => locator(sources, roots)) as [Locate, Locate]
  const secrets = [before, after].flatMap(({ sources, roots }) =>
    secretsOf(
      sources.map(({ text }) => text),
      roots,
    ),
  )
  return changes.map((change) => {
    const old = was(change.at)
    const { message } = change
    return {
      ...change,
      message: conceal(message, secrets),
      ...is(change.at).place,
      ...(old.isThere && { old: old.place }),
    }
  })
}

type Locate = ReturnType<typeof locator>

/**
 * Checks whether a manifest was published, and so has its own digest (section 2.3). A source may claim one too, so
 * its file counts as well.
 */
const isPublished = ({ manifest, sources }: Side): boolean =>
  manifest.manifest_metadata.sha256 !== undefined && sources[0]?.file.endsWith('.json') === true

const isFetched = ({ manifest, sources }: Side): boolean =>
  manifest.manifest_metadata.sha256 !== undefined && /^https?:\/\//iu.test(sources[0]?.file ?? '')
