import type { Rule } from '../rule.js'
import { RUN_CODES } from './run-codes.js'
import { YAML_CODES } from './yaml-codes.js'
import { STRUCTURE_CODES } from './structure-codes.js'

/** The rules of this section; first those that another stage reports. */
export const FILE_RULES: readonly Rule[] = [...RUN_CODES, ...YAML_CODES, ...STRUCTURE_CODES]
