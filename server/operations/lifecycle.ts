import 'server-only'

export type Lifecycle = ReturnType<typeof createLifecycle>

/** `waiting`: it has begun to start, and the database cannot be reached. */
type Phase = 'starting' | 'waiting' | 'up' | 'draining'

/** Where this process is between its start and its end. */
export function createLifecycle() {
  let phase: Phase = 'starting'
  const isComing = () => phase === 'starting' || phase === 'waiting'
  return {
    phase: () => phase,
    /** Nobody is served yet. */
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

/** The one of this process, for the start and the proxy, which Next loads apart from each other. */
export function processLifecycle(): Lifecycle {
  const made = known() ?? createLifecycle()
  Reflect.set(globalThis, KEY, made)
  return made
}

/** Why nobody can be served yet; null once the start has ended, or where none has begun. */
export function comingPhase(): 'starting' | 'waiting' | null {
  const phase = known()?.phase()
  return phase === 'starting' || phase === 'waiting' ? phase : null
}
