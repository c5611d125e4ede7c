import type { Command } from 'commander'
import { registerBuild } from './build.js'
import { registerInit } from './init.js'
import { registerMigrate } from './migrate.js'
import { registerSign } from './sign.js'
import { registerValidate } from './validate.js'
import { registerVerify } from './verify.js'

/** Adds one command to the program. */
export type Register = (program: Command) => void

/** The commands, in the order in which help shows them. */
export const COMMANDS: readonly Register[] = [
  registerInit,
  registerValidate,
  registerBuild,
  registerSign,
  registerVerify,
  registerMigrate,
]
