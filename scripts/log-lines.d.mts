export function wantsJson(variables: { LOG_FORMAT?: string }, isTerminal: boolean): boolean
export function jsonLines(text: string, level: number, time: number): string
