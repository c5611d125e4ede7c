import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, join } from 'node:path'
import { Unreachable, type McpChannel } from './channel.js'
import type { Environment, PinnedContainer } from './pinned.js'
import { environmentOf, runAside, startedChannel, endsWell } from './process.js'

const ENGINES = ['docker', 'podman'] as const
const OF_THE_ENGINES = ['DOCKER_HOST', 'DOCKER_CONTEXT', 'CONTAINER_HOST', 'XDG_RUNTIME_DIR'] as const

/**
 * No network, no capability, nothing that is written (nor in a log of the engine), nothing that is fetched: the image as
 * it was accepted.
 */
const WALLS = [
  '--rm',
  '--interactive',
  '--pull=never',
  '--network=none',
  '--read-only',
  '--log-driver=none',
  '--cap-drop=ALL',
  '--security-opt=no-new-privileges',
  '--pids-limit=512',
  '--ulimit=data=2147483648',
] as const

const DIGEST = /^(?:[^\s@-][^\s@]*@)?sha256:[0-9a-f]{64}$/u

/** Returns whether a name of an image names one content, whatever its tags mean later. */
export const isPinnedImage = (image: string): boolean => DIGEST.test(image)

/** Starts the server of an image with docker or podman, whichever has the image. */
export function containerChannel(
  { image, args, env: names }: PinnedContainer,
  environment: Environment,
  onNotice: (method: string) => void,
): McpChannel {
  const env = environmentOf([...OF_THE_ENGINES, ...names], environment)
  const engine = engineOf(image, env)
  const folder = mkdtempSync(join(tmpdir(), 'svc-upstream-'))
  const name = basename(folder)
  const given = names.map((each) => `--env=${each}`)
  const forget = (): void => {
    rmSync(folder, { recursive: true, force: true })
    // The engine outlives its command: a server that ignores the end of its input would run on.
    runAside([engine, 'rm', '--force', name], env)
  }
  const command = [engine, 'run', `--name=${name}`, ...WALLS, ...given, image, ...args]
  return startedChannel(command, { cwd: folder, env }, onNotice, forget)
}

function engineOf(image: string, env: NodeJS.ProcessEnv): string {
  if (!isPinnedImage(image))
    throw new Unreachable(
      `The image ${JSON.stringify(image)} must be named by its digest, as <name>@sha256:<digest>. Find it with: ` +
        "docker image inspect --format '{{.RepoDigests}} {{.Id}}' <name>",
      false,
    )
  const found = ENGINES.find((engine) => endsWell([engine, 'image', 'inspect', image], { env }))
  if (found !== undefined) return found
  throw new Unreachable(`Neither docker nor podman has the image here. Run: docker pull ${image}`, false)
}
