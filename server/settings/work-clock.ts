import 'server-only'
import { LEAD_KINDS } from '@/lib/contract/lists'
import type { Announcer } from '@/server/events/announcer'
import type { Logger } from '@/server/logger'
import type { Work } from './work'

type Parts = {
  work: Pick<Work, 'rules'>
  announcer: Pick<Announcer, 'workLocally'>
  /** Runs it after so many milliseconds; answers what cancels it. */
  schedule: (delayMs: number, run: () => void) => () => void
  logger: Pick<Logger, 'warn'>
}

const EVERY_MS = 20_000

/**
 * Tells the browsers of this instance when the day has turned, or seven in the morning has come: what was put aside is back, and
 * other leads are late. By looking, not by waiting for that moment: a machine may have slept, and its clock may be set.
 */
export function createWorkClock({ work, announcer, schedule, logger }: Parts) {
  let known: string | null = null
  let cancel: (() => void) | null = null
  const look = async () => {
    try {
      const rules = await Promise.all(LEAD_KINDS.map((kind) => work.rules(kind)))
      const now = JSON.stringify(rules.map(({ key }) => key))
      if (known !== null && known !== now) announcer.workLocally()
      known = now
    } catch (err) {
      logger.warn({ err }, 'what counts as work now could not be worked out; the next look tries again')
    }
  }
  const lookLater = () => {
    cancel = schedule(EVERY_MS, () => void look().then(() => cancel && lookLater()))
  }
  return {
    look,
    start: () => cancel ?? void look().then(lookLater),
    stop: () => {
      cancel?.()
      cancel = null
    },
  }
}
