/**
 * What a service needs beside a valid project before strangers call it: `svc doctor --production`, with the settings
 * that the service reads.
 */
import { access, constants } from 'node:fs/promises'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type { Capability } from '../../protocol/manifest.js'
import { openToOthers } from '../../runtime/keys/private-file.js'
import { isLoopback } from '../../runtime/net/loopback.js'
import { databaseOf } from '../shared/database.js'
import { serviceSetting } from '../shared/files/service-setting.js'
import { logBytes, MOST_LOG_BYTES } from '../../runtime/storage/sqlite/write-ahead-log.js'
import { doubtful, fine, wrong, type Diagnosis, type Examination } from './examination.js'
import { schemaIsWhole } from './schema.js'
import { everyServerIsConfined } from './servers.js'
import { keysOfSigner } from './signer.js'
import { shellPath } from '../../protocol/shell.js'

const setting = (root: string, name: string): string => serviceSetting(root, name) ?? ''

/** Whether what is for a developer is off. */
const developmentIsOff: Examination = {
  name: 'development',
  of: (root) =>
    setting(root, 'SVC_DEVELOPMENT') === 'true'
      ? wrong('SVC_DEVELOPMENT is true: API keys open the console.', 'Unset it, and take it out of .env.')
      : fine('SVC_DEVELOPMENT is off'),
}

/** Whether the folder of keys is its owner's alone, and none of them signs longer than a year. */
const keysAreKept: Examination = {
  name: 'keys',
  of: async (root) => {
    if (setting(root, 'SVC_SIGNER') !== '') return keysOfSigner(root)
    const folder = resolve(root, setting(root, 'SVC_KEYS') || 'keys')
    if (!existsSync(folder)) return wrong(`There is no folder ${folder}.`, 'Name it in SVC_KEYS.')
    const mode = await openToOthers(folder)
    if (mode !== undefined)
      return wrong(`Others may read ${folder} (mode ${mode}).`, `Run: chmod 700 ${shellPath(folder)}`)
    const { readKeyRing } = await import('../../runtime/keys/key-directory.js')
    await readKeyRing(folder)
    return fine(`each role signs, and ${folder} is its owner’s alone`)
  },
}

/** Whether callers and the service talk in secret: TLS ends here or before it, at an address that is said. */
const addressIsSecret: Examination = {
  name: 'TLS',
  of: (root) => {
    const [url, host] = [setting(root, 'SVC_PUBLIC_URL'), setting(root, 'HOST') || '127.0.0.1']
    if (!url.startsWith('https://') && !isLoopback(url))
      return wrong(
        `SVC_PUBLIC_URL is ${url === '' ? 'not set' : JSON.stringify(url)}.`,
        'Set the https address that people and agents use; a proxy in front ends TLS.',
      )
    return host === '127.0.0.1' || host === '::1' || host === 'localhost'
      ? fine(`${url}, by a proxy on this machine`)
      : doubtful(
          `The service listens on ${host} without TLS.`,
          'Let only the proxy reach its port: a network policy, a firewall. X-Forwarded headers are never believed.',
        )
  },
}

async function diagnosisOfFile(file: string, shown: string): Promise<Diagnosis> {
  const mode = existsSync(file) ? await openToOthers(file) : undefined
  if (mode !== undefined) return wrong(`Others may read ${shown} (mode ${mode}).`, `Run: chmod 600 ${shellPath(shown)}`)
  const bytes = await logBytes(file)
  if (bytes <= MOST_LOG_BYTES) return fine(shown)
  const mebibytes = Math.round(bytes / 1024 / 1024)
  return doubtful(
    `The write-ahead log ${shown}-wal has ${mebibytes} MiB: another process reads the database and does not end.`,
    `Find it, and end it: lsof ${shellPath(shown)}`,
  )
}

/** Whether the database is reached in secret, and where it is a file, is its owner's alone. */
const databaseIsSecret: Examination = {
  name: 'database',
  of: async (root) => {
    if (setting(root, 'SVC_DATABASE') === '') return wrong('SVC_DATABASE is not set.', 'Name the database of the service.')
    const { place, shown, isPostgres } = databaseOf(setting(root, 'SVC_DATABASE'))
    if (!isPostgres) return diagnosisOfFile(resolve(root, place), shown)
    const { hostname, searchParams } = new URL(place)
    const isNear = ['', 'localhost', '127.0.0.1', '[::1]'].includes(hostname)
    const isSecret = ['require', 'verify-ca', 'verify-full'].includes(searchParams.get('sslmode') ?? '')
    return isNear || isSecret
      ? fine(shown)
      : doubtful(`${shown} does not ask for TLS.`, 'Add ?sslmode=verify-full, unless the network is yours alone.')
  },
} // prettier-ignore

/** Whether API keys end, reach no further than they must, and somebody may operate and audit. */
const rolesAreGiven: Examination = {
  name: 'roles',
  of: async (root) => {
    const file = resolve(root, setting(root, 'SVC_API_KEYS') || 'api-keys.json')
    if (!existsSync(file)) return fine('no API keys; roles come from the identity provider')
    const { keysOf } = await import('../apikeys/file.js')
    const keys = (await keysOf(file)).filter(({ revoked, development }) => revoked !== true && development !== true)
    const endless = keys.filter(({ expires_at }) => expires_at === undefined).map(({ id }) => id)
    if (endless.length > 0)
      return doubtful(
        `These keys never end: ${endless.join(', ')}.`,
        'Run: svc apikeys add with --expires; end the old ones.',
      )
    const given = new Set(keys.flatMap(({ roles = [] }) => roles))
    const missing = (['operator', 'auditor', 'metrics'] as const).filter((role) => !given.has(role))
    return missing.length === 0
      ? fine('operator, auditor and metrics are given')
      : doubtful(
          `No key has the role ${missing.join(', ')}.`,
          'In an emergency somebody must be able to end tokens: give the roles now.',
        )
  },
}

/** Whether it is decided how long entries are kept. */
const retentionIsDecided: Examination = {
  name: 'retention',
  of: async (root) => {
    if (!existsSync(join(root, 'svc.yaml'))) return undefined
    const { readManifest } = await import('../validate/read-manifest.js')
    const { check } = await import('../../compiler/check.js')
    const { sources, includeProblems } = await readManifest(join(root, 'svc.yaml'))
    const { manifest } = check(sources, { includeProblems, now: Date.now() })
    // Of what has errors, the question about the manifest says so.
    if (manifest === undefined) return undefined
    const capabilities: readonly (readonly [string, Capability])[] = Object.entries(manifest.capabilities)
    const endless = capabilities.filter(([, { observability }]) => observability?.retention === undefined)
    return endless.length === 0
      ? fine('every capability says how long its entries are kept')
      : doubtful(
          `Entries are kept for ever of ${endless.map(([name]) => name).join(', ')}.`,
          'Say observability.retention where the law or you want less.',
        )
  },
}

/** Whether a restored backup would be noticed: the memory of checkpoints can be written. */
const stateIsWritable: Examination = {
  name: 'state',
  of: async (root) => {
    if (setting(root, 'SVC_SIGNER') !== '' && setting(root, 'SVC_STATE_DIR') === '')
      return wrong('With a signer there is no folder of keys to remember checkpoints in.', 'Name one in SVC_STATE_DIR.')
    const folder = resolve(root, setting(root, 'SVC_STATE_DIR') || setting(root, 'SVC_KEYS') || 'keys')
    const isWritable = await access(folder, constants.W_OK).then(
      () => true,
      () => false,
    )
    return isWritable
      ? fine(folder)
      : wrong(
          `${folder} cannot be written, so a restored backup would not be noticed.`,
          'Name a folder in SVC_STATE_DIR that the service may write, outside of the database.',
        )
  },
}

const DAY_MS = 86_400_000

/** Whether somebody else cosigns the log: only then can nobody here rewrite it unseen. */
const logIsWitnessed: Examination = {
  name: 'witness',
  of: (root) => {
    const note = setting(root, 'SVC_WITNESS_NOTE')
    const how = 'Run svc audit witness each hour, and name the file that it keeps in SVC_WITNESS_NOTE.'
    if (note === '') return doubtful('Nobody is known to cosign the checkpoints.', how)
    const file = resolve(root, note)
    if (!existsSync(file)) return wrong(`There is no cosigned note ${file}.`, how)
    const age = Date.now() - statSync(file).mtimeMs
    return age > DAY_MS ? wrong(`The cosigned note is ${Math.floor(age / DAY_MS)} d old.`, how) : fine(file)
  },
}

/** Where services of time leave a sign that the clock was set. */
const SYNCHRONIZED = ['/run/systemd/timesync/synchronized', '/var/lib/chrony/drift', '/run/chrony/chronyd.pid']

/** Whether the clock of the machine is kept. */
const clockIsKept: Examination = {
  name: 'NTP',
  of: () => {
    const sign = SYNCHRONIZED.find((file) => existsSync(file))
    return sign !== undefined || isContainer()
      ? fine(sign ?? 'the clock is that of the host')
      : doubtful(
          'Nothing here is known to keep the clock.',
          'Run chrony or systemd-timesyncd: tokens and quotes live by it.',
        )
  },
}

const isContainer = (): boolean =>
  existsSync('/.dockerenv') || (existsSync('/proc/1/environ') && canRead('/proc/1/environ').includes('container='))

function canRead(file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}

/** What `svc doctor --production` asks beside the rest. */
export const PRODUCTION: readonly Examination[] = [
  developmentIsOff,
  keysAreKept,
  addressIsSecret,
  databaseIsSecret,
  schemaIsWhole,
  rolesAreGiven,
  retentionIsDecided,
  everyServerIsConfined,
  stateIsWritable,
  logIsWitnessed,
  clockIsKept,
]
