import 'server-only'
import { oncePerProcess } from '@/server/once-per-process'

export type Lifecycle = ReturnType<typeof createLifecycle>

type Phase = 'starting' | 'waiting' | 'up' | 'draining'

export function createLifecycle() {
  let phase: Phase = 'starting'
  const isComing = () => phase === 'starting' || phase === 'waiting'
  return {
    phase: () => phase,
    isComing,
    awaitDatabase: (isAway: boolean): void => {
      if (isComing()) phase = isAway ? 'waiting' : 'starting'
    },
    up: (): void => {
      if (isComing()) phase = 'up'
    },
    drain: (): void => {
      phase = 'draining'
    },
  }
}

export const processLifecycle = () => oncePerProcess('lifecycle', createLifecycle)
