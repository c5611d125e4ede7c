/** Namespaces of Linux around a child: its own users, processes, files and network, and a session of its own. */
import { lstatSync, readlinkSync } from 'node:fs'
import { release } from 'node:os'
import { join } from 'node:path'
import type { Power } from './pinned.js'
import type { ChildView } from './view.js'

/** A program with its arguments, up to the program that it runs within walls. */
export type Walls = readonly string[]

/** Folder of a child, and one on which its new root is mounted. */
export interface ChildFolder {
  readonly own: string
  readonly root: string
}

export const foldersIn = (folder: string): ChildFolder => ({ own: join(folder, 'own'), root: join(folder, 'root') })

/** No socket, no /run and no /tmp of the host, no capability and no further namespace; nothing outlives the service. */
const BWRAP =
  'bwrap --unshare-all --unshare-user --disable-userns --new-session --die-with-parent --cap-drop ALL'.split(' ')

/** Room of the own folder of a child, in memory: it fills no disk of the host. */
const OWN_BYTES = 64 * 1024 * 1024

/** Processes and threads that a child may have at a time where it may start some; Node has a dozen threads. */
const MOST_TASKS = 256

const [MAJOR = 0, MINOR = 0] = release().split('.').map(Number)

/**
 * Bounds the tasks of a child. Kernels since 5.14 count them for each user namespace; earlier ones would count all of
 * the service's user. Shells spell it in two ways; what is root for the kernel has no such bound.
 */
const FEWER_TASKS =
  MAJOR > 5 || (MAJOR === 5 && MINOR >= 14)
    ? `ulimit -u ${MOST_TASKS} 2> /dev/null || ulimit -p ${MOST_TASKS} 2> /dev/null || :`
    : ':'

export const bwrapWalls = ({ readable, writable, own }: ChildView, allow: readonly Power[]): Walls => [
  ...BWRAP,
  ...systemFolders(allow).flatMap(({ path, target }) =>
    target === undefined ? ['--ro-bind', path, path] : ['--symlink', target, path],
  ),
  ...[process.execPath, ...readable].flatMap((path) => ['--ro-bind', path, path]),
  '--proc',
  '/proc',
  '--dev',
  '/dev',
  ...writable.flatMap((path) => ['--bind', path, path]),
  '--size',
  String(OWN_BYTES),
  '--tmpfs',
  own,
  ...['/proc', '/dev', '/'].flatMap((path) => ['--remount-ro', path]),
  '--chdir',
  own,
  '--',
  // Without this power there is no shell within the walls, and nothing that starts a process.
  ...(allow.includes('child-process') ? ['/bin/sh', '-c', `${FEWER_TASKS}\nexec "$@"`, 'sh'] : []),
]

/**
 * Bubblewrap shows the devices of the host so that they can be written to. Where a service is started as root, so that
 * its child owns them, they become read-only first: what they do remains, their mode and times cannot be changed.
 */
export const READ_ONLY_DEVICES: Walls = [
  'unshare',
  '--mount',
  '--',
  'sh',
  '-euc',
  `for device in null zero full random urandom tty; do
  mount --bind /dev/$device /dev/$device
  mount -o remount,bind,ro /dev/$device
done
exec "$@"`,
  'sh',
]

/**
 * Bounds for each process of a child: 2 GiB of memory, no core file, and a tenth of the processor where the service
 * wants it. Where the memory of the machine ends, the kernel ends the child first, and not the service.
 */
export const LIMITED: Walls = [
  'sh',
  '-c',
  `ulimit -c 0 || :
ulimit -d 2097152 || :
{ echo 1000 > /proc/self/oom_score_adj; } 2> /dev/null || :
exec nice -n 10 "$@"`,
  'sh',
]

/** A session of its own, too: a signal to its group reaches nobody outside. No interface is up in the network. */
const UNSHARE = (
  'setpriv --pdeathsig KILL -- ' +
  'unshare --user --map-root-user --mount --pid --fork --kill-child --net --ipc --uts -- setsid --'
).split(' ')

/** Ends well where this machine gives namespaces to whoever asks. */
export const NAMESPACES_TRIAL: Walls = [...UNSHARE, 'sh', '-c', 'mount -t proc proc /proc']

/** Of the programs of the system, those by which `LAY_OUT` ends; and what Node opens at its start. */
const ENDS_BY = ['/usr/bin/umount', '/usr/bin/rmdir', '/usr/bin/mount', '/usr/bin/setpriv']
const DEVICES = ['/dev/null', '/dev/urandom']

export const unshareWalls = (
  { readable, writable, own }: ChildView,
  allow: readonly Power[],
  folder: ChildFolder,
): Walls => [
  ...UNSHARE,
  'sh',
  '-c',
  LAY_OUT,
  'sh',
  folder.root,
  ...systemFolders(allow).flatMap(({ path, target }) =>
    target === undefined ? ['ro', path, path] : ['link', target, path],
  ),
  ...[process.execPath, ...ENDS_BY, ...readable].flatMap((path) => ['ro', path, path]),
  ...DEVICES.flatMap((path) => ['ro', path, path]),
  ...writable.flatMap((path) => ['rw', path, path]),
  '--',
  own,
]

/**
 * Makes a root of the listed paths, leaves the one of the host, and gives up every capability. Paths are arguments. A
 * child of root owns what root owns: it changes no setting of the kernel in /proc, no device, and makes no namespaces.
 */
const LAY_OUT = `set -eu
path=$PATH
PATH=/usr/sbin:/usr/bin:/sbin:/bin
root=$1; shift
mount -t tmpfs -o size=1m,mode=755 tmpfs "$root"
while [ "$1" != -- ]; do
  to=$root$3
  mkdir -p "\${to%/*}"
  if [ "$1" = link ]; then ln -s "$2" "$to"
  else
    if [ -d "$2" ]; then mkdir -p "$to"; elif ! [ -e "$to" ]; then : > "$to"; fi
    mount --bind "$2" "$to"
    if [ "$1" = ro ]; then mount -o remount,bind,ro "$to"; fi
  fi
  shift 3
done
mkdir -p "$root$2"
mount -t tmpfs -o size=${OWN_BYTES},mode=755 tmpfs "$root$2"
mkdir "$root/proc" "$root/.host"
mount -t proc proc "$root/proc"
echo 0 > "$root/proc/sys/user/max_user_namespaces"
mount -o remount,bind,ro "$root/proc"
cd "$root"
pivot_root . .host
umount -l /.host
rmdir /.host
mount -o remount,ro /
cd "$2"; shift 2
export PATH="$path"
exec /usr/bin/setpriv --bounding-set=-all --inh-caps=-all --no-new-privs -- "$@"
`

/** What a program needs of the system to start at all, and what a child sees besides that may start processes. */
const LIBRARIES = ['/lib', '/lib32', '/lib64', '/usr/lib', '/usr/lib32', '/usr/lib64']
const PROGRAMS = ['/bin', '/usr/bin']

interface SystemFolder {
  readonly path: string
  /** Of a link, as `/lib` is one to `usr/lib` on most systems. */
  readonly target: string | undefined
}

const systemFolders = (allow: readonly Power[]): readonly SystemFolder[] =>
  [...LIBRARIES, ...(allow.includes('child-process') ? PROGRAMS : [])].flatMap((path) => {
    const found = lstatSync(path, { throwIfNoEntry: false })
    if (found === undefined) return []
    return [{ path, target: found.isSymbolicLink() ? readlinkSync(path) : undefined }]
  })
