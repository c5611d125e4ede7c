import type { Command } from 'commander'
import { registerValidate } from './validate.js'

/** Adds one command to the program. */
export type Register = (program: Command) => void

/** The commands, in the order in which help shows them. */
export const COMMANDS: readonly Register[] = [registerValidate]
