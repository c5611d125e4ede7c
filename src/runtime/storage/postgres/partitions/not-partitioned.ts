import type { Obstacle } from './obstacles.js'

/** Why entries cannot be partitioned, and what to do. */
export class NotPartitioned extends Error {
  override readonly name = 'NotPartitioned'
  /** Who was in the way all the time, where somebody was. */
  readonly obstacle: Obstacle | undefined

  constructor(message: string, obstacle?: Obstacle) {
    super(message)
    this.obstacle = obstacle
  }
}
