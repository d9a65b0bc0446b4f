import 'server-only'

const LEVELS: Record<number, string> = { 10: 'trace', 20: 'debug', 30: 'info', 40: 'warn', 50: 'error', 60: 'fatal' }

/** A line of the log for somebody at the desk: when, how bad, what, and the rest as `name=value`. Ends with a line break. */
export function readableLine(json: string): string {
  const { level, time, msg = '', err, ...rest } = JSON.parse(json) as Record<string, unknown>
  const at = new Date(Number(time)).toTimeString().slice(0, 8)
  const figures = Object.entries(rest).map(([name, value]) => `${name}=${textOf(value)}`)
  const head = [at, (LEVELS[Number(level)] ?? '').padEnd(5), String(msg), ...figures].join(' ')
  return `${[head, ...errorLines(err)].join('\n')}\n`
}

/** An error as `describeError` leaves it: what it is, and where. */
function errorLines(err: unknown): string[] {
  if (typeof err !== 'object' || err === null) return []
  const { at, ...what } = err as Record<string, unknown>
  const words = Object.values(what).map(textOf).join(' ')
  return [`  ${words}`, ...(Array.isArray(at) ? at.map((frame) => `    ${String(frame)}`) : [])]
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value)
}
