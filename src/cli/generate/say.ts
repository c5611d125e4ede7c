/** Talk goes to standard error; standard output is for data. */
export const say = (line: string): void => void process.stderr.write(`${line}\n`)
