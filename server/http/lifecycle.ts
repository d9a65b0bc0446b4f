import { setTimeout as wait } from 'node:timers/promises'
import { explainDatabaseError, mayDatabaseRecover } from '@/server/base/database-outage'
import { oncePerProcess } from '@/server/base/once-per-process'
import type { Services } from '@/server/base/services'

/** A process starts, may wait for the database, is up, and drains before it ends. */
export function createLifecycle() {
  let phase: 'starting' | 'waiting' | 'up' | 'draining' = 'starting'
  const isStarting = () => phase === 'starting' || phase === 'waiting'
  return {
    getPhase: () => phase,
    isStarting,
    setDatabaseAway: (isAway: boolean): void => {
      if (isStarting()) phase = isAway ? 'waiting' : 'starting'
    },
    markUp: (): void => {
      if (isStarting()) phase = 'up'
    },
    drain: (): void => {
      phase = 'draining'
    },
  }
}

export const processLifecycle = oncePerProcess('lifecycle', createLifecycle)

/** Runs `step` again while the database is away. Rejects with an error that waiting does not solve. */
export async function retryDuringOutage(services: Services, step: () => Promise<void>, pauseMs = 2_000) {
  const { env, lifecycle, logger, clock } = services
  let warnedAt = -Infinity
  for (;;) {
    try {
      await step()
      if (warnedAt !== -Infinity) logger.info('the database answers, and Intag goes on with its start')
      return lifecycle.setDatabaseAway(false)
    } catch (error) {
      if (!mayDatabaseRecover(env, error)) throw error
      lifecycle.setDatabaseAway(true)
      if (clock.monotonic() - warnedAt >= 60_000) {
        warnedAt = clock.monotonic()
        logger.warn({ trouble: explainDatabaseError(error) }, 'Intag waits for the database, and serves nobody yet')
      }
      await wait(pauseMs)
    }
  }
}
