import { join } from 'node:path'
import { oneAtATime } from '../shared/locks/one-at-a-time.js'

/**
 * Does work on a key directory while no other command does: what one has read, another may not change before it is
 * written, or a private part that was removed would be written again.
 */
export const oneChangeAtATime = <T>(directory: string, work: () => Promise<T>): Promise<T> =>
  oneAtATime(join(directory, '.changing'), `Another command is changing the keys in ${directory}.`, work)
