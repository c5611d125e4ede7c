/** Colours go to terminals, unless NO_COLOR forbids them or FORCE_COLOR demands them. */
export function wantsColor(): boolean {
  if (process.env['NO_COLOR']) return false
  if (process.env['FORCE_COLOR']) return process.env['FORCE_COLOR'] !== '0'
  return process.stdout.isTTY === true && process.env['TERM'] !== 'dumb'
}
