import { isTerminal } from '../shared/output/print.js'

/** Colours go to terminals, unless the option, NO_COLOR or FORCE_COLOR says otherwise. */
export function wantsColor(option: boolean | undefined): boolean {
  if (option !== undefined) return option
  if (process.env['NO_COLOR']) return false
  if (process.env['FORCE_COLOR']) return process.env['FORCE_COLOR'] !== '0'
  return process.env['TERM'] !== 'dumb' && isTerminal()
}
