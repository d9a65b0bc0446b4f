import 'server-only'

export type Lifecycle = ReturnType<typeof createLifecycle>

/** Where this process is between its start and its end. */
export function createLifecycle() {
  let phase: 'starting' | 'up' | 'draining' = 'starting'
  return {
    phase: () => phase,
    up: (): void => {
      if (phase === 'starting') phase = 'up'
    },
    drain: (): void => {
      phase = 'draining'
    },
  }
}
