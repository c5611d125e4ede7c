import type { NotifyTarget } from './targets/target.js'

/** Returns the problems of `notify`: of an item, or of two with the same name. */
export function notifyProblems(notify: readonly NotifyTarget[]): readonly string[] {
  const names = notify.map(({ name }) => name)
  const twice = names.filter((name, index) => names.indexOf(name) !== index)
  return [
    ...notify.flatMap(({ name, problems }) => problems.map((problem) => `notify, ${JSON.stringify(name)}: ${problem}`)),
    ...[...new Set(twice)].map((name) => `notify has two items of the name ${JSON.stringify(name)}. Rename one.`),
  ]
}
