import { useRef, useSyncExternalStore } from 'react'

export type ExternalStore<State> = ReturnType<typeof createExternalStore<State>>

/** A store outside React. Components subscribe to the part that they select. */
export function createExternalStore<State>(initialState: State) {
  let state = initialState
  const listeners = new Set<() => void>()
  return {
    /** The server renders this state, so hydration begins with it. */
    initialState,
    read: () => state,
    set: (next: State) => {
      state = next
      for (const listener of listeners) listener()
    },
    subscribe: (listener: () => void) => {
      listeners.add(listener)
      return () => void listeners.delete(listener)
    },
  }
}

/** The component renders again only when its part changes: another value, or an object with another field. */
export function useExternalStore<State, Part>(
  { initialState, read, subscribe }: ExternalStore<State>,
  select: (state: State) => Part,
): Part {
  const last = useRef<Part>(undefined)
  const keepIdentity = (part: Part): Part =>
    isShallowEqual(last.current, part) ? (last.current as Part) : (last.current = part)
  return useSyncExternalStore(
    subscribe,
    () => keepIdentity(select(read())),
    () => keepIdentity(select(initialState)),
  )
}

export function isShallowEqual(a: unknown, b: unknown): boolean {
  if (Object.is(a, b)) return true
  if (!isObject(a) || !isObject(b)) return false
  const keys = Object.keys(a)
  return keys.length === Object.keys(b).length && keys.every((key) => Object.is(a[key], b[key]))
}

const isObject = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object'
