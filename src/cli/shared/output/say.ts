import { printError } from './print.js'
/** Talk goes to standard error; standard output is for data. */
export const say = (line: string): void => void printError(`${line}\n`)
