/** Reason and remedy of each file system error. */
const remedies: { readonly [code: string]: readonly [reason: string, remedy: string] } = {
  EACCES: ['permission denied', 'Give yourself the right to it, or choose another place.'],
  EPERM: ['the operation is not permitted', 'Give yourself the right to it, or choose another place.'],
  EROFS: ['the file system is read-only', 'Choose a place that can be written.'],
  ENOSPC: ['no space is left on the device', 'Free some space, then run the command again.'],
  EDQUOT: ['your disk quota is used up', 'Free some space, then run the command again.'],
  EFBIG: ['the file is larger than may be written here', 'Raise the limit (ulimit -f), then run the command again.'],
  ENOENT: ['there is no such file or folder', 'Make it, or name another.'],
  ENOTDIR: ['a part of the path is not a folder', 'Name another folder, or move that file away.'],
  EISDIR: ['it is a folder, where a file is expected', 'Move it away, or name a file.'],
  EEXIST: ['it is there already, and is not what is expected', 'Move it away, or choose another place.'],
  ENAMETOOLONG: ['the name is too long', 'Choose a shorter one.'],
  ELOOP: ['the path goes through a loop of links', 'Fix the links, or name another path.'],
  EBUSY: ['it is in use', 'Close what uses it, then run the command again.'],
  EMFILE: ['too many files are open', 'Raise the limit (ulimit -n), then run the command again.'],
  'watch ENOSPC': [
    'the system watches as many files as it may',
    'Raise the limit (sysctl fs.inotify.max_user_watches), then run the command again.',
  ],
  'watch EMFILE': [
    'the system has as many watchers as it may',
    'Raise the limit (sysctl fs.inotify.max_user_instances), then run the command again.',
  ],
  EIO: ['the device failed', 'Look after the device, then run the command again.'],
}

/** One message for an error of the operating system that the user can fix; undefined for any other error. */
export function systemErrorText(error: unknown): string | undefined {
  if (!(error instanceof Error)) return undefined
  const { code, syscall, path } = error as NodeJS.ErrnoException
  if (code === undefined || syscall === undefined) return undefined
  const known = remedies[`${syscall} ${code}`] ?? remedies[code]
  if (known === undefined) return undefined
  const [reason, remedy] = known
  return `Cannot ${verbs[syscall] ?? syscall}${path === undefined ? '' : ` ${path}`}: ${reason} (${code}). ${remedy}`
}

const verbs: { readonly [syscall: string]: string } = {
  mkdir: 'make the folder',
  scandir: 'list the folder',
  rmdir: 'remove the folder',
  unlink: 'remove',
  lstat: 'look at',
  stat: 'look at',
}
