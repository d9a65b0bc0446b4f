import 'server-only'
import type { Budget } from '@/server/upstream/budget'

/** Grants everything and tells what was asked of it. */
export function freeBudget(): Pick<Budget, 'reserve' | 'backOff'> & { log: string[] } {
  const log: string[] = []
  return {
    log,
    async reserve(purpose) {
      log.push(purpose)
      return { ok: true, finish: async (answer = 'whole') => void log.push(answer) }
    },
    async backOff(untilMs) {
      log.push(`back off until ${untilMs}`)
    },
  }
}
