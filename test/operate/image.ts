/**
 * Builds the file system of an image by the steps of its Dockerfile, and runs it, without a container engine: each stage is a folder that has the system's
 * programs and libraries read-only, as its base image would, and the base's Node 22; commands run in it under chroot. Needs root and unshare.
 */
import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import { chownSync, cpSync, mkdirSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { NODES } from '../runtimes/programs.js'

/** What a base image brings. */
const BASE = ['usr', 'bin', 'sbin', 'lib', 'lib64', 'etc']

export interface Image {
  readonly root: string
  readonly env: { readonly [name: string]: string }
  readonly workdir: string
  readonly user: string
  readonly volumes: readonly string[]
  readonly command: readonly string[]
  readonly healthcheck: readonly string[]
}

interface Stage {
  readonly root: string
  readonly env: { [name: string]: string }
  workdir: string
  user: string
  readonly volumes: string[]
  command: readonly string[]
  healthcheck: readonly string[]
}

/** `context`: the folder with the Dockerfile; `folder`: where the stages are made; `env`: what commands know beside the image's own. */
export async function buildImage(
  context: string,
  folder: string,
  env: { readonly [name: string]: string },
): Promise<Image> {
  const stages: Stage[] = []
  const named = new Map<string, Stage>()
  const ignored = ignoredIn(context)
  for (const line of readFileSync(join(context, 'Dockerfile'), 'utf8').split('\n')) {
    const [, word, rest] = /^([A-Z]+) (.*)$/u.exec(line) ?? []
    if (word === undefined || rest === undefined || word === 'ARG') continue
    if (word === 'FROM') {
      const stage = newStage(join(folder, `stage-${stages.length}`))
      stages.push(stage)
      const [, name] = / AS (\w+)$/u.exec(rest) ?? []
      if (name !== undefined) named.set(name, stage)
      continue
    }
    const stage = stages.at(-1)!
    if (word === 'ENV') for (const [, name, value] of rest.matchAll(/(\w+)=(\S+)/gu)) stage.env[name!] = value!
    else if (word === 'WORKDIR') mkdirSync(join(stage.root, (stage.workdir = rest)), { recursive: true })
    else if (word === 'COPY') copy(stage, rest, context, named, ignored)
    else if (word === 'RUN') await ran('unshare', inside(stage, rest, false), { env: { ...stage.env, ...env, PATH } })
    else if (word === 'USER') stage.user = rest
    else if (word === 'VOLUME') stage.volumes.push(rest)
    else if (word === 'CMD') stage.command = JSON.parse(rest) as string[]
    else if (word === 'HEALTHCHECK') stage.healthcheck = JSON.parse(rest.slice(rest.indexOf('CMD ') + 4)) as string[]
    else if (word !== 'EXPOSE' && word !== 'STOPSIGNAL') throw new Error(`This builder does not know ${word}.`)
  }
  return stages.at(-1)!
}

/** Runs a command to its end, and lets this process answer meanwhile. */
export async function ran(command: string, args: readonly string[], options: SpawnOptions): Promise<void> {
  const child = spawn(command, args, { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const [said, [code]] = await Promise.all([
    Promise.all([text(child.stdout!), text(child.stderr!)]),
    once(child, 'exit') as Promise<[number | null]>,
  ])
  if (code !== 0) throw new Error(`${command} ended with ${code}: ${said.join('')}`)
}

const PATH = '/usr/local/bin:/usr/bin:/bin:/usr/sbin:/sbin'

function newStage(root: string): Stage {
  for (const name of [...BASE, 'proc', 'dev', 'tmp', 'run', 'root', 'var/lib'])
    mkdirSync(join(root, name), { recursive: true })
  return { root, env: {}, workdir: '/', user: '0:0', volumes: [], command: [], healthcheck: [] }
}

function copy(
  stage: Stage,
  rest: string,
  context: string,
  named: ReadonlyMap<string, Stage>,
  ignored: (name: string) => boolean,
): void {
  const [, from, places] = /^(?:--from=(\w+) )?(.*)$/u.exec(rest)!
  const words = places!.split(' ')
  const to = join(stage.root, stage.workdir, words.at(-1)!)
  const source = from === undefined ? context : named.get(from)!.root
  const isFolder = words.length > 2 || words.at(-1)!.endsWith('/')
  for (const word of words.slice(0, -1)) {
    const path = join(source, word)
    const target = isFolder && !statSync(path).isDirectory() ? join(to, basename(word)) : to
    cpSync(path, target, {
      recursive: true,
      verbatimSymlinks: true,
      filter: (file) => from !== undefined || dirname(file) !== context || !ignored(basename(file)),
    })
  }
}

/** The top-level names that `.dockerignore` keeps out. */
function ignoredIn(context: string): (name: string) => boolean {
  const lines = readFileSync(join(context, '.dockerignore'), 'utf8').split('\n')
  const patterns = lines
    .filter((line) => line !== '' && !line.startsWith('#'))
    .map((line) => new RegExp(`^${line.replaceAll('.', '\\.').replaceAll('*', '.*')}$`, 'u'))
  return (name) => patterns.some((pattern) => pattern.test(name))
}

/** Arguments of `unshare` for a shell command in a stage; the programs of the base cannot be written. */
function inside(
  { root, workdir }: Pick<Stage, 'root' | 'workdir'>,
  command: string,
  isReadOnly: boolean,
  then: readonly string[] = [],
): string[] {
  const mounts = [
    'set -eu',
    `mount --bind "${root}" "${root}"`,
    ...BASE.map((name) => `mount --bind /${name} "${root}/${name}" && mount -o remount,bind,ro "${root}/${name}"`),
    `mount --bind "${NODES['Node 22']}" "${root}${process.execPath}"`,
    `mount --rbind /dev "${root}/dev"`,
    `mount -t proc proc "${root}/proc"`,
    ...then,
    ...(isReadOnly ? [`mount -o remount,bind,ro "${root}"`] : []),
    `exec chroot "${root}" sh -c 'cd ${workdir} && '${quoted(command)}`,
  ]
  return ['--mount', '--propagation', 'private', 'sh', '-c', mounts.join('\n')]
}

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`

export interface Mounted {
  /** Files and folders of the host, by their path in the container; read-only, owned by the container's user. */
  readonly readOnly: { readonly [path: string]: string }
  /** Where the volume of the image is kept. */
  readonly volume: string
  readonly env: { readonly [name: string]: string }
}

/** Runs a command as the image's user without any capability, on a root that cannot be written. */
export function runImage(image: Image, { readOnly, volume, env }: Mounted, command = image.command): ChildProcess {
  const [user, group] = image.user.split(':').map(Number)
  const mounts: string[] = []
  for (const [path, source] of Object.entries(readOnly)) {
    own(source, user!, group!)
    const target = join(image.root, path)
    mounts.push(
      statSync(source).isDirectory() ? `mkdir -p "${target}"` : `mkdir -p "${dirname(target)}" && touch "${target}"`,
      `mount --bind "${source}" "${target}" && mount -o remount,bind,ro "${target}"`,
    )
  }
  for (const path of image.volumes) mounts.push(`mount --bind "${volume}" "${image.root}${path}"`)
  mounts.push(`mount -t tmpfs tmpfs "${image.root}/tmp"`)
  const drop = `exec setpriv --reuid ${user} --regid ${group} --clear-groups --bounding-set=-all --no-new-privs`
  const words = command.map(quoted).join(' ')
  return spawn('unshare', inside(image, `${drop} ${words}`, true, mounts), {
    env: { PATH, ...image.env, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
}

function own(path: string, user: number, group: number): void {
  chownSync(path, user, group)
  if (statSync(path).isDirectory()) for (const name of readdirSync(path)) own(join(path, name), user, group)
}
