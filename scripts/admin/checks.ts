/** One thing that was looked at: in order, worth a look, or wrong, and then what to do. Never a secret, never an address with one. */
export type Check = { what: string; state: 'ok' | 'look' | 'wrong'; says: string; todo?: string }

export function ok(what: string, says: string): Check {
  return { what, state: 'ok', says }
}

export function look(what: string, says: string, todo: string): Check {
  return { what, state: 'look', says, todo }
}

export function wrong(what: string, says: string, todo: string): Check {
  return { what, state: 'wrong', says, todo }
}

/** An error by its code or kind: messages may quote addresses. */
export function codeOf(error: unknown): string {
  for (let at = error, depth = 0; at instanceof Error && depth < 5; at = at.cause, depth += 1) {
    if ('code' in at && typeof at.code === 'string' && /^\w{1,50}$/.test(at.code)) return at.code
    if (at instanceof AggregateError && at.errors.length > 0) return codeOf(at.errors[0])
  }
  return error instanceof Error ? error.name : 'unknown reason'
}

/** Sessions, codes and what the provider signs hold for minutes: clocks may differ by some seconds. */
const CLOCKS_DIFFER_MS = 5_000

export function clockCheck(of: string, aheadMs: number): Check {
  const what = `clock of ${of}`
  const by = `${(Math.abs(aheadMs) / 1000).toFixed(1)} s ${aheadMs < 0 ? 'behind' : 'ahead of'} this machine's`
  if (Math.abs(aheadMs) < 2_000) return ok(what, 'the same as this machine’s')
  const todo = 'Keep the clocks of all machines by NTP.'
  return Math.abs(aheadMs) > CLOCKS_DIFFER_MS ? wrong(what, by, todo) : look(what, by, todo)
}
