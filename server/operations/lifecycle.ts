import 'server-only'

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

const KEY = Symbol.for('intag.lifecycle')
const known = () => (globalThis as { [KEY]?: Lifecycle })[KEY]

/** The one of this process: Next loads the start and the proxy as separate modules. */
export function processLifecycle(): Lifecycle {
  const made = known() ?? createLifecycle()
  Reflect.set(globalThis, KEY, made)
  return made
}

/** Null once the start has ended, or where none has begun. */
export function comingPhase(): 'starting' | 'waiting' | null {
  const phase = known()?.phase()
  return phase === 'starting' || phase === 'waiting' ? phase : null
}
