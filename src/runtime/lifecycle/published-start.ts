import { distTrouble } from '../keys/dist-digests.js'
import { publicationOf, publishedTrouble } from '../keys/published-trouble.js'
import { servedManifestMemory, type ServedManifestMemory } from '../keys/served-manifest.js'
import type { ServiceOptions } from '../service.js'

/** The server itself was read before it could judge; `svc doctor --dist` judges it from outside. */
const RUNNING = ['server.mjs']

/** Full sentences for what keeps a manifest that was signed elsewhere from being served (decisions, section 22). */
export async function unservable(options: ServiceOptions): Promise<readonly string[]> {
  const { publishedManifest: published, keys, definition, clock = Date.now } = options
  if (published === undefined) return []
  const troubles = publishedTrouble(published, keys, definition.manifest, clock())
  if (troubles.length > 0) return troubles
  const { digests, issuedAt } = publicationOf(published)
  const changed = published.folder === undefined ? [] : await filesTrouble(published.folder, digests)
  const last = await memoryOf(options)?.last(definition.manifest.service_identity.id)
  return last === undefined || issuedAt >= last ? changed : [...changed, olderThan(issuedAt, last)]
}

/** A manifest from a folder states the files of that folder: one that states none could stand beside any. */
async function filesTrouble(folder: string, digests: string | undefined): Promise<readonly string[]> {
  return digests === undefined ? [STATES_NONE] : distTrouble(folder, digests, RUNNING)
}

const STATES_NONE =
  'The published manifest states no digest of the files beside it. Sign in the folder of the build, without --out: svc sign'

/** Notes the manifest that is served from now on: no older one will be. */
export async function noteServed(options: ServiceOptions): Promise<void> {
  const { publishedManifest: published, definition } = options
  if (published === undefined) return
  await memoryOf(options)?.keep(definition.manifest.service_identity.id, publicationOf(published).issuedAt)
}

const memoryOf = ({ keys, stateDir = keys.directory }: ServiceOptions): ServedManifestMemory | undefined =>
  stateDir === undefined ? undefined : servedManifestMemory(stateDir)

const olderThan = (issuedAt: number, last: number): string =>
  `The published manifest was issued at ${new Date(issuedAt).toISOString()}, and this service has served one of ` +
  `${new Date(last).toISOString()}. To go back to an older build, sign it again: svc sign`
