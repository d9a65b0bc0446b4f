import { setTimeout as wait } from 'node:timers/promises'
import { mayDatabaseRecover } from '@/server/base/database-outage'
import { explainDatabaseError } from '@/server/base/explain-database-error'
import { oncePerProcess } from '@/server/base/once-per-process'
import type { Services } from '@/server/base/services'

declare module '@/server/base/services' {
  interface Services {
    lifecycle: ReturnType<typeof createLifecycle>
  }
}

export function createLifecycle() {
  let phase: 'starting' | 'waiting' | 'up' | 'draining' = 'starting'
  const isStarting = () => phase === 'starting' || phase === 'waiting'
  return {
    getPhase: () => phase,
    isStarting,
    setWaitingForDatabase: (isWaiting: boolean): void => {
      if (isStarting()) phase = isWaiting ? 'waiting' : 'starting'
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

/** Repeats `step` until the database lets it succeed. Rejects at once with an error that waiting does not solve. */
export async function retryDuringOutage(services: Services, step: () => Promise<void>, pauseMs = 2_000): Promise<void> {
  const { env, lifecycle, logger } = services
  let isWaiting = false
  for (;;) {
    try {
      await step()
      if (isWaiting) logger.info('the database answers, and Intag goes on with its start')
      return lifecycle.setWaitingForDatabase(false)
    } catch (error) {
      if (!mayDatabaseRecover(env, error)) throw error
      lifecycle.setWaitingForDatabase(true)
      const trouble = explainDatabaseError(error)
      if (!isWaiting) logger.warn({ trouble }, 'Intag waits for the database, and serves nobody yet')
      isWaiting = true
      await wait(pauseMs)
    }
  }
}
