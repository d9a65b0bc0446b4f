import { useSyncExternalStore } from 'react'

export type ExternalStore<State> = ReturnType<typeof createExternalStore<State>>

/** Creates a store whose state can also be read and changed by code outside of components. */
export function createExternalStore<State>(initialState: State) {
  let state = initialState
  const listeners = new Set<() => void>()
  return {
    /** The server renders this state, so hydration begins with it. */
    initialState,
    read: () => state,
    set: (newState: State) => {
      state = newState
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

export function useExternalStore<State>({ initialState, read, subscribe }: ExternalStore<State>): State {
  return useSyncExternalStore(subscribe, read, () => initialState)
}

export function createWindowSubscription(...events: string[]) {
  return (listener: (event: Event) => void): (() => void) => {
    const subscription = new AbortController()
    for (const event of events) window.addEventListener(event, listener, { passive: true, signal: subscription.signal })
    return () => subscription.abort()
  }
}
